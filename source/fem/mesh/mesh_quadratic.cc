#include "mesh_scanner.h"
#include "mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>

#include <tessera/base/error.h>
#include <tessera/fem/mesh/quadratic_cells.h>

#include <deal.II/base/quadrature.h>

#include <deal.II/fe/fe.h>

#include <deal.II/grid/reference_cell.h>

#include <utility>

namespace tessera::mesh_tools
{
  namespace
  {
    /// The nodes of a cell of order 2, in the order of `make_element(type, 2)`.
    template <int dim>
    struct Nodes
    {
      explicit Nodes(CellType type);

      /// Returns true if a node is not where a straight cell has it.
      bool
      are_curved(const std::vector<dealii::Point<dim>> &nodes) const;

      std::unique_ptr<dealii::FiniteElement<dim>> element;
      int n, n_corners;
      /// The corners that a node lies between, [n]; of a corner, itself.
      std::vector<std::vector<int>> corners;
      /// The earlier nodes that a serendipity element has instead of a node,
      /// and their weights, [n]; empty for corners.
      std::vector<std::vector<std::pair<int, double>>> instead;
    };


    template <int dim>
    Nodes<dim>::Nodes(const CellType type)
      : element(make_element<dim>(type, 2)),
        n(static_cast<int>(element->n_dofs_per_cell())),
        n_corners(n_vertices(type)), corners(n), instead(n)
    {
      for (int i = 0; i < n; ++i)
        for (int v = 0; v < n_corners; ++v)
          if (element->reference_cell().d_linear_shape_function(
                element->get_unit_support_points()[i], v) > 1e-10)
            corners[i].push_back(v);
      const auto is_part_of = [this](const int j, const int i) {
        return std::includes(corners[i].begin(), corners[i].end(),
                             corners[j].begin(), corners[j].end());
      };
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n && corners[i].size() > 1; ++j)
          if (is_part_of(j, i) && corners[j].size() == 1)
            instead[i].emplace_back(j, corners[i].size() == 2 ? 0.5 : -0.25);
          else if (is_part_of(j, i) && corners[j].size() == 2 && i != j)
            instead[i].emplace_back(j, corners[i].size() == 4 ? 0.5 : 0.25);
    }


    template <int dim>
    bool
    Nodes<dim>::are_curved(const std::vector<dealii::Point<dim>> &nodes) const
    {
      double size = 0;
      for (int v = 1; v < n_corners; ++v)
        size = std::max(size, nodes[v].distance(nodes[0]));
      for (int i = n_corners; i < n; ++i)
        {
          dealii::Tensor<1, dim> off = nodes[i];
          for (const int v : corners[i])
            off -= nodes[v] / static_cast<double>(corners[i].size());
          if (!(off.norm() <= 1e-6 * size))
            return true;
        }
      return false;
    }


    /// The nodes of a file between corners of its cells.
    template <int dim>
    class FileNodes
    {
    public:
      FileNodes(const MeshFile &file, const std::vector<int> &vertex);

      bool
      empty() const
      {
        return on_faces.empty() && of_cells.empty();
      }

      /// Returns the vertex of the file that lies between these corners, which
      /// are some or all corners of a cell, or -1.
      int
      find(const std::vector<unsigned int> &corners, std::size_t cell,
           bool all) const;

    private:
      using Element = MeshFile::Element;

      [[noreturn]] void
      fail(const std::string &what) const
      {
        throw MeshError("The " + file.source + ' ' + what + '.');
      }

      void
      add(const Element &element, std::size_t cell);
      void
      check_pairs() const;

      const MeshFile &file;
      const std::vector<int> &vertex;
      std::vector<std::pair<FaceKey, int>> on_faces; ///< and on edges, by key
      std::vector<std::pair<std::size_t, int>> of_cells; ///< by cell
    };


