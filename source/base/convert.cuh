#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// to = factor from.
  template <class To, class From>
  struct Conversion
  {
    To *to;
    const From *from;
    double factor;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      to[i] = static_cast<To>(factor * double(from[i]));
    }
  };

  /// to += factor from.
  struct ConvertedAddition
  {
    double *to;
    const float *from;
    double factor;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      to[i] += factor * double(from[i]);
    }
  };
} // namespace tessera
