#include <tessera/base/array.h>
#include <tessera/program/energy.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "test.h"

using namespace tessera;

TEST(EnergyTest, IsCountedWhereThereIsABoard)
{
  for (const Backend backend : test::backends())
    {
      if (backend == Backend::host || runtime::is_shim())
        continue;
      const Array<double> on_device(backend, 1);
      const program::EnergyMeter meter;
      constexpr double seconds = 0.5;
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
      const double joules = meter.board().value();
      // A board takes 20 to 1500 W, and its counter may be late.
      EXPECT_GT(joules, 20 * seconds / 2);
      EXPECT_LT(joules, 1500 * seconds * 2);
    }
}

TEST(EnergyTest, IsNothingWithoutADevice)
{
  const auto &backends = test::backends();
  const bool on_host   = backends.size() == 1 && backends[0] == Backend::host;
  if (on_host || runtime::is_shim())
    EXPECT_FALSE(program::EnergyMeter().board().has_value());
}

// Folders as Linux has them: two packages, whose cores are parts of them, and a
// memory; one counter begins again.
TEST(EnergyTest, ProcessorsAndMemoriesAreAddedUp)
{
  const std::filesystem::path zones =
    std::filesystem::path(::testing::TempDir()) / "zones";
  std::filesystem::remove_all(zones);
  const auto write = [&](const std::string &zone, const std::string &file,
                         const std::string &text) {
    std::filesystem::create_directories(zones / zone);
    std::ofstream(zones / zone / file) << text << '\n';
  };
  const auto zone = [&](const std::string &folder, const std::string &name) {
    write(folder, "name", name);
    write(folder, "max_energy_range_uj", "10000000");
    write(folder, "energy_uj", "9000000");
  };
  EXPECT_FALSE(program::EnergyMeter(zones / "none").host().has_value());
  zone("intel-rapl:0", "package-0");
  zone("intel-rapl:1", "package-1");
  zone("intel-rapl:0:0", "core");
  zone("intel-rapl:0:1", "dram");
  write("intel-rapl", "enabled", "1");
  const program::EnergyMeter meter(zones);
  EXPECT_EQ(meter.host().value(), 0.);
  write("intel-rapl:0", "energy_uj", "9500000");
  write("intel-rapl:1", "energy_uj", "2000000"); // 3 J after 9 of 10
  write("intel-rapl:0:0", "energy_uj", "9400000");
  write("intel-rapl:0:1", "energy_uj", "9250000");
  EXPECT_NEAR(meter.host().value(), 0.5 + 3 + 0.25, 1e-12);
  std::filesystem::remove(zones / "intel-rapl:0:1" / "energy_uj");
  EXPECT_FALSE(meter.host().has_value());
}
