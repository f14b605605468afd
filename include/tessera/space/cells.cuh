#pragma once

#include <tessera/space/coefficient_data.h>
#include <tessera/space/geometry.h>

#include <cstdint>
#include <type_traits>

// This header defines how element mathematics reads its cells. On the device,
// one thread has one cell and values are numbers (DeviceCell); on the host, one
// thread has one batch of cells and values are SIMD vectors (host_cells.h).
// Both kinds have the members load, store, vertices and coefficient.
namespace tessera
{
  /// Adds the members that both kinds of cells implement in the same way.
  template <class Derived, class T, class Number>
  struct CellAccess
  {
    /// Sets k[c] to component c of the coefficient at the cell's point `q`, for
    /// any kind of coefficient.
    template <int n_components>
    TESSERA_HOST_DEVICE void
    coefficient(const CoefficientView<Number> &view, const int q,
                T (&k)[n_components]) const
    {
      if (view.is_uniform())
        coefficient_known<true>(view, q, k);
      else
        coefficient_known<false>(view, q, k);
    }

    /// Does the same for kernels that know at compile time whether the
    /// coefficient is uniform.
    template <bool uniform, int n_components>
    TESSERA_HOST_DEVICE void
    coefficient_known(const CoefficientView<Number> &view, const int q,
                      T (&k)[n_components]) const
    {
      TESSERA_UNROLL
      for (int c = 0; c < n_components; ++c)
        if constexpr (uniform)
          k[c] = T(view.uniform[c]);
        else
          k[c] = derived().load(view.values, view.n_entries,
                                q * view.point_stride + c);
    }

  private:
    TESSERA_HOST_DEVICE const Derived &
    derived() const
    {
      return static_cast<const Derived &>(*this);
    }
  };

  /// Reads the coordinates of a point. In the plane, the address must be
  /// aligned to a pair of numbers, which is read by one load.
  template <class Number>
  TESSERA_HOST_DEVICE void
  read_point(const Number *from, Number (&pair)[2])
  {
#ifdef __CUDA_ARCH__
    using Pair =
      std::conditional_t<std::is_same<Number, double>::value, double2, float2>;
    const Pair value = __ldg(reinterpret_cast<const Pair *>(from));
    pair[0]          = value.x;
    pair[1]          = value.y;
#else
    pair[0] = from[0];
    pair[1] = from[1];
#endif
  }

  template <class Number>
  TESSERA_HOST_DEVICE void
  read_point(const Number *from, Number (&x)[3])
  {
    TESSERA_UNROLL
    for (int d = 0; d < 3; ++d)
      x[d] = read_only(from + d);
  }

  /// The geometry of a cell, computed from its vertices or read from stored
  /// Jacobians as the data say at run time. It saves an instantiation in
  /// kernels where a test at every point costs little; other kernels use
  /// `with_geometry`.
  template <class E, class Cells, class Number>
  struct AnyGeometry
  {
    using T = typename Cells::Value;

    T x[E::n_vertices][E::dim];
    StoredGeometry<E, Cells, Number> stored;

    TESSERA_HOST_DEVICE
    AnyGeometry(const Cells &cell, const CellView<Number> &view)
      : stored{cell, view.jacobians, view.n_jacobian_entries,
               view.jacobian_point_stride}
    {
      if (stored.jacobians == nullptr)
        cell.vertices(view, x);
    }

    template <class Tables, class... Point>
    TESSERA_HOST_DEVICE void
    jacobian_at(T (&j)[E::dim][E::dim], const Tables &element,
                const Point... q) const
    {
      if (stored.jacobians != nullptr)
        stored.jacobian(element, q..., j);
      else
        VertexGeometry<E, T>(x).jacobian(element, q..., j);
    }

    template <class Tables>
    TESSERA_HOST_DEVICE void
    jacobian(const Tables &element, const int q, T (&j)[E::dim][E::dim]) const
    {
      jacobian_at(j, element, q);
    }

    template <class Tables>
    TESSERA_HOST_DEVICE void
    jacobian(const Tables &element, const int q0, const int q1,
             T (&j)[E::dim][E::dim]) const
    {
      jacobian_at(j, element, q0, q1);
    }

    template <class Tables>
    TESSERA_HOST_DEVICE void
    jacobian(const Tables &element, const int q0, const int q1, const int q2,
             T (&j)[E::dim][E::dim]) const
    {
      jacobian_at(j, element, q0, q1, q2);
    }
  };

