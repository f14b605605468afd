#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <exception>
#include <functional>
#include <string>

namespace tessera
{
  /// Returns the message of an exception on one line. For a deal.II exception
  /// this is the message alone, without the place and the stack trace.
  std::string
  message_of(const std::exception &exception);

  /// Calls `work`. An exception of deal.II is rethrown as an Error with its
  /// message and ExitCode::other.
  void
  translate_exceptions(const std::function<void()> &work);
} // namespace tessera
