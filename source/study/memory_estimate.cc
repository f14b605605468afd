#include <tessera/base/error.h>
#include <tessera/base/host_memory.h>
#include <tessera/base/runtime.h>
#include <tessera/operators/descriptor.h>
#include <tessera/study/memory_estimate.h>
#include <tessera/study/table.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace tessera::study
{
  namespace
  {
    constexpr double mebibyte = 1024. * 1024.;

    /// Counts per cell of a large mesh; those of MemoryCounts mean the same.
    struct Counts
    {
      double triangulation; ///< bytes, measured with deal.II 9.4.1
      double vertices;
      double dofs, nonzeros, longest_row, most_cells;
    };

    Counts
    counts(const CellType type, const int p)
    {
      // Tensor products have p degrees of freedom per direction; the rows of a
      // line hold p - 1 times p + 1 entries and once 2 p + 1. For simplices,
      // the mean numbers of neighbours of vertices and edges are those of a
      // mesh with one half (a fifth) as many vertices as cells; the longest row
      // is that of a vertex with 8 (30) cells.
      switch (type)
        {
          case CellType::hexahedron:
            return {650,
                    1,
                    std::pow(p, 3.),
                    std::pow(p * (p + 2.), 3.),
                    std::pow(2. * p + 1, 3.),
                    8};
          case CellType::triangle:
            return {300,
                    0.5,
                    p == 1 ? 0.5 : 2.,
                    p == 1 ? 3.5 : 23.,
                    p == 1 ? 9. : 25.,
                    8};
          case CellType::tetrahedron:
            return {450,
                    0.2,
                    p == 1 ? 0.2 : 1.4,
                    p == 1 ? 3. : 40.,
                    p == 1 ? 18. : 80.,
                    30};
          default:
            return {400,
                    1,
                    p * 1. * p,
                    std::pow(p * (p + 2.), 2.),
                    std::pow(2. * p + 1, 2.),
                    4};
        }
    }

    std::string
    mebibytes(const double bytes)
    {
      return format_count(std::llround(std::ceil(bytes / mebibyte))) + " MiB";
    }

    std::string
    short_mebibytes(const double bytes)
    {
      return bytes < 100 * mebibyte ? format(bytes / mebibyte) + " MiB"
                                    : mebibytes(bytes);
    }
  } // namespace


  MemoryEstimate::MemoryEstimate(const CaseSize &size)
  {
    const CellType type = size.cell_type;
    const Counts c      = counts(type, size.degree);
    const double n = n_nodes(type, size.degree), v = n_vertices(type),
                 nq = n_points(type, size.degree), dim = dimension(type),
                 s = size.number_bytes, nc = size.n_components;
    const double geometry = size.geometry == Geometry::quadrature
                              ? nq * (dim * dim + dim)
                            : size.geometry == Geometry::affine ? dim * dim
                                                                : 0.;
    n_dofs                = size.n_cells * c.dofs * nc;
    mesh                  = size.n_cells * (c.triangulation + 8 * n * nc);
    arrays                = size.n_cells *
             (2 * (4 * n + 4 * v + 8 * dim * c.vertices) +
              (size.geometry == Geometry::quadrature ? 16 : 0) * geometry +
              8 * nq * size.n_varying + 30 * c.dofs * nc + 4);
    cells          = size.n_cells * (4 * n + 4 * v + s * dim * c.vertices +
                            s * geometry + s * nq * size.n_varying);
    vectors        = 7 * s * n_dofs;
    preconditioner = s * n_dofs;
    coloring       = 0;
    const OperatorDescriptor &op = descriptor(size.operator_name);
    const MemoryCounts per_cell  = {
       type,       size.degree,   size.geometry, s,           n, c.dofs,
       c.nonzeros, c.longest_row, c.most_cells,  size.n_cells};
    if (size.preconditioner == "ssor")
      {
        // Colouring needs the pattern, sets and queues of rows. SSOR stores
        // entries beside the diagonal, or two indices per node of a cell and a
        // factor per row; also places and three vectors, one of which is the
        // solver's. Where columns repeat, it copies a consolidated matrix.
        coloring = size.n_cells * nc * (4 * c.nonzeros * nc + 80 * c.dofs);
        preconditioner = (4 + 3 * s) * n_dofs +
                         (op.stores_rows() ? size.n_cells * nc * (s + 4) *
                                               (c.nonzeros * nc - c.dofs)
                                           : size.n_cells * 8 * n + s * n_dofs);
        if (op.repeats_columns)
          preconditioner += n_dofs * (per_cell.places(c.longest_row) + 4);
      }
    const double slots =
      !op.has_pattern()
        ? 0.
        : 2 * n * n + (size.route == Route::gather
                         ? 4 * n + 8 * c.dofs + n * (n + 1) / 2 * s
                         : 0.);
    // An index for each of nc^2 entries is counted, which blocks do not have.
    matrix =
      size.n_cells *
      (slots + (op.memory ? nc * nc * op.memory(per_cell, size.storage) : 0.));
    entities =
      size.n_cells * (op.memory_of_device ? op.memory_of_device(per_cell) : 0.);
  }


  double
  MemoryEstimate::on_backend() const
  {
    return cells + matrix + preconditioner + vectors;
  }


  double
  MemoryEstimate::on_host(const Backend backend) const
  {
    return mesh + arrays + coloring +
           (backend == Backend::host ? on_backend() : 0);
  }


  double
  MemoryEstimate::on_device(const Backend backend) const
  {
    return backend == Backend::host ? 0 : on_backend() + entities;
  }


  void
  MemoryEstimate::print(std::ostream &out, const Backend backend) const
  {
    const std::string place = to_string(backend);
    Table table;
    table.add_column("memory", "", Table::Align::left);
    table.add_column("where", "", Table::Align::left);
    table.add_column("about");
    table.add_row(
      {"mesh and degrees of freedom", "host", short_mebibytes(mesh)});
    table.add_row({"flat arrays", "host", short_mebibytes(arrays)});
    if (coloring > 0)
      table.add_row({"colours of rows", "host", short_mebibytes(coloring)});
    table.add_row({"cells", place, short_mebibytes(cells)});
    const double of_device = backend == Backend::cuda ? entities : 0;
    table.add_row({"operator", place, short_mebibytes(matrix + of_device)});
    table.add_row({"preconditioner", place, short_mebibytes(preconditioner)});
    table.add_row({"vectors", place, short_mebibytes(vectors)});
    table.add_rule();
    table.add_row(
      {"all", "",
       short_mebibytes(mesh + arrays + coloring + on_backend() + of_device)});
    out << table.str();
  }


  void
  MemoryEstimate::check(const std::string &what, const Backend backend,
                        const int device, const std::string &advice) const
  {
    if (n_dofs > std::numeric_limits<int>::max())
      throw DeviceError(what + " has about " +
                        format_count(std::llround(std::min(n_dofs, 9e18))) +
                        " degrees of freedom; legal are at most " +
                        format_count(std::numeric_limits<int>::max()) + '.');
    const auto fits = [&](const double needed, const double free,
                          const std::string &place) {
      if (needed > free)
        throw DeviceError(what + " needs about " + mebibytes(needed) +
                          " on the " + place + ", of which " + mebibytes(free) +
                          " are free; choose " + advice + '.');
    };
    fits(on_host(backend), free_host_memory(), "host");
    if (backend == Backend::cuda)
      fits(on_device(backend), runtime::properties(device).free_bytes,
           "device");
  }
} // namespace tessera::study
