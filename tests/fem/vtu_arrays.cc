#include "../../source/fem/output/vtu_cells.h"
#include "test.h"

#include <tessera/base/error.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/bridge/mesh_arrays.h>

#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <cmath>
#include <memory>
#include <string>

using namespace tessera;

// Files that are written from arrays equal the files from deal.II's objects,
// except for the numbers of points.
namespace
{
  /// A mesh of straight cells with edges and faces in many directions, refined
  /// once.
  template <int dim>
  void
  make(dealii::Triangulation<dim> &mesh, const CellType type)
  {
    using namespace dealii;
    if (is_simplex(type))
      {
        std::vector<unsigned int> boxes = {2, 1, 1};
        boxes.resize(dim);
        Point<dim> end;
        for (int d = 0; d < dim; ++d)
          end[d] = 1.;
        GridGenerator::subdivided_hyper_rectangle_with_simplices(
          mesh, boxes, Point<dim>(), end);
      }
    else
      GridGenerator::hyper_ball(mesh);
    mesh.reset_all_manifolds();
    mesh.refine_global(1);
    GridTools::transform(
      [](const Point<dim> &x) {
        Point<dim> y = x;
        for (int d = 0; d < dim; ++d)
          y[d] += 0.05 * std::sin(3. * x[(d + 1) % dim] + x[d]);
        return y;
      },
      mesh);
    unsigned int k = 0;
    for (const auto &cell : mesh.active_cell_iterators())
      {
        cell->set_material_id(k % 5);
        for (const auto &face : cell->face_iterators())
          if (face->at_boundary())
            face->set_boundary_id(++k % 3);
      }
  }

  /// A number and a vector of every component of u, with the cell and the point
  /// in them.
  template <int dim>
  PointFields<dim>
  fields_at_points(const int n_components)
  {
    PointFields<dim> result;
    for (int a = 0; a < n_components; ++a)
      {
        result.names.emplace_back("square_" + std::to_string(a), 1);
        result.names.emplace_back("flux_" + std::to_string(a), dim);
      }
    result.make = [n_components]() {
      return [n_components](const typename PointFields<dim>::Solution &u,
                            double *numbers) {
        for (std::size_t q = 0; q < u.points.size(); ++q)
          for (int a = 0; a < n_components; ++a)
            {
              const double value = u.values[q * n_components + a];
              *numbers++         = value * value + u.points[q][0];
              for (int d = 0; d < dim; ++d)
                *numbers++ =
                  (2. + u.cell) * u.gradients[q * n_components + a][d];
            }
      };
    };
    return result;
  }

  /// The same fields in both ways.
  template <int dim>
  struct Problem
  {
    using Fields = typename SolutionWriter<dim>::Fields;

    dealii::Triangulation<dim> mesh;
    std::unique_ptr<dealii::Mapping<dim>> mapping;
    dealii::DoFHandler<dim> dof_handler;
    MeshArrays arrays;
    ElementNodes nodes;
    Fields of_dofs, of_nodes;
    int n_components;

    /// Several components come with a field of one component.
    Problem(const CellType type, const int degree, const int n_components)
      : n_components(n_components)
    {
      make(mesh, type);
      if (is_simplex(type))
        mapping =
          std::make_unique<dealii::MappingFE<dim>>(dealii::FE_SimplexP<dim>(1));
      else
        mapping = std::make_unique<dealii::MappingQ<dim>>(1);
      arrays = mesh_arrays(mesh);
      nodes  = number(arrays, degree);
      dof_handler.reinit(mesh);
      dof_handler.distribute_dofs(
        dealii::FESystem<dim>(*make_element<dim>(type, degree), n_components));
      add_field(dof_handler, n_components, "u");
      if (n_components > 1)
        {
          // Nodes with one component have the numbers of those with several.
          dealii::DoFHandler<dim> own(mesh);
          own.distribute_dofs(*make_element<dim>(type, degree));
          add_field(own, 1, "stress");
        }
      dealii::Vector<double> of_cells(mesh.n_active_cells());
      std::vector<std::array<double, 3>> vectors(of_cells.size());
      for (unsigned int c = 0; c < of_cells.size(); ++c)
        {
          of_cells[c] = std::sin(c);
          vectors[c]  = {std::cos(c), 1. + c, 2. * c};
        }
      for (Fields *const fields : {&of_dofs, &of_nodes})
        {
          fields->cell.emplace_back("k", of_cells);
          fields->cell_vectors.emplace_back("fibres", vectors);
        }
    }

    void
    add_derived(const int n_components)
    {
      for (Fields *const fields : {&of_dofs, &of_nodes})
        fields->derived.push_back(fields_at_points<dim>(n_components));
    }

  private:
    void
    add_field(const dealii::DoFHandler<dim> &dofs, const int n_components,
              const std::string &name)
    {
      const auto &fe   = dofs.get_fe();
      const auto local = to_local_order<dim>(arrays.cell_type, nodes.degree);
      dealii::Vector<double> at_dofs(dofs.n_dofs()),
        at_nodes(nodes.n_nodes * n_components);
      for (unsigned int i = 0; i < at_nodes.size(); ++i)
        at_nodes[i] = std::sin(1. + 3. * i);
      std::vector<dealii::types::global_dof_index> indices(
        fe.n_dofs_per_cell());
      const std::size_t n = local.size();
      for (const auto &cell : dofs.active_cell_iterators())
        {
          cell->get_dof_indices(indices);
          for (std::size_t i = 0; i < n; ++i)
            for (int a = 0; a < n_components; ++a)
              at_dofs[indices[fe.component_to_system_index(a, local[i])]] =
                at_nodes[nodes.of_cells
                             .data()[cell->active_cell_index() * n + i] *
                           n_components +
                         a];
        }
      of_dofs.nodal.emplace_back(name, at_dofs);
      of_nodes.nodal.emplace_back(name, at_nodes);
    }
  };

