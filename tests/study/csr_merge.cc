#include "../matrix/tiles.h"

#include <tessera/study/operators/csr_merge.h>

using namespace tessera;

// Tests compressed rows along the merge path with rows that no mesh has.
TEST(CsrMerge, AgreesWithASerialLoop)
{
  for (const Backend backend : test::backends())
    for (const test::Rows &rows : test::tile_rows())
      for (const bool force_64 : {false, true})
        {
          SCOPED_TRACE(to_string(backend) + ", " + rows.name);
          test::check_tiles<CsrMerge, CsrMatrix, double>(backend, rows,
                                                         force_64);
          test::check_tiles<CsrMerge, CsrMatrix, float>(backend, rows,
                                                        force_64);
        }
}
