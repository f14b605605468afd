#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/base/host_memory.h>
#include <tessera/base/runtime.h>
#include <tessera/preconditioners/descriptor.h>
#include <tessera/program/memory_estimate.h>
#include <tessera/program/table.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace tessera::program
{
  namespace
  {
    constexpr double mebibyte = 1024. * 1024.;

    /// Counts per cell of a large mesh; the names of MemoryCounts mean the
    /// same.
    struct Counts
    {
      double vertices;
      double dofs, nonzeros, longest_row, most_cells;
    };

    Counts
    counts_of_cell_type(const CellType type, const int p)
    {
      // Tensor products have p degrees of freedom per direction; the rows of a
      // line hold p - 1 times p + 1 entries and once 2 p + 1. For simplices,
      // the mean numbers of neighbours of vertices and edges belong to a mesh
      // with one half (a fifth) as many vertices as cells; the longest row
      // belongs to a vertex with 8 (30) cells.
      switch (type)
        {
          case CellType::hexahedron:
            return {1, std::pow(p, 3.), std::pow(p * (p + 2.), 3.),
                    std::pow(2. * p + 1, 3.), 8};
          case CellType::triangle:
            return {0.5, p == 1 ? 0.5 : 2., p == 1 ? 3.5 : 23.,
                    p == 1 ? 9. : 25., 8};
          case CellType::tetrahedron:
            return {0.2, p == 1 ? 0.2 : 1.4, p == 1 ? 3. : 40.,
                    p == 1 ? 18. : 80., 30};
          default:
            return {1, p * 1. * p, std::pow(p * (p + 2.), 2.),
                    std::pow(2. * p + 1, 2.), 4};
        }
    }

    MemoryCounts
    counts_per_cell(const CaseSize &size, const int degree,
                    const double number_bytes, const double n_cells)
    {
      const CellType type = size.cell_type;
      const Counts c      = counts_of_cell_type(type, degree);
      return {type,
              degree,
              size.geometry,
              number_bytes,
              double(n_nodes(type, degree)),
              c.dofs,
              c.nonzeros,
              c.longest_row,
              c.most_cells,
              n_cells};
    }

    /// Returns the ghosts of one of several parts with so many degrees of
    /// freedom: half of the nodes of its surface, if it is a cube, since a part
    /// owns the other half.
    double
    ghosts_of_part(const CaseSize &size, const double n_dofs)
    {
      const int dim      = dimension(size.cell_type);
      const double nodes = n_dofs / size.n_components;
      return size.n_processes == 1
               ? 0.
               : size.n_components * dim * std::pow(nodes, (dim - 1.) / dim);
    }

    std::string
    count(const double number)
    {
      return format_count(std::llround(std::min(number, 9e18)));
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


  MemoryEstimate::MemoryEstimate(const CaseSize &size) : size(size)
  {
    CaseSize part = size; // of the cells, which this process computes with
    part.n_cells /= size.n_processes;
    const CellType type = size.cell_type;
    const Counts c      = counts_of_cell_type(type, size.degree);
    const double n = n_nodes(type, size.degree), v = n_vertices(type),
                 nq = n_points(type, size.degree), dim = dimension(type),
                 s = size.number_bytes, nc = size.n_components;
    const bool at_points   = size.geometry == Geometry::quadrature;
    const double jacobians = at_points ? nq * dim * dim
                             : size.geometry == Geometry::affine ? dim * dim
                                                                 : 0.;
    // Where no Jacobians are stored, each cell of the host has the coordinates
    // of its vertices. On a device vertices have them, and for degree 1 the
    // index of a node is its vertex's.
    const double coordinates =
      jacobians > 0 ? 0.
      : size.backend == Backend::host
        ? s * dim * v
        : (size.degree > 1 ? 4 * v : 0.) + s * dim * c.vertices;
    n_dofs                 = size.n_cells * c.dofs * nc;
    const double n_of_part = n_dofs / size.n_processes;
    n_ghosts               = ghosts_of_part(size, n_of_part);
    const double n_known   = size.distributed ? part.n_cells : size.n_cells;
    // Half of a mesh besides are the graph of the divider and the share of a
    // process, measured with 262 144 quadrilaterals and 524 288 triangles.
    const bool is_divided = size.has_divider && size.n_processes > 1;
    // Arrays have the corners, material, number and nodes of each cell.
    const double of_arrays = 4 * v + 8 * dim * c.vertices + 12;
    double of_mesh         = size.has_arrays ? of_arrays + 4 * n : 0.;
    whole                  = is_divided ? 1.5 * size.n_cells *
                           (size.library_mesh == LibraryMesh::none
                                               ? of_arrays
                                               : size.library.triangulation)
                                        : 0;
    if (size.library_mesh != LibraryMesh::none)
      of_mesh += size.library.triangulation;
    if (size.library_mesh == LibraryMesh::all)
      of_mesh += size.library.dof * n * nc;
    mesh   = n_known * of_mesh;
    arrays = n_known * (2 * (4 * n + 4 * v + 8 * dim * c.vertices) +
                        (at_points ? 16 * nq * (dim * dim + dim) : 0.) +
                        30 * c.dofs * nc + 4) +
             part.n_cells * 8 * nq * size.n_varying;
    cells = part.n_cells *
            (4 * n + coordinates + s * (jacobians + nq * size.n_varying));
    const auto &M = preconditioner_descriptor(size.preconditioner);
    // The norm of the solver needs the diagonal of A, which may be M.
    vectors = (M.is_diagonal_of_A ? 7 : 8) * s * n_of_part;
    states  = part.n_cells * size.state_bytes;
    // A value in each of the vectors and in a message at either end, and the
    // five indices of the lists by which messages are packed and added up.
    ghosts                       = n_ghosts * ((7 + 2) * s + 5 * sizeof(int));
    const OperatorDescriptor &op = descriptor(size.operator_name);
    const MemoryCounts per_cell =
      counts_per_cell(size, size.degree, s, part.n_cells);
    const auto bytes_of = [&](const OperatorDescriptor &d,
                              const MemoryCounts &of_cell) {
      // An index for each of nc^2 entries is counted, which blocks do not have.
      return d.memory ? part.n_cells * nc * nc * d.memory(of_cell, size.storage)
                      : 0.;
    };
    const bool is_mixed = !size.inner_operator.empty();
    const OperatorDescriptor &of =
      is_mixed ? descriptor(size.inner_operator) : op;
    const double bytes_of_M         = is_mixed ? sizeof(float) : s;
    const PreconditionerCounts of_M = {
      counts_per_cell(size, size.degree, bytes_of_M, part.n_cells),
      counts_per_cell(size, 1, bytes_of_M, part.n_cells),
      size.n_components,
      of,
      op.stores_rows(),
      size.preconditioner_options};
    const PreconditionerMemory bytes_of_cell =
      M.memory ? M.memory(of_M) : PreconditionerMemory{0};
    preconditioner = part.n_cells * bytes_of_cell.stored;
    if (is_mixed)
      preconditioner +=
        bytes_of(of, of_M.cell) + cells / 2 + 2 * sizeof(float) * n_of_part;
    making    = part.n_cells * bytes_of_cell.making;
    what_made = bytes_of_cell.making_of;
    made_on   = bytes_of_cell.made_on_host ? Backend::host : size.backend;
    const double slots =
      !op.has_pattern()
        ? 0.
        : 2 * n * n + (size.route == Route::gather
                         ? 4 * n + 8 * c.dofs + n * (n + 1) / 2 * s
                         : 0.);
    matrix   = part.n_cells * slots + bytes_of(op, per_cell);
    entities = size.backend == Backend::cuda && op.memory_of_device
                 ? part.n_cells * op.memory_of_device(per_cell)
                 : 0.;
  }


  double
  MemoryEstimate::on_backend() const
  {
    return cells + matrix + preconditioner + vectors + ghosts + states;
  }


  double
  MemoryEstimate::on_host() const
  {
    return mesh + arrays + (made_on == Backend::host ? making : 0) +
           (size.backend == Backend::host ? on_backend() : 0);
  }


  double
  MemoryEstimate::on_device() const
  {
    return size.backend == Backend::host
             ? 0
             : on_backend() + entities +
                 (made_on == Backend::host ? 0 : making);
  }


  void
  MemoryEstimate::print(std::ostream &out) const
  {
    const std::string place = to_string(size.backend);
    const int n_processes   = size.n_processes;
    Table table;
    table.add_column(n_processes > 1 ? "memory of a process" : "memory", "",
                     Table::Align::left);
    table.add_column("where", "", Table::Align::left);
    table.add_column("about");
    table.add_row(
      {"mesh and degrees of freedom", "host", short_mebibytes(mesh)});
    table.add_row({"flat arrays", "host", short_mebibytes(arrays)});
    if (making > 0)
      table.add_row({what_made, to_string(made_on), short_mebibytes(making)});
    table.add_row({"cells", place, short_mebibytes(cells)});
    table.add_row({"operator", place, short_mebibytes(matrix + entities)});
    table.add_row({"preconditioner", place, short_mebibytes(preconditioner)});
    table.add_row({"vectors", place, short_mebibytes(vectors)});
    if (n_processes > 1)
      table.add_row({"ghosts", place, short_mebibytes(ghosts)});
    if (states > 0)
      table.add_row({"states", place, short_mebibytes(states)});
    table.add_rule();
    const double all = mesh + arrays + making + on_backend() + entities;
    table.add_row({"all", "", short_mebibytes(all)});
    if (n_processes > 1)
      table.add_row({"all of " + format_count(n_processes) + " processes", "",
                     short_mebibytes(n_processes * all)});
    out << table.str();
    if (whole > 0)
      out << "One process has the whole mesh, about " << short_mebibytes(whole)
          << ", until it is divided.\n";
    if (n_processes > 1 && !size.distributed)
      out << "Every process has the whole mesh with its degrees of freedom and "
             "flat arrays.\n";
  }


  void
  MemoryEstimate::print_largest(std::ostream &out) const
  {
    const int n = size.n_processes;
    out << "The largest case, degree " << size.degree << ", has about "
        << counted(std::llround(size.n_cells), "cell", count(size.n_cells))
        << " and " << counted(std::llround(n_dofs), "degree", count(n_dofs))
        << " of freedom, estimated with the preconditioner "
        << size.preconditioner << ".\n";
    if (n > 1)
      out << "One of " << format_count(n) << " processes has about "
          << count(size.n_cells / n) << " of the cells and " << count(n_ghosts)
          << " ghosts.\n";
    print(out);
  }


  bool
  MemoryEstimate::fits(const int device) const
  {
    try
      {
        check("", device, "");
        return true;
      }
    catch (const DeviceError &)
      {
        return false;
      }
  }


  void
  MemoryEstimate::check(const std::string &what, const int device,
                        const std::string &advice,
                        std::ostream *const out) const
  {
    const auto refuse = [&](const std::string &why) {
      if (out != nullptr)
        print_largest(*out);
      throw DeviceError(what + why);
    };
    if (n_dofs > std::numeric_limits<int>::max())
      refuse(" has about " + count(n_dofs) +
             " degrees of freedom; legal are at most " +
             format_count(std::numeric_limits<int>::max()) + '.');
    const auto fits = [&](const double needed, const double free,
                          const std::string &place) {
      if (needed > free)
        refuse(" needs about " + mebibytes(needed) + " on the " + place +
               ", of which " + mebibytes(free) + " are free; choose " + advice +
               '.');
    };
    const int n_on_host = size.n_on_host;
    fits(std::max(n_on_host * on_host(), whole), free_host_memory(),
         n_on_host == 1 ? "host"
                        : "host for " + format_count(n_on_host) + " processes");
    if (size.backend == Backend::cuda)
      fits(on_device(), runtime::properties(device).free_bytes, "device");
  }
} // namespace tessera::program
