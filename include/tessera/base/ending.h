#pragma once

#include <tessera/base/error.h>

#include <exception>
#include <string>

namespace tessera
{
  /// How a program ends that an exception ends.
  struct Ending
  {
    ExitCode code;
    std::string sentence;
  };

  /// Returns code and sentence of an Error, ExitCode::device and the lack of
  /// memory for std::bad_alloc, and ExitCode::other for any other exception,
  /// with the first line of its message that is not blank.
  Ending
  ending_of(const std::exception &exception);
} // namespace tessera
