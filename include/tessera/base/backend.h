#pragma once

#include <string>

namespace tessera
{
  /// Where arrays live and kernels run.
  enum class Backend
  {
    host, ///< OpenMP threads and SIMD
    cuda  ///< one CUDA device
  };

  std::string
  to_string(Backend backend);

  /// A queue of work in issue order. The default one is the device's legacy
  /// stream; the host executes at once and ignores it.
  struct Stream
  {
    void *handle = nullptr;
  };

  /// What `auto` chose, and why, as one sentence for the screen.
  struct BackendChoice
  {
    Backend backend;
    std::string reason;
  };

  /// Resolves `auto`, `host` or `cuda`. Throws ParameterError for another
  /// name, DeviceError where `cuda` is asked for and no device is usable or
  /// `device` is out of range. Makes `device` the current one.
  BackendChoice
  choose_backend(const std::string &name, int device = 0);
} // namespace tessera