    template <int dim>
    FileNodes<dim>::FileNodes(const MeshFile &file,
                              const std::vector<int> &vertex)
      : file(file), vertex(vertex)
    {
      std::size_t cell = 0;
      for (const Element &element : file.elements)
        if (dimension(element.type) == dim)
          add(element, cell++);
      std::sort(on_faces.begin(), on_faces.end());
      check_pairs();
    }


    template <int dim>
    void
    FileNodes<dim>::add(const Element &element, const std::size_t cell)
    {
      if (element.first_middle < 0)
        return;
      const auto &first = file.vertices[element.vertices[0]];
      double size       = 0;
      for (int v = 1; v < n_vertices(element.type); ++v)
        for (int d = 0; d < dim; ++d)
          size = std::max(
            size, std::abs(file.vertices[element.vertices[v]][d] - first[d]));
      int place = element.first_middle;
      for (const auto &between : mesh_files::middles_of(element.type))
        {
          const int node = file.middles[place++];
          if (node < 0)
            continue;
          const auto name = [&]() {
            return "the node " + std::to_string(file.labels[node]) +
                   " of the " + to_string(element.type) + ' ' +
                   std::to_string(element.label);
          };
          if (vertex[node] >= 0)
            fail("has a hanging vertex: " + name() +
                 " lies between its corners and is a corner of a cell");
          if (dim == 2 &&
              std::abs(file.vertices[node][2] - first[2]) > 1e-6 * size)
            fail("is a surface in space: " + name() +
                 " has another z than the others; legal are plane meshes in x "
                 "and y, and meshes of volumes");
          if (between.size() ==
              static_cast<std::size_t>(n_vertices(element.type)))
            {
              of_cells.emplace_back(cell, node);
              continue;
            }
          std::vector<int> corners;
          for (const int v : between)
            corners.push_back(vertex[element.vertices[v]]);
          on_faces.emplace_back(make_key(corners), node);
        }
    }


    /// Cells that share an edge or a face must have the same node there.
    template <int dim>
    void
    FileNodes<dim>::check_pairs() const
    {
      std::vector<int> of_file(vertex.size(), -1); // by the mesh's vertex
      for (std::size_t v = 0; v < vertex.size(); ++v)
        if (vertex[v] >= 0)
          of_file[vertex[v]] = static_cast<int>(v);
      for (std::size_t i = 1; i < on_faces.size(); ++i)
        {
          const auto &[key, a]  = on_faces[i - 1];
          const auto &[next, b] = on_faces[i];
          if (key != next || a == b)
            continue;
          dealii::Point<dim> x, y, corner;
          for (int d = 0; d < dim; ++d)
            {
              x[d]      = file.vertices[a][d];
              y[d]      = file.vertices[b][d];
              corner[d] = file.vertices[of_file[key[1]]][d];
            }
          if (!(x.distance(y) <= 1e-6 * x.distance(corner)))
            fail("has cells that do not fit together around " + place(x) +
                 ": the nodes " + std::to_string(file.labels[a]) + " and " +
                 std::to_string(file.labels[b]) +
                 " between the same corners are at different places");
        }
    }


