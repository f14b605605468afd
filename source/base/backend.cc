#include <tessera/base/backend.h>
#include <tessera/base/error.h>
#include <tessera/base/runtime.h>

namespace tessera
{
  std::string
  to_string(const Backend backend)
  {
    return backend == Backend::host ? "host" : "cuda";
  }

  BackendChoice
  choose_backend(const std::string &name, const int device)
  {
    if (name != "auto" && name != "host" && name != "cuda")
      throw ParameterError("The backend '" + name +
                           "' does not exist; it is auto, host or cuda.");
    const std::string unused =
      device == 0 ? "" : "; device " + std::to_string(device) + " is not used";
    if (name == "host")
      return {Backend::host, "as asked for" + unused};

    const int n = runtime::n_devices();
    if (n == 0)
      {
        const std::string why = runtime::is_shim()
                                  ? "this program was built without CUDA"
                                  : "no CUDA device was found";
        if (name == "cuda")
          throw DeviceError("The backend cuda cannot be used: " + why + ".");
        return {Backend::host, why + unused};
      }
    if (device < 0 || device >= n)
      throw DeviceError(
        "Device " + std::to_string(device) + " does not exist; there " +
        (n == 1 ? "is 1 device" : "are " + std::to_string(n) + " devices") +
        ", counted from 0.");
    return {Backend::cuda, name == "cuda"
                             ? "as asked for"
                             : "found " + runtime::device_name(device)};
  }

  BackendChoice
  use_backend(const std::string &name, const int device)
  {
    BackendChoice choice = choose_backend(name, device);
    if (choice.backend == Backend::cuda)
      runtime::set_device(device);
    return choice;
  }
} // namespace tessera
