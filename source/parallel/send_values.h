#pragma once

#include <tessera/base/communicator.h>

#include <vector>

namespace tessera::internal
{
  /// Sends n values for each entry of `out`, and returns the n values that
  /// arrive for each entry of `in`. All processes have to call it.
  template <class T>
  std::vector<T>
  send_values(const Transport &transport, const std::vector<T> &values,
              const Envelopes &out, const Envelopes &in, const int n = 1)
  {
    std::vector<T> result(std::size_t(in.n_entries()) * n);
    const auto channel = transport.open(out, in, n * sizeof(T));
    channel->begin(values.data(), result.data(), {});
    channel->finish({});
    return result;
  }
} // namespace tessera::internal
