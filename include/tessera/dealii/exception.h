#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <exception>
#include <functional>
#include <string>

namespace tessera
{
  /// What an exception says on one line: of a deal.II exception the message
  /// alone, without place and stack trace.
  std::string
  message_of(const std::exception &exception);

  /// Calls `work`; an exception of deal.II becomes an Error that says what its
  /// message says, with ExitCode::other.
  void
  translate_exceptions(const std::function<void()> &work);
} // namespace tessera
