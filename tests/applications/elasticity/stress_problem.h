#pragma once

#include "fem/cell_meshes.h"

#include "stresses.h"

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_system.h>

#include <deal.II/numerics/vector_tools_interpolate.h>

#include <functional>
#include <limits>
#include <memory>

namespace tessera::test
{
  constexpr double eps = std::numeric_limits<double>::epsilon();

  template <int dim>
  struct Displacement : dealii::Function<dim>
  {
    using Formula = std::function<double(const dealii::Point<dim> &, int)>;
    Formula formula;

    explicit Displacement(const Formula &formula)
      : dealii::Function<dim>(dim), formula(formula)
    {}

    double
    value(const dealii::Point<dim> &p, const unsigned int c) const override
    {
      return formula(p, c);
    }
  };

  constexpr double gradient_of_linear[3][3] = {
    {0.5, -0.25, 1.}, {0.75, -1.5, 0.125}, {2., 0.375, 0.25}};

  /// Returns a linear displacement with this gradient.
  template <int dim>
  double
  linear(const dealii::Point<dim> &p, const int c)
  {
    double u = 0.1 * c;
    for (int d = 0; d < dim; ++d)
      u += gradient_of_linear[c][d] * p[d];
    return u;
  }

  template <int dim>
  Coefficient
  orthotropic()
  {
    if (dim == 2)
      return {Coefficient::Kind::uniform, 4, {10, 2, 12, 7}};
    return {Coefficient::Kind::uniform, 9, {10, 2, 3, 12, 4, 15, 5, 6, 7}};
  }

  /// A displacement of a mesh of `Cells`, a stiffness and a space with cells
  /// in another order.
  template <class C>
  struct Problem
  {
    static constexpr int dim = C::dim;

    Mesh<dim> mesh;
    std::unique_ptr<dealii::Mapping<dim>> mapping;
    std::unique_ptr<dealii::FiniteElement<dim>> scalar;
    dealii::FESystem<dim> fe;
    dealii::DoFHandler<dim> dof_handler;
    std::unique_ptr<const CellNodes<dim>> cells;
    Space space;
    dealii::Vector<double> u;
    Coefficient stiffness = orthotropic<dim>();
    Coefficient across{Coefficient::Kind::uniform, 5, {3, 4, 5, 0, 0}};

    Problem(const int degree,
            const typename Displacement<dim>::Formula &displacement,
            const bool distorted = true)
      : scalar(C::make_element(degree)), fe(*scalar, dim)
    {
      C::make(mesh, distorted);
      mapping = mesh.make_mapping(degree);
      dof_handler.reinit(mesh.triangulation());
      dof_handler.distribute_dofs(fe);
      cells = std::make_unique<const CellNodes<dim>>(*mapping, dof_handler);
      dealii::AffineConstraints<double> none;
      none.close();
      space = build_space(flatten(*mapping, dof_handler, none).connectivity,
                          "batch_interleaved", CellOrder::hilbert);
      u.reinit(dof_handler.n_dofs());
      dealii::VectorTools::interpolate(*mapping, dof_handler,
                                       Displacement<dim>(displacement), u);
    }

    operator StressProblem<dim>() const
    {
      return {*cells, u, space, stiffness, across};
    }

    /// Makes the stiffness vary between cells, or also within them: its
    /// multiples are factor(material, x).
    void
    vary(const Coefficient::Kind kind,
         const std::function<double(int, double)> &factor)
    {
      const bool at_points = kind == Coefficient::Kind::per_quadrature_point;
      const auto points    = quadrature_points(space);
      const int nq         = space.points_per_cell();
      std::vector<int> material;
      for (const auto &cell : mesh.triangulation().active_cell_iterators())
        material.push_back(cell->material_id());
      for (Coefficient *c : {&stiffness, &across})
        {
          std::vector<double> values;
          for (int cell = 0; cell < space.n_cells(); ++cell)
            for (int q = 0; q < (at_points ? nq : 1); ++q)
              for (int i = 0; i < c->n_components; ++i)
                values.push_back(c->values[i] *
                                 factor(material[space.mesh_cell[cell]],
                                        points[(cell * nq + q) * dim]));
          c->kind   = kind;
          c->values = values;
        }
    }
  };

  template <int dim>
  std::vector<dealii::Point<dim>>
  node_points(const dealii::Mapping<dim> &mapping,
              const dealii::DoFHandler<dim> &dof_handler)
  {
    std::vector<dealii::Point<dim>> points(dof_handler.n_dofs());
    dealii::DoFTools::map_dofs_to_support_points(mapping, dof_handler, points);
    return points;
  }
} // namespace tessera::test
