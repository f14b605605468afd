#include "quadratic_cases.h"

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/vector.h>

#include <cmath>
#include <limits>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  template <int dim>
  double
  harmonic(const dealii::Point<dim> &p)
  {
    return dim == 2 ? std::log(p.norm()) : 1 / p.norm();
  }

  /// Returns the error of the harmonic function of the radius in L2, with
  /// elements of degree 2 and its values at the radii 1 and 2.
  template <int dim>
  double
  l2_error(const Mesh<dim> &mesh)
  {
    const CellType type = mesh.cell_type();
    const auto mapping  = mesh.make_mapping(2);
    const auto fe       = make_element<dim>(type, 2);
    dealii::DoFHandler<dim> dofs(mesh.triangulation());
    dofs.distribute_dofs(*fe);
    dealii::FEValues<dim> values(
      *mapping, *fe, cell_quadrature<dim>(type, max_degree(type)),
      dealii::update_values | dealii::update_gradients |
        dealii::update_JxW_values | dealii::update_quadrature_points);
    const unsigned int n = fe->n_dofs_per_cell();
    std::vector<dealii::types::global_dof_index> index(n);
    dealii::FullMatrix<double> A(dofs.n_dofs());
    dealii::Vector<double> given(dofs.n_dofs()), b(dofs.n_dofs()),
      u(dofs.n_dofs());
    given = std::numeric_limits<double>::quiet_NaN();
    for (const auto &cell : dofs.active_cell_iterators())
      {
        cell->get_dof_indices(index);
        values.reinit(cell);
        for (unsigned int q = 0; q < values.n_quadrature_points; ++q)
          for (unsigned int i = 0; i < n; ++i)
            for (unsigned int j = 0; j < n; ++j)
              A(index[i], index[j]) += values.shape_grad(i, q) *
                                       values.shape_grad(j, q) * values.JxW(q);
        for (const unsigned int f : cell->face_indices())
          for (const double radius : {1., 2.})
            {
              const auto face = cell->face(f);
              bool on_sphere  = true;
              for (const unsigned int v : face->vertex_indices())
                on_sphere =
                  on_sphere && std::abs(face->vertex(v).norm() - radius) < 1e-9;
              for (unsigned int i = 0; i < n && on_sphere; ++i)
                {
                  double of_face = 0; // of shape functions of its corners
                  for (const unsigned int v : face->vertex_indices())
                    of_face += cell->reference_cell().d_linear_shape_function(
                      fe->unit_support_point(i),
                      cell->reference_cell().face_to_cell_vertices(f, v, 1));
                  if (of_face > 1 - 1e-10)
                    given[index[i]] =
                      harmonic(radius * dealii::Point<dim>::unit_vector(0));
                }
            }
      }
    for (unsigned int i = 0; i < A.m(); ++i)
      if (!std::isnan(given[i]))
        {
          for (unsigned int j = 0; j < A.n(); ++j)
            A(i, j) = i == j ? 1 : 0;
          b[i] = given[i];
        }
    A.gauss_jordan();
    A.vmult(u, b);
    double sum = 0;
    std::vector<double> at_points(values.n_quadrature_points);
    for (const auto &cell : dofs.active_cell_iterators())
      {
        values.reinit(cell);
        values.get_function_values(u, at_points);
        for (unsigned int q = 0; q < at_points.size(); ++q)
          sum +=
            std::pow(at_points[q] - harmonic(values.quadrature_point(q)), 2) *
            values.JxW(q);
      }
    return std::sqrt(sum);
  }

  /// Volumes converge with order 4 instead of 2, and elements of degree 2 with
  /// order 3 instead of 2.
  template <int dim>
  void
  check_rates(const Element &type)
  {
    const double exact = dim == 2 ? 0.75 * M_PI : 7 * M_PI / 18;
    for (const int order : {1, 2})
      {
        SCOPED_TRACE("order " + std::to_string(order));
        std::vector<double> volumes, errors;
        for (const int n : {dim == 2 ? 4 : 2, dim == 2 ? 8 : 4})
          {
            Mesh<dim> mesh;
            build_mesh(mesh, parse_mesh(sector(type, dim, n), "inp", "file"),
                       Coinciding::error, 1., order);
            EXPECT_EQ(mesh.curved, order == 2);
            volumes.push_back(std::abs(volume(mesh) - exact));
            errors.push_back(l2_error(mesh));
          }
        const double of_volume = std::log2(volumes[0] / volumes[1]),
                     of_error  = std::log2(errors[0] / errors[1]);
        EXPECT_NEAR(of_volume, 2 * order, 0.4);
        if (order == 1)
          EXPECT_LT(of_error, 2.4);
        else
          EXPECT_GT(of_error, 2.7);
      }
  }

  TEST(MeshQuadratic, RatesOnCurvedBoundaries)
  {
    for (const Element &type : elements_of("inp"))
      {
        SCOPED_TRACE(type.name);
        type.is_solid() ? check_rates<3>(type) : check_rates<2>(type);
      }
  }
} // namespace