  double
  tolerance(const std::vector<double> &values)
  {
    double largest = 1.;
    for (const double value : values)
      largest = std::max(largest, std::abs(value));
    return 1e-13 * largest;
  }

  /// Expects the same cells, points and values, where the points of one grid
  /// stand for the points of the other.
  void
  compare(const VtuGrid &a, const VtuGrid &b)
  {
    EXPECT_EQ(a.cell_type, b.cell_type);
    EXPECT_EQ(a.n_corners, b.n_corners);
    EXPECT_EQ(a.subdivisions, b.subdivisions);
    ASSERT_EQ(a.points.size(), b.points.size());
    ASSERT_EQ(a.connectivity.size(), b.connectivity.size());
    ASSERT_EQ(a.of_points.size(), b.of_points.size());
    ASSERT_EQ(a.of_cells.size(), b.of_cells.size());
    std::vector<int> of_a(a.points.size() / 3, -1), of_b(of_a);
    for (std::size_t i = 0; i < a.connectivity.size(); ++i)
      {
        int &in_a = of_b[b.connectivity[i]], &in_b = of_a[a.connectivity[i]];
        if (in_a < 0 && in_b < 0)
          {
            in_a = a.connectivity[i];
            in_b = b.connectivity[i];
          }
        ASSERT_EQ(in_a, a.connectivity[i]);
        ASSERT_EQ(in_b, b.connectivity[i]);
      }
    const auto compare_values = [&](const std::vector<double> &of_first,
                                    const std::vector<double> &of_second,
                                    const int n) {
      ASSERT_EQ(of_first.size(), of_second.size());
      const double small = tolerance(of_second);
      for (std::size_t point = 0; point < of_a.size(); ++point)
        for (int k = 0; k < n; ++k)
          ASSERT_NEAR(of_first[point * n + k], of_second[of_a[point] * n + k],
                      small);
    };
    for (const int point : of_a)
      ASSERT_GE(point, 0) << "a point of no cell";
    compare_values(a.points, b.points, 3);
    for (std::size_t f = 0; f < a.of_points.size(); ++f)
      {
        SCOPED_TRACE(a.of_points[f].name);
        EXPECT_EQ(a.of_points[f].name, b.of_points[f].name);
        ASSERT_EQ(a.of_points[f].n_components, b.of_points[f].n_components);
        compare_values(a.of_points[f].values, b.of_points[f].values,
                       a.of_points[f].n_components);
      }
    for (std::size_t f = 0; f < a.of_cells.size(); ++f)
      {
        EXPECT_EQ(a.of_cells[f].name, b.of_cells[f].name);
        EXPECT_EQ(a.of_cells[f].n_components, b.of_cells[f].n_components);
        EXPECT_EQ(a.of_cells[f].values, b.of_cells[f].values);
      }
  }

  template <int dim>
  void
  compare(const Problem<dim> &problem, const int n)
  {
    SCOPED_TRACE("subdivisions " + std::to_string(n));
    const CellNodes<dim> of_arrays(problem.arrays, problem.nodes,
                                   problem.n_components),
      of_dealii(*problem.mapping, problem.dof_handler);
    VtuCells<dim> a(of_arrays, problem.of_nodes, n),
      b(of_dealii, problem.of_dofs, n);
    compare(a.boundary(), b.boundary());
    compare(std::move(a).grid(), std::move(b).grid());
  }

  template <int dim>
  void
  compare_all(const CellType type)
  {
    for (int degree = 1; degree <= max_degree(type); ++degree)
      for (const int n_components : {1, dim})
        {
          if (n_components > 1 && degree != 2)
            continue;
          SCOPED_TRACE(to_string(type) + " of degree " +
                       std::to_string(degree) + ", components " +
                       std::to_string(n_components));
          Problem<dim> problem(type, degree, n_components);
          for (const bool derived : {false, true})
            {
              if (derived)
                problem.add_derived(n_components);
              for (const int n : {1, 2, 4, 8})
                compare(problem, n);
            }
        }
  }
} // namespace


TEST(VtuArrays, Quadrilaterals)
{
  compare_all<2>(CellType::quadrilateral);
}

TEST(VtuArrays, Hexahedra)
{
  compare_all<3>(CellType::hexahedron);
}

TEST(VtuArrays, Triangles)
{
  compare_all<2>(CellType::triangle);
}

TEST(VtuArrays, Tetrahedra)
{
  compare_all<3>(CellType::tetrahedron);
}


TEST(VtuArrays, WhatArraysCannotHave)
{
  Problem<2> problem(CellType::quadrilateral, 2, 2);
  const SolutionWriter<2> writer(testing::TempDir());
  const auto write = [&](const SolutionWriter<2>::Fields &fields) {
    writer.write_cells({problem.arrays, problem.nodes, 2}, fields, 1,
                       "refused");
  };
  problem.of_nodes.nodal[0].values.grow_or_shrink(
    problem.of_nodes.nodal[0].values.size() - 1);
  EXPECT_THROW(write(problem.of_nodes), std::logic_error);
  EXPECT_THROW(number_parts(problem.arrays, 0), ParameterError);
  EXPECT_THROW(number_parts(problem.arrays, 65), ParameterError);
}
