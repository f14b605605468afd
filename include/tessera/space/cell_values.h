#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// Values of the nodes of a cell that stand in registers.
  template <int n, class T>
  struct RegisterValues
  {
    T values[n];

    TESSERA_HOST_DEVICE RegisterValues &
    again()
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

  /// Values of the nodes of a cell that stand in shared memory, `stride`
  /// apart. What is read after `again` is read from there once more, so that
  /// no registers are taken meanwhile.
  template <int stride, class T>
  struct SharedValues
  {
    T *base;
    int offset;

    TESSERA_HOST_DEVICE SharedValues &
    again()
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
