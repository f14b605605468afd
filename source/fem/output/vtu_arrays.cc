#include "vtu_cells.h"

#include <tessera/base/parallel_vector.h>
#include <tessera/fem/bridge/flatten.h>

#include <array>
#include <cmath>
#include <stdexcept>

namespace tessera
{
  namespace
  {
    template <int dim>
    class ArraySource : public VtuSource<dim>
    {
    public:
      using typename VtuSource<dim>::NodalField;
      using typename VtuSource<dim>::Numbers;
      using typename VtuSource<dim>::Read;
      using typename VtuSource<dim>::ReadNodes;
      using typename VtuSource<dim>::Solution;

      ArraySource(const MeshArrays &mesh, const ElementNodes &nodes)
        : mesh(mesh), numbered(nodes),
          fe(make_element<dim>(mesh.cell_type, nodes.degree)),
          places(fe->n_dofs_per_cell())
      {
        const auto local = to_local_order<dim>(mesh.cell_type, nodes.degree);
        for (std::size_t i = 0; i < local.size(); ++i)
          places[local[i]] = static_cast<int>(i);
        if (mesh.backend() != Backend::host ||
            nodes.of_cells.backend() != Backend::host ||
            nodes.of_cells.size() != n_cells() * places.size())
          throw std::logic_error(
            "SolutionWriter: the nodes are not those of a mesh of the host");
      }

      dealii::ReferenceCell
      type() const override
      {
        return fe->reference_cell();
      }

      std::size_t
      n_cells() const override
      {
        return mesh.n_cells();
      }

      unsigned int
      active_index(const std::size_t c) const override
      {
        return static_cast<unsigned int>(c);
      }

      unsigned int
      material(const std::size_t c) const override
      {
        return mesh.materials.data()[c];
      }

      std::vector<MeshFace>
      boundary() const override
      {
        return mesh.boundary.to_vector();
      }

      Numbers
      number_points(const int n, const std::vector<NodalField> &) const override
      {
        // Nodes of degree 1 and 2 are these points; others have their numbers.
        ElementNodes own;
        if (n != numbered.degree)
          own = number_parts(mesh, n);
        const ElementNodes &points = n == numbered.degree ? numbered : own;
        const int *const from      = points.of_cells.data();
        Numbers numbers{parallel_vector<int>(points.of_cells.size()),
                        static_cast<std::size_t>(points.n_nodes)};
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < numbers.of_cells.size(); ++i)
          numbers.of_cells[i] = from[i];
        return numbers;
      }

      int
      n_components(const NodalField &field) const override
      {
        const std::size_t n = field.values.size() / numbered.n_nodes;
        if (field.dof_handler || n == 0 ||
            n * numbered.n_nodes != field.values.size())
          throw std::logic_error("SolutionWriter: the field " + field.name +
                                 " is not one of the nodes of arrays");
        return static_cast<int>(n);
      }

      const dealii::FiniteElement<dim> &
      element(const NodalField &) const override
      {
        return *fe;
      }

      ReadNodes
      nodes(const NodalField &field) const override
      {
        return [this, n = n_components(field)](const std::size_t c,
                                               std::size_t *to) {
          const int *const of_cell =
            numbered.of_cells.data() + c * places.size();
          for (int a = 0; a < n; ++a)
            for (const int place : places)
              *to++ = static_cast<std::size_t>(of_cell[place]) * n + a;
        };
      }

      Read
      at(const std::vector<dealii::Point<dim>> &points,
         const NodalField *const u) const override
      {
        return u == nullptr ? Read(AtPoints(*this, points))
                            : Read(AtPoints(*this, points, *u));
      }

    private:
      class AtPoints;

      const MeshArrays &mesh;
      const ElementNodes &numbered;
      const std::unique_ptr<const dealii::FiniteElement<dim>> fe;
      std::vector<int> places; ///< of deal.II's nodes among those of a cell
    };


