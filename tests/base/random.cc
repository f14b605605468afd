#include <tessera/base/random.h>

#include <gtest/gtest.h>

using namespace tessera;

TEST(RandomSequence, HasItsNumbersInAnyOrder)
{
  RandomSequence in_turn(1, 3);
  const RandomSequence at_once = in_turn;
  for (std::uint64_t n = 0; n < 1000; ++n)
    {
      const double value = in_turn.uniform();
      EXPECT_EQ(at_once.uniform_after(n), value);
      EXPECT_GE(value, 0);
      EXPECT_LT(value, 1);
    }
}
