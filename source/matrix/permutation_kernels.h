#pragma once

#include <tessera/base/runtime.h>

namespace tessera
{
  template <class Number>
  void
  permute_on_device(Number *to, const Number *from, const int *order, int n,
                    Stream stream);
} // namespace tessera
