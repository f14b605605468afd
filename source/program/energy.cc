#include <tessera/program/energy.h>

#include <dlfcn.h>

#include <filesystem>
#include <fstream>

namespace tessera::program
{
  namespace
  {
    /// A library of the driver, which is there only where a device is. It stays
    /// until the program ends.
    class DriverLibrary
    {
    public:
      explicit DriverLibrary(const char *const name)
        : handle(dlopen(name, RTLD_NOW))
      {}

      /// Calls a function that returns 0 if it succeeds. Returns false if it
      /// does not, or does not exist.
      template <class... Arguments>
      bool
      call(const char *const name, const Arguments... arguments) const
      {
        if (handle == nullptr)
          return false;
        const auto function =
          reinterpret_cast<int (*)(Arguments...)>(dlsym(handle, name));
        return function != nullptr && function(arguments...) == 0;
      }

    private:
      void *handle;
    };

    /// Returns the joules of the board since its driver was loaded.
    std::optional<double>
    joules_of_board()
    {
      static const DriverLibrary driver("libcuda.so.1"),
        management("libnvidia-ml.so.1");
      static const bool started     = management.call("nvmlInit_v2");
      int device                    = 0;
      char bus[32]                  = {};
      void *board                   = nullptr;
      unsigned long long millijoule = 0;
      if (started && driver.call("cuCtxGetDevice", &device) &&
          driver.call("cuDeviceGetPCIBusId", &bus[0], int(sizeof(bus)),
                      device) &&
          management.call("nvmlDeviceGetHandleByPciBusId_v2",
                          static_cast<const char *>(bus), &board) &&
          management.call("nvmlDeviceGetTotalEnergyConsumption", board,
                          &millijoule))
        return 1e-3 * millijoule;
      return {};
    }

    /// Returns the value that a file consists of.
    template <class T>
    std::optional<T>
    content(const std::filesystem::path &file)
    {
      T value{};
      if (std::ifstream(file) >> value)
        return value;
      return {};
    }
  } // namespace


  EnergyMeter::EnergyMeter(const std::string &zones)
    : board_before(joules_of_board())
  {
    std::error_code failure;
    for (const auto &zone : std::filesystem::directory_iterator(zones, failure))
      {
        // Cores and graphics are parts of a package; a memory is none.
        const auto name = content<std::string>(zone.path() / "name");
        if (!name || (name->rfind("package", 0) != 0 && *name != "dram"))
          continue;
        const auto counter = zone.path() / "energy_uj";
        const auto before  = content<std::uint64_t>(counter);
        const auto range =
          content<std::uint64_t>(zone.path() / "max_energy_range_uj");
        if (before && range)
          of_host.push_back({counter.string(), *before, *range});
      }
  }


  std::optional<double>
  EnergyMeter::board() const
  {
    const auto now = joules_of_board();
    if (!now || !board_before)
      return {};
    return *now - *board_before;
  }


  std::optional<double>
  EnergyMeter::host() const
  {
    std::uint64_t sum = 0;
    for (const Zone &zone : of_host)
      {
        const auto now = content<std::uint64_t>(zone.counter);
        if (!now)
          return {};
        sum += *now - zone.before + (*now < zone.before ? zone.range : 0);
      }
    if (of_host.empty())
      return {};
    return 1e-6 * sum;
  }
} // namespace tessera::program
