#pragma once

#include <tessera/base/error.h>

#include <new>
#include <string>

namespace tessera
{
  /// Returns read(). If memory runs out, throws an error that names the
  /// file.
  template <class Read>
  auto
  or_say_memory(const std::string &file, const Read &read)
  {
    try
      {
        return read();
      }
    catch (const std::bad_alloc &)
      {
        throw DeviceError(
          "There is not enough memory on the host for the "
          "matrix file '" +
          file + "'.");
      }
  }
} // namespace tessera
