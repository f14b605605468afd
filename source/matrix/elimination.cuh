#pragma once

#include <tessera/base/attributes.h>

#include "elimination_kernels.h"

namespace tessera
{
  /// Goes over entries `first`, `first` + `step`, ... of a row. Returns its
  /// diagonal where it is constrained, else sum A_ij g_j over constrained j;
  /// both are sums over what parts of the row return.
  template <class Number, class Offset>
  TESSERA_HOST_DEVICE Number
  eliminate_in_row(const Elimination<Number, Offset> &system, const int row,
                   const Offset first, const Offset end, const int step)
  {
    const bool fixed = system.constrained[row] != 0;
    Number sum       = Number(0);
    for (Offset k = first; k < end; k += step)
      {
        const int column = system.columns[k];
        if (fixed && column == row)
          sum = system.values[k];
        else if (fixed)
          system.values[k] = Number(0);
        else if (system.constrained[column] != 0)
          {
            sum += system.values[k] * system.g[column];
            system.values[k] = Number(0);
          }
      }
    return sum;
  }

  template <class Number, class Offset>
  TESSERA_HOST_DEVICE void
  finish_row(const Elimination<Number, Offset> &system, const int row,
             const Number sum)
  {
    system.b[row] =
      system.constrained[row] != 0 ? sum * system.g[row] : system.b[row] - sum;
  }
} // namespace tessera