    template <int dim>
    int
    FileNodes<dim>::find(const std::vector<unsigned int> &corners,
                         const std::size_t cell, const bool all) const
    {
      const auto find_in = [](const auto &list, const auto &key) {
        const auto entry =
          std::lower_bound(list.begin(), list.end(), std::make_pair(key, -1));
        return entry != list.end() && entry->first == key ? entry->second : -1;
      };
      return all ? find_in(of_cells, cell)
                 : find_in(on_faces, make_key(corners));
    }
  } // namespace


  template <int dim>
  void
  curve_cells(Mesh<dim> &mesh, const MeshFile &file,
              const std::vector<int> &vertex, const double scale)
  {
    const FileNodes<dim> given(file, vertex);
    if (given.empty())
      return;
    const Nodes<dim> nodes(mesh.cell_type());
    std::vector<dealii::Point<dim>> of_all, cell_nodes(nodes.n), vertices;
    bool curved       = false;
    const auto arrays = mesh.arrays();
    for (int cell = 0; cell < arrays->n_cells(); ++cell)
      {
        corners_of(*arrays, cell, vertices);
        std::copy(vertices.begin(), vertices.end(), cell_nodes.begin());
        for (int i = nodes.n_corners; i < nodes.n; ++i)
          {
            std::vector<unsigned int> corners;
            for (const int v : nodes.corners[i])
              corners.push_back(
                arrays->corners
                  .data()[std::size_t(cell) * nodes.n_corners + v]);
            const int node =
              given.find(corners, cell,
                         static_cast<int>(corners.size()) == nodes.n_corners);
            cell_nodes[i] = dealii::Point<dim>();
            for (int d = 0; d < dim && node >= 0; ++d)
              cell_nodes[i][d] = scale * file.vertices[node][d];
            for (const auto &[j, weight] : nodes.instead[i])
              if (node < 0)
                cell_nodes[i] += weight * cell_nodes[j];
          }
        curved = curved || nodes.are_curved(cell_nodes);
        of_all.insert(of_all.end(), cell_nodes.begin(), cell_nodes.end());
      }
    if (!curved)
      return;
    mesh.curved    = true;
    mesh.quadratic = std::make_shared<const QuadraticCells<dim>>(
      mesh.cell_type(), std::move(of_all));
  }


  template <int dim>
  void
  check_curved_cells(const Mesh<dim> &mesh)
  {
    const CellType type = mesh.cell_type();
    const Nodes<dim> nodes(type);
    const auto rule = cell_quadrature<dim>(type, max_degree(type));
    std::vector<dealii::Tensor<1, dim>> gradients; // [point][node]
    for (const auto &point : rule.get_points())
      for (int i = 0; i < nodes.n; ++i)
        gradients.push_back(nodes.element->shape_grad(i, point));
    const auto is_valid = [&](const std::vector<dealii::Point<dim>> &of_cell) {
      if (!nodes.are_curved(of_cell))
        return true;
      for (unsigned int q = 0; q < rule.size(); ++q)
        {
          dealii::Tensor<2, dim> jacobian; // [derivative][coordinate]
          for (int i = 0; i < nodes.n; ++i)
            jacobian += outer_product(gradients[q * nodes.n + i],
                                      dealii::Tensor<1, dim>(of_cell[i]));
          double lengths = 1;
          for (int d = 0; d < dim; ++d)
            lengths *= jacobian[d].norm();
          // This is also false for what is not a number.
          if (!(determinant(jacobian) > smallest_quality * lengths))
            return false;
        }
      return true;
    };
    const auto refuse = [&](const std::int64_t number,
                            const dealii::Point<dim> &center) {
      throw MeshError(
        "The " + mesh.source +
        " has a cell of order 2 that its nodes between corners turn inside "
        "out, number " +
        std::to_string(number) + " around " + place(center) +
        "; 'Mesh/Geometry order' = 1 leaves these nodes out.");
    };
    if (!mesh.is_coarser())
      {
        const auto bad =
          active_cells(mesh.triangulation(), [&](const auto &cell) {
            return !is_valid(mesh.quadratic->nodes_of(cell));
          });
        if (!bad.empty())
          refuse(bad[0]->active_cell_index(), bad[0]->center());
        return;
      }
    const auto arrays = mesh.arrays();
    int bad           = arrays->n_cells();
#pragma omp parallel for schedule(static) reduction(min : bad)
    for (int cell = 0; cell < arrays->n_cells(); ++cell)
      if (!is_valid(mesh.maps_of_arrays().nodes_of(cell)))
        bad = std::min(bad, cell);
    if (bad < arrays->n_cells())
      refuse(bad, mean_of<dim>(*arrays, bad));
  }


#define INSTANTIATE(dim)                                       \
  template void curve_cells(Mesh<dim> &, const MeshFile &,     \
                            const std::vector<int> &, double); \
  template void check_curved_cells(const Mesh<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera::mesh_tools
