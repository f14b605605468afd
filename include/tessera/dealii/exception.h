#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <exception>
#include <string>

namespace tessera
{
  /// What an exception says on one line: of a deal.II exception the message
  /// alone, without place and stack trace.
  std::string
  message_of(const std::exception &exception);
} // namespace tessera
