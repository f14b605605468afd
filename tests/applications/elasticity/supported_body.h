#pragma once

#include "rigid_motions.h"

#include "fem/cell_meshes.h"

#include <tessera/base/error.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_system.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tessera::test
{
  /// A mesh of which components at some nodes are held.
  template <int dim>
  struct Body
  {
    using Point = dealii::Point<dim>;

    Mesh<dim> mesh;
    dealii::DoFHandler<dim> dof_handler;
    dealii::AffineConstraints<double> constraints;
    std::vector<Spring<dim>> springs;

    explicit Body(const unsigned int degree = 1)
    {
      Cells<dim == 2 ? CellType::quadrilateral : CellType::hexahedron>::make(
        mesh, false);
      reinit(degree);
    }

    void
    reinit(const unsigned int degree)
    {
      dof_handler.reinit(mesh.triangulation());
      dof_handler.distribute_dofs(dealii::FESystem<dim>(
        *make_element<dim>(mesh.cell_type(), degree), dim));
      constraints.clear();
      dealii::DoFTools::make_hanging_node_constraints(dof_handler, constraints);
    }

    /// Holds components, such as "xz", at the nodes with is_held(x).
    template <class IsHeld>
    void
    hold(const std::string &components, const IsHeld &is_held)
    {
      std::vector<Point> points(dof_handler.n_dofs());
      dealii::DoFTools::map_dofs_to_support_points(*mesh.make_mapping(1),
                                                   dof_handler, points);
      for (int c = 0; c < dim; ++c)
        {
          dealii::ComponentMask mask(dim, false);
          mask.set(c, true);
          for (const auto dof :
               dealii::DoFTools::extract_dofs(dof_handler, mask))
            if (components.find("xyz"[c]) != std::string::npos &&
                is_held(points[dof]) && !constraints.is_constrained(dof))
              {
                constraints.add_line(dof);
                constraints.set_inhomogeneity(dof, 0.5);
              }
        }
    }

    void
    hold_at(const std::string &components, const Point &x)
    {
      const auto before = constraints.n_constraints();
      hold(components, [&x](const Point &p) { return p.distance(x) < 1e-10; });
      ASSERT_EQ(constraints.n_constraints(), before + components.size());
    }

    /// A spring in one direction, at a point of a cell.
    void
    spring(const Point &x, const dealii::Tensor<1, dim> &direction,
           const unsigned int cell = 0)
    {
      springs.push_back(
        {x, dealii::symmetrize(dealii::outer_product(direction, direction)),
         cell});
    }

    /// Returns what the body can do, or "" if it is held.
    std::string
    free() const
    {
      try
        {
          check_rigid_motions(mesh, {*mesh.make_mapping(1), dof_handler},
                              constraints, springs);
        }
      catch (const MeshError &error)
        {
          const std::string
            start = "The test mesh",
            end =
              "; add a displacement condition or a spring that prevents "
              "this.",
            what = error.what();
          EXPECT_EQ(what.substr(0, start.size()), start);
          EXPECT_EQ(what.substr(what.size() - end.size()), end);
          return what.substr(start.size(),
                             what.size() - start.size() - end.size());
        }
      return "";
    }
  };
} // namespace tessera::test
