#include <tessera/base/array.h>
#include <tessera/program/board_energy.h>

#include <chrono>
#include <thread>

#include "test.h"

using namespace tessera;

TEST(BoardEnergyTest, IsCountedWhereThereIsABoard)
{
  for (const Backend backend : test::backends())
    {
      if (backend == Backend::host || runtime::is_shim())
        continue;
      const Array<double> on_device(backend, 1);
      const auto before = program::board_energy();
      ASSERT_TRUE(before.has_value());
      constexpr double seconds = 0.5;
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
      const double joules = program::board_energy().value() - *before;
      // A board takes 20 to 1500 W, and its counter may be late.
      EXPECT_GT(joules, 20 * seconds / 2);
      EXPECT_LT(joules, 1500 * seconds * 2);
    }
}

TEST(BoardEnergyTest, IsNothingWithoutADevice)
{
  const auto &backends = test::backends();
  const bool on_host   = backends.size() == 1 && backends[0] == Backend::host;
  if (on_host || runtime::is_shim())
    EXPECT_FALSE(program::board_energy().has_value());
}
