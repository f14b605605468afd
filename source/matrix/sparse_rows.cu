#include <tessera/base/for_each.cuh>

#include "sparse_rows.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(RowOfEntries)
  TESSERA_FOR_EACH(TransposeEntry)
  TESSERA_FOR_EACH(BlockColumnsOfNode)
  TESSERA_FOR_EACH(PlaceRowInBlocks)
  TESSERA_FOR_EACH(SingleEntriesOfRow)
} // namespace tessera
