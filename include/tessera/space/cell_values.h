#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// Holds the values at the nodes of a cell in registers.
  template <int n, class T>
  struct RegisterValues
  {
    T values[n];

    TESSERA_HOST_DEVICE RegisterValues &
    reread()
    {
      return *this;
    }

    TESSERA_HOST_DEVICE T &
    operator[](const int i)
    {
      return values[i];
    }

    TESSERA_HOST_DEVICE const T &
    operator[](const int i) const
    {
      return values[i];
    }
  };

  /// Refers to the values at the nodes of a cell in shared memory, `stride`
  /// entries apart. After a call of `reread`, the compiler has to read the
  /// values from shared memory once more, so they occupy no registers in
  /// between.
  template <int stride, class T>
  struct SharedValues
  {
    T *base;
    int offset;

    TESSERA_HOST_DEVICE SharedValues &
    reread()
    {
      forget(offset);
      return *this;
    }

    TESSERA_HOST_DEVICE T &
    operator[](const int i) const
    {
      return base[i * stride + offset];
    }
  };
} // namespace tessera
