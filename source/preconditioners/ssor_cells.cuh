#pragma once

#include <tessera/base/for_each.h>
#include <tessera/space/local_entry.h>

#include "color_order.h"
#include "ssor_cells_kernels.h"

// Functions that the kernels of device and host share.
namespace tessera
{
  /// scale_i = (2 - w) w / D_i and factor[place[i]] = w / D_i.
  template <class Number>
  struct SsorScales
  {
    const Number *diagonal;
    const int *place;
    Number relaxation;
    Number *scale, *factor;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      const Number f     = relaxation / diagonal[row];
      scale[row]         = (Number(2) - relaxation) * f;
      factor[place[row]] = f;
    }
  };

  /// Returns the sum over one row of a local matrix, as in CellSweep. Only the
  /// values of the requested side are loaded.
  template <class Number>
  TESSERA_HOST_DEVICE Number
  sum_of_part(const LocalRows<Number> &rows, const unsigned int part,
              const int own, const bool lower, const Number *y)
  {
    constexpr int in_flight = 4;
    const int n             = rows.n;
    const int node          = static_cast<int>(part % n);
    const unsigned int cell = part / n;
    const std::int64_t b    = cell / rows.lanes;
    const int lane          = static_cast<int>(cell % rows.lanes);
    const int *const places = rows.places + b * n * rows.lanes + lane;
    const Number *const values =
      rows.values + b * n_local_entries(rows.symmetric, n) * rows.lanes + lane;

    Number sum = Number(0);
    TESSERA_ROLLED
    for (int j0 = 0; j0 < n; j0 += in_flight)
      {
        int place[in_flight];
        Number product[in_flight];
        TESSERA_UNROLL
        for (int l = 0; l < in_flight; ++l)
          place[l] =
            j0 + l < n ? read_only(places + (j0 + l) * rows.lanes) : -1;
        TESSERA_UNROLL
        for (int l = 0; l < in_flight; ++l)
          {
            const int j     = j0 + l;
            const int other = place[l];
            const int first = rows.symmetric && j < node ? j : node;
            const int last  = rows.symmetric && j < node ? node : j;
            product[l]      = (lower ? other >= 0 && other < own : other > own)
                                ? read_only(values + local_entry(rows.symmetric, n,
                                                                 first, last) *
                                                       rows.lanes) *
                               y[other]
                                : Number(0);
          }
        TESSERA_UNROLL
        for (int l = 0; l < in_flight; ++l)
          sum += product[l];
      }
    return sum;
  }

  /// Returns the sum over all local matrices that contribute to the row at a
  /// place.
  template <class Number>
  TESSERA_HOST_DEVICE Number
  sum_of_row(const LocalRows<Number> &rows, const int own, const bool lower,
             const Number *y)
  {
    Number sum = Number(0);
    if (rows.start == nullptr)
      return sum;
    const int slice = own / slice_rows, lane = own % slice_rows;
    TESSERA_ROLLED
    for (std::int64_t k = rows.start[slice]; k < rows.start[slice + 1]; ++k)
      {
        const unsigned int part = rows.parts[k * slice_rows + lane];
        if (part != LocalRows<Number>::none)
          sum += sum_of_part(rows, part, own, lower, y);
      }
    return sum;
  }

  template <class Number>
  TESSERA_HOST_DEVICE void
  sweep_row(const CellSweep<Number> &sweep, const int own)
  {
    const Number sum = sum_of_row(sweep.cells, own, sweep.lower, sweep.y) +
                       sum_of_row(sweep.faces, own, sweep.lower, sweep.y);
    sweep.y[own] -= sweep.factor[own] * sum;
  }
} // namespace tessera
