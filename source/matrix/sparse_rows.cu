#include <tessera/base/for_each.cuh>

#include "sparse_rows.cuh"

namespace tessera
{
  TESSERA_FOR_EACH(WidenStart<std::int32_t>)
  TESSERA_FOR_EACH(WidenStart<std::int64_t>)
  TESSERA_FOR_EACH(CopyEntry<double>)
  TESSERA_FOR_EACH(CopyEntry<float>)
  TESSERA_FOR_EACH(FindAlone)
  TESSERA_FOR_EACH(RowOfEntries)
  TESSERA_FOR_EACH(TransposeEntry)
  TESSERA_FOR_EACH(BlockColumnsOfNode)
  TESSERA_FOR_EACH(PlaceRowInBlocks)
  TESSERA_FOR_EACH(SingleEntriesOfRow)
} // namespace tessera
