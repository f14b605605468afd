#pragma once

#include <tessera/base/target.h>
#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  template <class Number>
  struct Elimination
  {
    RowEntries<Number> matrix;
    const unsigned char *constrained; ///< [n_rows]
    const Number *g;
    Number *b;
  };

  template <class Number>
  void
  eliminate(Cuda, const Elimination<Number> &system, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  eliminate(Target, const Elimination<Number> &system, Stream stream);
} // namespace tessera
