#pragma once

#include <string>

namespace tessera
{
  /// A backend is where arrays are stored and kernels run.
  enum class Backend
  {
    host, ///< OpenMP threads and SIMD
    cuda  ///< one CUDA device
  };

  std::string
  to_string(Backend backend);

  /// A stream is a queue of work that is executed in the order of issue. The
  /// default-constructed stream is the device's legacy default stream. The host
  /// executes work at once and ignores the stream.
  struct Stream
  {
    void *handle = nullptr;
  };

  /// The backend that was chosen, and the reason for it as text for the screen.
  struct BackendChoice
  {
    Backend backend;
    std::string reason;
  };

  /// Turns `auto`, `host` or `cuda` into a backend; `auto` takes the device if
  /// there is one. Nothing is done on the device, and the current one stays.
  /// Throws ParameterError for any other name, and DeviceError if `cuda` was
  /// asked for and no device is usable or if `device` is out of range.
  BackendChoice
  choose_backend(const std::string &name, int device = 0);

  /// Does the same; if the result is `cuda`, `device` becomes the current
  /// device.
  BackendChoice
  use_backend(const std::string &name, int device = 0);
} // namespace tessera
