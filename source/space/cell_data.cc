#include <tessera/base/device_memory.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/base/target.h>
#include <tessera/space/cell_data.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "../base/convert.cuh"

namespace tessera
{
  namespace
  {
    /// Cells of a block on the host: enough work for a thread, and few enough
    /// that a colour has many blocks.
    constexpr int host_cells_per_block = 256;

    /// Fills an array of the backend: `write` gets memory of the host, which
    /// is the array itself where it can be.
    template <class T, class Write>
    Array<T>
    filled(const Backend backend, const std::size_t n, const Write &write)
    {
      if (backend == Backend::host)
        {
          Array<T> result(backend, n);
          write(result.data());
          return result;
        }
      auto values = parallel_vector<T>(n);
      write(values.data());
      return Array<T>(backend, values);
    }

    template <class T>
    std::shared_ptr<const Array<T>>
    share(Array<T> array)
    {
      return std::make_shared<const Array<T>>(std::move(array));
    }

    /// Converts [n_cells][n_entries] to [n_batches][n_entries][lanes].
    /// `from(cell, buffer)` returns the entries of a cell, for which the buffer
    /// has room. Cells beyond the last one are copies of it.
    template <class To, class From>
    void
    interleave(To *const to, const From &from, const int n_cells,
               const int n_entries, const int n_batches, const int lanes)
    {
#pragma omp parallel
      {
        std::vector<double> buffer(n_entries);
#pragma omp for schedule(static)
        for (int batch = 0; batch < n_batches; ++batch)
          for (int lane = 0; lane < lanes; ++lane)
            {
              const auto *const entries =
                from(std::min(static_cast<std::int64_t>(batch) * lanes + lane,
                              static_cast<std::int64_t>(n_cells) - 1),
                     buffer.data());
              for (int e = 0; e < n_entries; ++e)
                to[(static_cast<std::size_t>(batch) * n_entries + e) * lanes +
                   lane] = static_cast<To>(entries[e]);
            }
      }
    }

    template <class To, class From>
    Array<To>
    interleaved(const Backend backend, const From &from, const int n_cells,
                const int n_entries, const int n_batches, const int lanes)
    {
      return filled<To>(
        backend, static_cast<std::size_t>(n_batches) * n_entries * lanes,
        [&](To *const to) {
          interleave(to, from, n_cells, n_entries, n_batches, lanes);
        });
    }

    /// Returns how entries are found that stand cell by cell.
    template <class T>
    auto
    cell_by_cell(const std::vector<T> &values, const int n_entries)
    {
      return [&values, n_entries](const std::int64_t cell, double *) {
        return values.data() + cell * n_entries;
      };
    }

    /// Returns [n_cells][dim][dim]; columns are the edges at vertex 0.
    std::vector<double>
    affine_jacobians(const Space &space)
    {
      const int dim        = space.dim();
      const std::size_t nv = space.vertices_per_cell();
      std::vector<double> result(static_cast<std::size_t>(space.n_cells()) *
                                 dim * dim);
#pragma omp parallel for
      for (int cell = 0; cell < space.n_cells(); ++cell)
        for (int k = 0; k < dim; ++k)
          {
            const int v        = is_simplex(space.cell_type) ? k + 1 : 1 << k;
            const int *corners = space.cell_vertices.data() + nv * cell;
            for (int i = 0; i < dim; ++i)
              result[(static_cast<std::size_t>(cell) * dim + i) * dim + k] =
                space.vertices[static_cast<std::size_t>(corners[v]) * dim + i] -
                space.vertices[static_cast<std::size_t>(corners[0]) * dim + i];
          }
      return result;
    }
  } // namespace

  template <class Number>
  CellData<Number>::CellData(std::shared_ptr<const Space> space,
                             const Backend backend,
                             std::shared_ptr<const Array<int>> dofs)
    : host_space(std::move(space)), where(backend),
      n_lanes(tessera::lanes<Number>(backend)),
      block_batches(
        (backend == Backend::cuda ? device_threads : host_cells_per_block) /
        n_lanes),
      batches((host_space->n_cells() + block_batches * n_lanes - 1) /
              (block_batches * n_lanes) * block_batches),
      dofs(std::move(dofs)), fixed_components(*host_space, backend)
  {
    const Space &s = *host_space;
    if (s.n_hanging > 0)
      own_tail = std::make_shared<HangingNodes<Number>>(s, backend);
    else
      own_tail = std::make_shared<HomogeneousTail<Number>>();
  }

