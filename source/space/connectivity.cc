#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/space/connectivity.h>
#include <tessera/space/reference_cell.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace tessera
{
  namespace
  {
    constexpr double affine_tolerance = 1e-10;

    void
    require(const bool condition, const std::string &sentence)
    {
      if (!condition)
        throw MeshError(sentence);
    }

    void
    require_size(const std::size_t size, const std::size_t expected,
                 const std::string &name)
    {
      require(size == expected,
              "The mesh has " + std::to_string(size) + " entries of " + name +
                ", but its counts ask for " + std::to_string(expected) + ".");
    }

    template <int dim>
    double
    determinant(const double *const j)
    {
      if constexpr (dim == 2)
        return j[0] * j[3] - j[1] * j[2];
      else
        return j[0] * (j[4] * j[8] - j[5] * j[7]) -
               j[1] * (j[3] * j[8] - j[5] * j[6]) +
               j[2] * (j[3] * j[7] - j[4] * j[6]);
    }

    /// Returns the smallest det J of a cell: of the map from its vertices, at
    /// points with the given `vertex_gradients`, or of its stored Jacobians.
    template <int dim>
    double
    smallest_determinant(const Connectivity &mesh, const int cell,
                         const std::vector<double> &gradients)
    {
      const std::size_t nv = mesh.vertices_per_cell();
      double smallest      = std::numeric_limits<double>::infinity();
      if (mesh.geometry == Geometry::quadrature)
        {
          const int nq = mesh.points_per_cell();
          for (int q = 0; q < nq; ++q)
            smallest = std::min(
              smallest,
              determinant<dim>(
                &mesh.jacobians[(std::size_t(cell) * nq + q) * dim * dim]));
          return smallest;
        }
      const int *const corner = &mesh.cell_vertices[nv * cell];
      const auto x            = [&](const std::size_t v, const int a) {
        return mesh.vertices[dim * std::size_t(corner[v]) + a];
      };
      if (!is_simplex(mesh.cell_type)) // columns of J are edges
        {
          for (std::size_t v = 0; v < nv; ++v)
            {
              double j[dim * dim];
              for (int b = 0; b < dim; ++b)
                for (int a = 0; a < dim; ++a)
                  j[a * dim + b] = x(v | std::size_t(1) << b, a) -
                                   x(v & ~(std::size_t(1) << b), a);
              smallest = std::min(smallest, determinant<dim>(j));
            }
          return smallest;
        }
      for (std::size_t k = 0; k < gradients.size(); k += nv * dim)
        {
          double j[dim * dim] = {};
          for (std::size_t v = 0; v < nv; ++v)
            for (int a = 0; a < dim; ++a)
              for (int b = 0; b < dim; ++b)
                j[a * dim + b] += x(v, a) * gradients[k + v * dim + b];
          smallest = std::min(smallest, determinant<dim>(j));
        }
      return smallest;
    }

    double
    smallest_determinant(const Connectivity &mesh, const int cell,
                         const std::vector<double> &gradients)
    {
      return mesh.dim() == 2 ? smallest_determinant<2>(mesh, cell, gradients)
                             : smallest_determinant<3>(mesh, cell, gradients);
    }

    /// Returns how far a cell is from an affine image of its reference cell,
    /// relative to its size.
    double
    distance_from_affine(const Connectivity &mesh, const int cell)
    {
      const int dim        = mesh.dim();
      const std::size_t nv = mesh.vertices_per_cell();
      double distance = 0, size = 0;
      for (int d = 0; d < dim; ++d)
        {
          const auto x = [&](const std::size_t v) {
            return mesh
              .vertices[dim * std::size_t(mesh.cell_vertices[nv * cell + v]) +
                        d];
          };
          for (std::size_t v = 0; v < nv && !is_simplex(mesh.cell_type); ++v)
            {
              double expected = x(0);
              for (int b = 0; b < dim; ++b)
                if (v >> b & 1)
                  expected += x(std::size_t(1) << b) - x(0);
              distance = std::max(distance, std::abs(expected - x(v)));
              size     = std::max(size, std::abs(x(v) - x(0)));
            }
        }
      return distance == 0 ? 0 : distance / size;
    }

    bool
    in_range(const int *indices, const int n, const int end)
    {
      return std::all_of(indices, indices + n,
                         [end](const int i) { return i >= 0 && i < end; });
    }

    /// Throws MeshError if a hanging node is free in part or follows from
    /// another one.
    void
    check_hanging(const Connectivity &mesh)
    {
      const LinearConstraints &hanging = mesh.hanging;
      const int n = hanging.size(), end = mesh.n_dofs * mesh.n_components;
      const auto n_sources = static_cast<int>(hanging.source.size());
      const bool fits =
        n == 0 ? hanging.start.size() <= 1
               : hanging.start.size() == std::size_t(n) + 1 &&
                   hanging.start.front() == 0 &&
                   std::is_sorted(hanging.start.begin(), hanging.start.end()) &&
                   hanging.start.back() == n_sources;
      require(fits && hanging.weight.size() == hanging.source.size() &&
                in_range(hanging.entry.data(), n, end) &&
                in_range(hanging.source.data(), n_sources, end),
              "The constraints of hanging nodes do not fit the mesh.");
      if (n == 0)
        return;
      std::vector<char> follows(end, 0), hangs(mesh.n_dofs, 0);
      for (const int entry : hanging.entry)
        {
          require(!follows[entry] && !mesh.constrained[entry],
                  "Component " + std::to_string(entry % mesh.n_components) +
                    " of node " + std::to_string(entry / mesh.n_components) +
                    " is constrained twice.");
          follows[entry] = hangs[entry / mesh.n_components] = 1;
        }
      for (int entry = 0; entry < end; ++entry)
        require(!hangs[entry / mesh.n_components] || follows[entry] ||
                  mesh.constrained[entry],
                "Node " + std::to_string(entry / mesh.n_components) +
                  " hangs in one component and is free in another, but must "
                  "hang or be given in all of them.");
      for (const int source : hanging.source)
        require(!hangs[source / mesh.n_components],
                "A hanging node follows from node " +
                  std::to_string(source / mesh.n_components) +
                  ", which hangs itself.");
    }
  } // namespace


  void
  Connectivity::check() const
  {
    const int highest = max_degree(cell_type), nv = vertices_per_cell();
    require(dim() > 1, "The cells of the mesh are lines.");
    require(degree >= 1 && degree <= highest,
            "The degree of the mesh of cell type " + to_string(cell_type) +
              " is " + std::to_string(degree) + ", legal are 1 to " +
              std::to_string(highest) + ".");
    require(!cell_vertices.empty(), "The mesh has no cells.");
    require(cell_vertices.size() % nv == 0,
            "The mesh has " + std::to_string(cell_vertices.size()) +
              " entries of cell_vertices, which is not a multiple of " +
              std::to_string(nv) + ".");
    require(cell_vertices.size() / nv <=
                std::size_t(std::numeric_limits<int>::max()) &&
              n_dofs >= 0 && n_dofs < std::numeric_limits<int>::max() &&
              n_vertices >= 0,
            "The counts of the mesh do not fit 32 bits.");
    const int n             = dofs_per_cell();
    const std::size_t count = cell_vertices.size() / nv;
    require_size(cell_dofs.size(), count * n, "cell_dofs");
    require_size(vertices.size(), dim() * std::size_t(n_vertices), "vertices");
    require(n_components >= 1 && n_components <= 3,
            "The nodes of the mesh have " + std::to_string(n_components) +
              " components, legal are 1 to 3.");
    require((std::int64_t(n_dofs) + 1) * n_components <
              std::numeric_limits<int>::max(),
            "The counts of the mesh do not fit 32 bits.");
    require_size(constrained.size(), std::size_t(n_dofs) * n_components,
                 "constrained");
    check_hanging(*this);
    const std::size_t n_stored =
      geometry == Geometry::quadrature ? count * points_per_cell() * dim() : 0;
    require_size(points.size(), n_stored, "points");
    require_size(jacobians.size(), n_stored * dim(), "jacobians");

    bool finite = true;
#pragma omp parallel for schedule(static) reduction(&& : finite)
    for (std::size_t i = 0; i < vertices.size(); ++i)
      finite = finite && std::isfinite(vertices[i]);
    require(finite, "The mesh has a vertex whose coordinates are not finite.");

    const std::vector<double> gradients =
      vertex_gradients(cell_type, reference_vertices(cell_type));
    const int end = n_cells();
    int first_bad = end;
#pragma omp parallel for schedule(static) reduction(min : first_bad)
    for (int c = 0; c < end; ++c)
      {
        const int *const v = &cell_vertices[nv * std::size_t(c)];
        if (c < first_bad &&
            !(in_range(v, nv, n_vertices) &&
              in_range(&cell_dofs[std::size_t(n) * c], n, n_dofs) &&
              smallest_determinant(*this, c, gradients) > 0 &&
              (geometry != Geometry::affine ||
               distance_from_affine(*this, c) < affine_tolerance)))
          first_bad = c;
      }
    if (first_bad == end)
      return;

    const std::string cell = "Cell " + std::to_string(first_bad);
    const int *const v     = &cell_vertices[nv * std::size_t(first_bad)];
    require(in_range(v, nv, n_vertices), cell + " has a vertex outside 0 to " +
                                           std::to_string(n_vertices - 1) +
                                           ".");
    require(in_range(&cell_dofs[std::size_t(n) * first_bad], n, n_dofs),
            cell + " has a degree of freedom outside 0 to " +
              std::to_string(n_dofs - 1) + ".");
    const double smallest = smallest_determinant(*this, first_bad, gradients);
    require(smallest > 0,
            cell + " is inverted or degenerate: its smallest Jacobian is " +
              few_digits(smallest) + ", but must be positive everywhere.");
    throw MeshError(cell + " is not the image of a " + to_string(cell_type) +
                    " under a linear map, as the geometry affine asks for; "
                    "choose the geometry vertices or quadrature.");
  }
} // namespace tessera
