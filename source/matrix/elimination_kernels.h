#pragma once

#include <tessera/base/target.h>

#include <cstdint>

namespace tessera
{
  template <class Number, class Offset>
  struct Elimination
  {
    int n_rows;
    const Offset *row_start;          /// [n_rows + 1]
    const int *columns;               /// [n_nonzeros]
    Number *values;                   /// [n_nonzeros]
    const unsigned char *constrained; /// [n_rows]
    const Number *g;
    Number *b;
  };

  template <class Number, class Offset>
  void
  eliminate(Cuda, const Elimination<Number, Offset> &system, Stream stream);

  template <class Number, class Offset, class Target, IfHost<Target> = 0>
  void
  eliminate(Target, const Elimination<Number, Offset> &system, Stream stream);
} // namespace tessera