  template <class Number>
  CellData<Number>::CellData(std::shared_ptr<const Space> space,
                             const Backend backend)
    : CellData(std::move(space), backend, nullptr)
  {
    const Space &s    = *host_space;
    const int n_cells = s.n_cells();
    const int n       = s.dofs_per_cell();

    dofs = share(filled<int>(
      where, std::size_t(n) * batches * n_lanes, [&](int *const packed) {
        interleave(packed, cell_by_cell(s.cell_dofs, n), n_cells, n, batches,
                   n_lanes);
        for (std::int64_t cell = n_cells;
             cell < static_cast<std::int64_t>(batches) * n_lanes; ++cell)
          for (int i = 0; i < n; ++i)
            packed[(cell / n_lanes * n + i) * n_lanes + cell % n_lanes] =
              s.padding_index();
      }));

    if (!s.cell_vertices.empty())
      set_geometry();
  }

  template <class Number>
  CellData<Number>::CellData(std::shared_ptr<const Space> space,
                             std::shared_ptr<const Array<int>> dofs_in,
                             std::shared_ptr<const Array<int>> vertices_in,
                             std::shared_ptr<const Array<Number>> points)
    : CellData(std::move(space), Backend::cuda, std::move(dofs_in))
  {
    vertices    = std::move(vertices_in);
    coordinates = std::move(points);
  }

  template <class Number>
  template <class Other>
  CellData<Number>::CellData(const CellData<Other> &other)
    : CellData(other.host_space, other.where,
               other.where == Backend::cuda ? other.dofs : nullptr)
  {
    if (where == Backend::host)
      {
        *this = CellData(other.host_space, where);
        if (block_batches * n_lanes == other.block_batches * other.n_lanes)
          lazy_colors = other.lazy_colors;
        return;
      }
    const auto converted = [&](const Array<Other> &from) {
      Array<Number> to(where, from.size());
      for_each(where, static_cast<std::int64_t>(from.size()),
               Conversion<Number, Other>{to.data(), from.data(), 1.});
      return to;
    };
    vertices = other.vertices;
    if (other.coordinates)
      coordinates = share(converted(*other.coordinates));
    jacobians        = converted(other.jacobians);
    lazy_colors      = other.lazy_colors;
    lazy_shared      = other.lazy_shared;
    lazy_block_nodes = other.lazy_block_nodes;
    internal::finish_arrays(where);
  }

  template <class Number>
  void
  CellData<Number>::set_geometry()
  {
    const Space &s    = *host_space;
    const int n_cells = s.n_cells();
    const int dim = s.dim(), nv = s.vertices_per_cell();
    if (s.geometry == Geometry::quadrature)
      jacobians = pack(s.jacobians, s.points_per_cell() * dim * dim);
    else if (s.geometry == Geometry::affine)
      jacobians = pack(affine_jacobians(s), dim * dim);
    else if (where == Backend::cuda)
      {
        if (s.degree > 1)
          vertices =
            share(interleaved<int>(where, cell_by_cell(s.cell_vertices, nv),
                                   n_cells, nv, batches, n_lanes));
        if constexpr (std::is_same_v<Number, double>)
          coordinates = share(Array<Number>(where, s.vertices));
        else
          coordinates = share(
            filled<Number>(where, s.vertices.size(), [&](Number *const to) {
#pragma omp parallel for schedule(static)
              for (std::size_t i = 0; i < s.vertices.size(); ++i)
                to[i] = static_cast<Number>(s.vertices[i]);
            }));
      }
    else
      coordinates = share(interleaved<Number>(
        where,
        [&](const std::int64_t cell, double *const buffer) {
          const int *const corner = &s.cell_vertices[std::size_t(nv) * cell];
          for (int v = 0; v < nv; ++v)
            std::copy_n(&s.vertices[static_cast<std::size_t>(corner[v]) * dim],
                        dim, buffer + v * dim);
          return buffer;
        },
        n_cells, nv * dim, batches, n_lanes));
  }

  template <class Number>
  CellView<Number>
  CellData<Number>::view(const Conflict conflict) const
  {
    CellView<Number> view;
    view.n_cells            = host_space->n_cells();
    view.n_dofs_per_cell    = host_space->dofs_per_cell();
    view.dofs               = dofs->data();
    view.vertices           = vertices ? vertices->data() : dofs->data();
    view.coordinates        = coordinates ? coordinates->data() : nullptr;
    view.jacobians          = jacobians.data();
    view.n_jacobian_entries = host_space->dim() * host_space->dim() *
                              (host_space->geometry == Geometry::quadrature
                                 ? host_space->points_per_cell()
                                 : 1);
    view.jacobian_point_stride = host_space->geometry == Geometry::quadrature
                                   ? host_space->dim() * host_space->dim()
                                   : 0;
    view.cell_color            = nullptr;
    view.n_cell_colors         = 0;
    if (conflict == Conflict::coloring && where == Backend::cuda)
      {
        view.cell_color    = colors().of_cell.data();
        view.n_cell_colors = colors().coloring.n_cell_colors;
      }
    return view;
  }