    /// Computes points by the map of the corners, and u by its nodes.
    template <int dim>
    class ArraySource<dim>::AtPoints
    {
    public:
      AtPoints(const ArraySource &source,
               const std::vector<dealii::Point<dim>> &points)
        : source(source), n_points(points.size()),
          n_corners(source.mesh.corners_per_cell())
      {
        // deal.II's shape functions of cells have no gradients of tetrahedra.
        const auto linear = make_element<dim>(source.mesh.cell_type, 1);
        for (const auto &point : points)
          for (unsigned int v = 0; v < n_corners; ++v)
            {
              corner_values.push_back(linear->shape_value(v, point));
              corner_gradients.push_back(linear->shape_grad(v, point));
            }
      }

      AtPoints(const ArraySource &source,
               const std::vector<dealii::Point<dim>> &points,
               const NodalField &u)
        : AtPoints(source, points)
      {
        values       = u.values.begin();
        n_components = source.n_components(u);
        read_nodes   = source.nodes(u);
        nodes.resize(n_components * source.places.size());
        for (const auto &point : points)
          {
            shapes.emplace_back();
            for (unsigned int k = 0; k < source.places.size(); ++k)
              {
                const Shape shape{k, source.fe->shape_value(k, point),
                                  source.fe->shape_grad(k, point)};
                if (std::abs(shape.value) > 1e-13 ||
                    shape.gradient.norm() > 1e-13)
                  shapes.back().push_back(shape);
              }
          }
      }

      void
      operator()(const std::size_t c, Solution &solution)
      {
        const int *const corners = source.mesh.corners.data() + c * n_corners;
        std::array<dealii::Point<dim>, 8> x;
        for (std::size_t v = 0; v < n_corners; ++v)
          for (int d = 0; d < dim; ++d)
            x[v][d] = source.mesh.vertices
                        .data()[static_cast<std::size_t>(corners[v]) * dim + d];
        solution.cell = static_cast<unsigned int>(c);
        solution.points.assign(n_points, {});
        for (std::size_t q = 0; q < n_points; ++q)
          for (std::size_t v = 0; v < n_corners; ++v)
            for (int d = 0; d < dim; ++d)
              solution.points[q][d] +=
                corner_values[q * n_corners + v] * x[v][d];
        if (values == nullptr)
          return;
        read_nodes(c, nodes.data());
        solution.values.assign(n_points * n_components, 0.);
        solution.gradients.resize(n_points * n_components);
        for (std::size_t q = 0; q < n_points; ++q)
          {
            dealii::Tensor<2, dim> jacobian;
            for (std::size_t v = 0; v < n_corners; ++v)
              jacobian +=
                outer_product(x[v], corner_gradients[q * n_corners + v]);
            const auto inverse = invert(jacobian);
            for (int a = 0; a < n_components; ++a)
              {
                dealii::Tensor<1, dim> gradient;
                double &value = solution.values[q * n_components + a];
                for (const Shape &shape : shapes[q])
                  {
                    const double at_node =
                      values[nodes[a * source.places.size() + shape.k]];
                    value += shape.value * at_node;
                    gradient += at_node * shape.gradient;
                  }
                solution.gradients[q * n_components + a] = gradient * inverse;
              }
          }
      }

    private:
      /// A shape function at a point.
      struct Shape
      {
        unsigned int k;
        double value;
        dealii::Tensor<1, dim> gradient;
      };

      const ArraySource &source;
      std::size_t n_points, n_corners;
      std::vector<double> corner_values; ///< [n_points][n_corners]
      std::vector<dealii::Tensor<1, dim>> corner_gradients; ///< likewise
      const double *values = nullptr;                       ///< of u
      int n_components     = 0;
      ReadNodes read_nodes;
      std::vector<std::size_t> nodes; ///< [n_components][n]
      /// Those that are not 0 with their gradients, [n_points].
      std::vector<std::vector<Shape>> shapes;
    };
  } // namespace


  template <int dim>
  WrittenCells<dim>::WrittenCells(const MeshArrays &mesh,
                                  const ElementNodes &nodes)
    : of_cells(std::make_shared<const ArraySource<dim>>(mesh, nodes))
  {}


  template WrittenCells<2>::WrittenCells(const MeshArrays &,
                                         const ElementNodes &);
  template WrittenCells<3>::WrittenCells(const MeshArrays &,
                                         const ElementNodes &);
} // namespace tessera
