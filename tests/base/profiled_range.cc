#include "test.h"

#include <tessera/base/array.h>
#include <tessera/base/profiled_range.h>

using namespace tessera;

TEST(ProfiledRange, HasTheNameOfItsTime)
{
  for (const Backend backend : test::backends())
    {
      EXPECT_EQ(runtime::ProfiledRange::current(), "");
      const runtime::ProfiledRange outer("outer");
      {
        const runtime::ProfiledRange inner("inner");
        EXPECT_EQ(runtime::ProfiledRange::current(), "inner");
        Array<double> array(backend, 33);
        array.zero();
        EXPECT_EQ(array.to_vector(), std::vector<double>(33, 0.));
      }
      EXPECT_EQ(runtime::ProfiledRange::current(), "outer");
    }
}
