#pragma once

#include <tessera/space/space.h>

/// All numberings and orders of cells, in the order of their lists.
namespace tessera::test
{
  constexpr Numbering numberings[] = {
#define TESSERA_NUMBERING(name, sentence, paper) Numbering::name,
#include <tessera/space/numberings.def>
#undef TESSERA_NUMBERING
  };

  constexpr CellOrder cell_orders[] = {
#define TESSERA_CELL_ORDER(name, sentence) CellOrder::name,
#include <tessera/space/cell_orders.def>
#undef TESSERA_CELL_ORDER
  };

  constexpr int n_numberings = sizeof(numberings) / sizeof(numberings[0]);
} // namespace tessera::test
