#include "turns.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>

using namespace tessera::test;

namespace
{
  /// Sets TESSERA_TEST_SEED for a test, and afterwards what it was.
  class Turns : public testing::Test
  {
  protected:
    ~Turns() override
    {
      given ? setenv(name, before.c_str(), 1) : unsetenv(name);
      read_seed();
    }

    bool
    set_seed(const std::string &seed)
    {
      setenv(name, seed.c_str(), 1);
      return read_seed();
    }

  private:
    static constexpr const char *name = "TESSERA_TEST_SEED";
    const char *const given           = std::getenv(name);
    const std::string before          = given ? given : "";
  };
} // namespace

TEST_F(Turns, TenSeedsTryAllCombinations)
{
  for (const std::size_t n : {1, 2, 3, 7, 10})
    for (std::size_t index = 0; index < 25; ++index)
      {
        std::set<std::size_t> turns;
        int n_tried = 0;
        for (std::size_t seed = 100; seed < 100 + n; ++seed)
          {
            ASSERT_TRUE(set_seed(std::to_string(seed)));
            n_tried += in_turn(index, n);
          }
        EXPECT_EQ(n_tried, 1) << index << " of each " << n;
        // In its turns, a combination has one variation after the other.
        for (std::size_t seed = 100; seed < 100 + 4 * n; ++seed)
          {
            ASSERT_TRUE(set_seed(std::to_string(seed)));
            if (in_turn(index, n))
              turns.insert(n_turns(index, n) % 4);
          }
        EXPECT_EQ(turns.size(), 4u);
      }
}

TEST_F(Turns, FullTriesAllAtOnce)
{
  ASSERT_TRUE(set_seed("full"));
  for (std::size_t index = 0; index < 25; ++index)
    EXPECT_TRUE(in_turn(index, 10));
}

TEST_F(Turns, BadNumbersAreRefused)
{
  for (const std::string seed : {"", "-1", "7a", "all", "1234567890"})
    EXPECT_FALSE(set_seed(seed)) << seed;
  EXPECT_THROW(in_turn(0, 0), std::logic_error);
  EXPECT_THROW(in_turn(0, 11), std::logic_error);
}