  template <class Number>
  std::vector<BlockList>
  CellData<Number>::launches(const Conflict conflict,
                             const CellRange range) const
  {
    const int n_interior =
      host_space->n_interior_cells / (block_batches * n_lanes);
    const int half  = n_interior / 2;
    const int first = range == CellRange::boundary      ? n_interior
                      : range == CellRange::second_half ? half
                                                        : 0;
    const int last =
      range == CellRange::first_half ? half
      : range == CellRange::interior || range == CellRange::second_half
        ? n_interior
        : n_blocks();
    if (conflict != Conflict::coloring)
      return {{nullptr, first, last - first}};

    // Blocks of a colour are sorted, so a range of blocks is contiguous.
    std::vector<BlockList> lists;
    const Coloring &coloring = colors().coloring;
    for (int c = 0; c < coloring.n_block_colors(); ++c)
      {
        const auto begin = coloring.blocks.begin() + coloring.block_start[c];
        const auto end  = coloring.blocks.begin() + coloring.block_start[c + 1];
        const auto from = std::lower_bound(begin, end, first);
        const auto to   = std::lower_bound(from, end, last);
        if (from != to)
          lists.push_back({colors().blocks.data(),
                           static_cast<int>(from - coloring.blocks.begin()),
                           static_cast<int>(to - from)});
      }
    return lists;
  }

  template <class Number>
  const CellColors &
  CellData<Number>::colors() const
  {
    if (!lazy_colors)
      {
        auto found      = std::make_shared<CellColors>();
        found->coloring = color(*host_space, block_batches * n_lanes);
        found->blocks   = Array<int>(where, found->coloring.blocks);
        std::vector<unsigned char> of_cell = found->coloring.cell_color;
        // Cells that fill up a block share one entry: their colour has no turn.
        of_cell.resize(
          static_cast<std::size_t>(batches) * n_lanes,
          static_cast<unsigned char>(found->coloring.n_cell_colors));
        found->of_cell = Array<unsigned char>(where, of_cell);
        lazy_colors    = std::move(found);
      }
    return *lazy_colors;
  }

  template <class Number>
  const Coloring &
  CellData<Number>::coloring() const
  {
    return colors().coloring;
  }

  template <class Number>
  const CellEntities<Number> &
  CellData<Number>::entities() const
  {
    if (!lazy_entities)
      lazy_entities = std::make_unique<CellEntities<Number>>(*this);
    return *lazy_entities;
  }

  template <class Number>
  const BlockNodes &
  CellData<Number>::block_nodes() const
  {
    const bool suits =
      where == Backend::cuda && host_space->cell_type == CellType::tetrahedron;
    if (!lazy_block_nodes)
      lazy_block_nodes = std::make_shared<const BlockNodes>(
        !suits ? BlockNodes()
               : BlockNodes(*dofs, vertices.get(), host_space->n_cells(),
                            host_space->dofs_per_cell(),
                            host_space->vertices_per_cell()));
    return *lazy_block_nodes;
  }

  template <class Number>
  const SharedEntries &
  CellData<Number>::shared_entries() const
  {
    if (!lazy_shared)
      lazy_shared = std::make_shared<const SharedEntries>(*host_space, where);
    return *lazy_shared;
  }

  template <class Number>
  Array<Number>
  CellData<Number>::pack(const std::vector<double> &values,
                         const int n_entries) const
  {
    return interleaved<Number>(where, cell_by_cell(values, n_entries),
                               host_space->n_cells(), n_entries, batches,
                               n_lanes);
  }

  template <class Number>
  std::size_t
  CellData<Number>::bytes() const
  {
    std::size_t bytes = dofs->bytes() + jacobians.bytes();
    if (vertices)
      bytes += vertices->bytes();
    if (coordinates)
      bytes += coordinates->bytes();
    if (lazy_colors)
      bytes += lazy_colors->blocks.bytes() + lazy_colors->of_cell.bytes();
    return bytes;
  }

  template <class Number>
  Vector<Number>
  CellData<Number>::make_vector() const
  {
    const int n = host_space->n_components;
    return Vector<Number>(where, host_space->n_owned * n,
                          host_space->n_tail() * n);
  }

  template class CellData<double>;
  template class CellData<float>;
  template CellData<double>::CellData(const CellData<float> &);
  template CellData<float>::CellData(const CellData<double> &);
} // namespace tessera
