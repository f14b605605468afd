#include <tessera/program/board_energy.h>

#include <dlfcn.h>

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
  } // namespace


  std::optional<double>
  board_energy()
  {
    static const DriverLibrary driver("libcuda.so.1"),
      management("libnvidia-ml.so.1");
    static const bool started     = management.call("nvmlInit_v2");
    int device                    = 0;
    char bus[32]                  = {};
    void *board                   = nullptr;
    unsigned long long millijoule = 0;
    if (started && driver.call("cuCtxGetDevice", &device) &&
        driver.call("cuDeviceGetPCIBusId", &bus[0], int(sizeof(bus)), device) &&
        management.call("nvmlDeviceGetHandleByPciBusId_v2",
                        static_cast<const char *>(bus), &board) &&
        management.call("nvmlDeviceGetTotalEnergyConsumption", board,
                        &millijoule))
      return 1e-3 * millijoule;
    return {};
  }
} // namespace tessera::program
