#pragma once

#include <tessera/space/numbering.h>

/// All numberings and orders of cells.
namespace tessera::test
{
  inline const std::vector<std::string> numberings = numbering_names();

  constexpr CellOrder cell_orders[] = {
#define TESSERA_CELL_ORDER(name, sentence) CellOrder::name,
#include <tessera/space/cell_orders.def>
#undef TESSERA_CELL_ORDER
  };

  inline const int n_numberings = static_cast<int>(numberings.size());
} // namespace tessera::test
