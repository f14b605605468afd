#include "tiles.h"

#include <tessera/operators/csr_merge.h>

using namespace tessera;

// Compressed rows along the merge path: products of rows that no mesh gives.
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
