#include <tessera/base/parallel_vector.h>

#include <array>

#include "test.h"

using namespace tessera;

namespace
{
  template <class T>
  void
  check(const T &value)
  {
    for (const std::size_t bytes : {0, 1 << 12, 1 << 22, 5000011})
      {
        const std::size_t n   = bytes / sizeof(T);
        std::vector<T> vector = parallel_vector<T>(n, value);
        EXPECT_EQ(vector, std::vector<T>(n, value)) << n;
        vector.push_back(value);
        EXPECT_EQ(vector.size(), n + 1);
        EXPECT_EQ(vector.back(), value);
      }
  }
} // namespace

TEST(ParallelVector, IsThatOfOneThread)
{
  check(0);
  check(-1);
  check(17);
  check('x');
  check(0.1);
  check(std::array<int, 3>{1, 2, 3});
  EXPECT_EQ(parallel_vector<double>(1000003), std::vector<double>(1000003));
}
