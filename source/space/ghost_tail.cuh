#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// buffer_k = x_i for the k-th entry i of a list.
  template <class Number>
  struct Packing
  {
    const int *entries;
    const Number *x;
    Number *buffer;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t k) const
    {
      buffer[k] = x[entries[k]];
    }
  };

  /// x_i = buffer_k for the k-th entry i of a list, in which each is once.
  template <class Number>
  struct Unpacking
  {
    const int *entries;
    const Number *buffer;
    Number *x;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t k) const
    {
      x[entries[k]] = buffer[k];
    }
  };

  /// Adds to each entry of a list its values of a buffer, in their order.
  template <class Number>
  struct AddingUp
  {
    const int *entries;
    const int *start; ///< [number of entries + 1]
    const int *place; ///< in the buffer
    const Number *buffer;
    Number *x;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t k) const
    {
      Number sum = x[entries[k]];
      for (int m = start[k]; m < start[k + 1]; ++m)
        sum += buffer[place[m]];
      x[entries[k]] = sum;
    }
  };
} // namespace tessera
