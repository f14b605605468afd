#include <tessera/base/counted.h>

#include "test.h"

using tessera::counted;

TEST(Counted, OneAndSeveral)
{
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(2, "entry"), "2 entries");
  EXPECT_EQ(counted(3, "process"), "3 processes");
  EXPECT_EQ(counted(12345, "cell", "12 345"), "12 345 cells");
}
