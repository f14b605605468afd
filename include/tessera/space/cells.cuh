#pragma once

#include <tessera/forms/coefficient_data.h>
#include <tessera/space/geometry.h>

#include <cstdint>

// How element mathematics reads its cell: one cell a thread on the device
// (values are numbers); one batch of cells on the host (values are vectors),
// in host_cells.h. Both know load, store, vertices and coefficient.
namespace tessera
{
  /// Adds what both kinds of cells do the same way.
  template <class Derived, class T, class Number>
  struct CellAccess
  {
    /// The coefficient of the cell's point `q` of `n_points`.
    template <int n_components>
    TESSERA_HOST_DEVICE void
    coefficient(const CoefficientView<Number> &view, const int n_points,
                const int q, T (&k)[n_components]) const
    {
      TESSERA_UNROLL
      for (int c = 0; c < n_components; ++c)
        if (view.kind == Coefficient::Kind::uniform)
          k[c] = T(view.uniform[c]);
        else if (view.kind == Coefficient::Kind::per_cell)
          k[c] = derived().load(view.values, n_components, c);
        else
          k[c] = derived().load(view.values, n_points * n_components,
                                q * n_components + c);
    }

  private:
    TESSERA_HOST_DEVICE const Derived &
    derived() const
    {
      return static_cast<const Derived &>(*this);
    }
  };

  template <class Number>
  struct DeviceCell : CellAccess<DeviceCell<Number>, Number, Number>
  {
    using Value                = Number;
    static constexpr int lanes = 32;

    std::int64_t batch;
    int lane;
    /// Where the geometry stands: the cell, or the last one where this is
    /// padding.
    std::int64_t shape;

    TESSERA_HOST_DEVICE
    DeviceCell(const CellView<Number> &view, const std::int64_t cell)
      : batch(cell / lanes), lane(static_cast<int>(cell % lanes)),
        shape(cell < view.n_cells ? cell : view.n_cells - 1)
    {}

    TESSERA_HOST_DEVICE bool
    is_padding(const CellView<Number> &view) const
    {
      return batch * lanes + lane >= view.n_cells;
    }

    /// Place of an entry of this cell in [n_batches][n_entries][lanes].
    TESSERA_HOST_DEVICE std::int64_t
    place(const int n_entries, const int entry) const
    {
      return (batch * n_entries + entry) * lanes + lane;
    }

    template <class Entry>
    TESSERA_HOST_DEVICE Entry
    load(const Entry *array, const int n_entries, const int entry) const
    {
      return array[place(n_entries, entry)];
    }

    TESSERA_HOST_DEVICE void
    store(Number *array, const int n_entries, const int entry,
          const Number value) const
    {
      array[place(n_entries, entry)] = value;
    }

    TESSERA_HOST_DEVICE void
    vertices(const CellView<Number> &view, Number (&x)[4][2]) const
    {
      struct alignas(2 * sizeof(Number)) Point
      {
        Number x[2];
      };
      const Point *points = reinterpret_cast<const Point *>(view.coordinates);
      TESSERA_UNROLL
      for (int v = 0; v < 4; ++v)
      {
        const Point point =
          points[view
                   .vertices[(shape / lanes * 4 + v) * lanes + shape % lanes]];
        x[v][0] = point.x[0];
        x[v][1] = point.x[1];
      }
    }
  };
} // namespace tessera
