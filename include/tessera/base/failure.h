#pragma once

#include <tessera/base/error.h>

#include <string>

namespace tessera
{
  /// How a program ends because of an exception.
  struct Failure
  {
    ExitCode code = ExitCode::other;
    std::string sentence;
  };

  /// Describes the exception that is being handled: exit code and sentence of
  /// an Error; 6 and a sentence for std::bad_alloc; 1 and the first line of the
  /// message for another std::exception. Other exceptions pass through.
  Failure
  current_failure();
} // namespace tessera