  /// Calls `run(stored)` with a compile-time constant that is true if Jacobians
  /// are stored. Use it to choose a kernel for `with_geometry`.
  template <class Number, class Run>
  TESSERA_HOST void
  on_geometry(const CellView<Number> &cells, const Run &run)
  {
    if (cells.jacobians != nullptr)
      run(std::true_type());
    else
      run(std::false_type());
  }

  /// Calls `work(geometry)` with the geometry of `cell`. The template argument
  /// `stored` says whether it is read from stored Jacobians or computed from
  /// the vertices.
  template <class E, bool stored, class Cells, class Number, class Work>
  TESSERA_HOST_DEVICE void
  with_geometry(const Cells &cell, const CellView<Number> &view,
                const Work &work)
  {
    if constexpr (stored)
      work(StoredGeometry<E, Cells, Number>{cell, view.jacobians,
                                            view.n_jacobian_entries,
                                            view.jacobian_point_stride});
    else
      {
        typename Cells::Value x[E::n_vertices][E::dim];
        cell.vertices(view, x);
        work(VertexGeometry<E, typename Cells::Value>(x));
      }
  }

  /// The cell of one device thread; its lane in the batch is fixed.
  template <class Number>
  struct DeviceCell : CellAccess<DeviceCell<Number>, Number, Number>
  {
    using Value                = Number;
    static constexpr int lanes = 32;

    std::int64_t batch;
    int lane;
    /// The cell whose vertices are read: this cell, or the last one of the
    /// space if this cell is padding.
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

    /// Returns the position of an entry of this cell in
    /// [n_batches][n_entries][lanes].
    TESSERA_HOST_DEVICE std::int64_t
    place(const int n_entries, const int entry) const
    {
      return (batch * n_entries + entry) * lanes + lane;
    }

    template <class Entry>
    TESSERA_HOST_DEVICE Entry
    load(const Entry *array, const int n_entries, const int entry) const
    {
      return read_only(array + place(n_entries, entry));
    }

    /// Does the same for an array that the kernel writes.
    TESSERA_HOST_DEVICE Number
    load_written(const Number *array, const int n_entries,
                 const int entry) const
    {
      return array[place(n_entries, entry)];
    }

    TESSERA_HOST_DEVICE void
    store(Number *array, const int n_entries, const int entry,
          const Number value) const
    {
      array[place(n_entries, entry)] = value;
    }

    /// Reads a component of a vector, [node][component], at node i.
    template <int n_nodes, int n_components>
    TESSERA_HOST_DEVICE Number
    value_at_node(const CellView<Number> &view, const Number *x, const int i,
                  const int component) const
    {
      return read_only(x + n_components * load(view.dofs, n_nodes, i) +
                       component);
    }

    template <int n_vertices, int dim>
    TESSERA_HOST_DEVICE void
    vertices(const CellView<Number> &view, Number (&x)[n_vertices][dim]) const
    {
      TESSERA_UNROLL
      for (int v = 0; v < n_vertices; ++v)
        vertex<n_vertices>(view, v, x[v]);
    }

    template <int n_vertices, int dim>
    TESSERA_HOST_DEVICE void
    vertex(const CellView<Number> &view, const int v, Number (&x)[dim]) const
    {
      read_point(view.coordinates + dim * static_cast<std::int64_t>(
                                            vertex_index<n_vertices>(view, v)),
                 x);
    }

    /// Computes the coefficients of a hexahedron's map for coordinate d.
    TESSERA_HOST_DEVICE void
    trilinear_map(const CellView<Number> &view, const int d,
                  Number (&f)[n_map_entries]) const
    {
      Number x[8];
      TESSERA_UNROLL
      for (int v = 0; v < 8; ++v)
        x[v] =
          read_only(view.coordinates + d +
                    3 * static_cast<std::int64_t>(vertex_index<8>(view, v)));
      trilinear_coefficients(x, f);
    }

    template <int n_vertices>
    TESSERA_HOST_DEVICE int
    vertex_index(const CellView<Number> &view, const int v) const
    {
      return read_only(view.vertices +
                       (shape / lanes * n_vertices + v) * lanes +
                       shape % lanes);
    }
  };
} // namespace tessera
