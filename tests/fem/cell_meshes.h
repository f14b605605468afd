#pragma once

#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/mesh/mesh.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <cmath>
#include <memory>

namespace tessera::test
{
  template <CellType type>
  struct Cells
  {
    static constexpr CellType cell_type = type;
    static constexpr int dim            = dimension(type);
    static constexpr int max_degree     = tessera::max_degree(type);

    static std::unique_ptr<dealii::FiniteElement<dim>>
    make_element(const int degree)
    {
      return tessera::make_element<dim>(type, degree);
    }

    /// Makes the unit cube from 3 by 2 (by 2) bricks times `fineness`. Sides
    /// have the boundary ids 0 to 2 dim - 1; the left part has material 1, the
    /// right one material 2. If `distorted`, all vertices are moved, also at
    /// the boundary.
    static void
    make(Mesh<dim> &mesh, const bool distorted = true, const int fineness = 1)
    {
      std::vector<unsigned int> repetitions(dim, 2 * fineness);
      repetitions[0] = 3 * fineness;
      dealii::Point<dim> end;
      for (int d = 0; d < dim; ++d)
        end[d] = 1.;
      if (is_simplex(type))
        dealii::GridGenerator::subdivided_hyper_rectangle_with_simplices(
          mesh.triangulation(), repetitions, dealii::Point<dim>(), end);
      else
        dealii::GridGenerator::subdivided_hyper_rectangle(
          mesh.triangulation(), repetitions, dealii::Point<dim>(), end);
      mesh.source = "test mesh";
      for (const auto &face : mesh.triangulation().active_face_iterators())
        if (face->at_boundary())
          for (int d = 0; d < dim; ++d)
            for (const int side : {0, 1})
              if (std::abs(face->center()[d] - side) < 1e-10)
                face->set_boundary_id(2 * d + side);
      for (const auto &cell : mesh.triangulation().active_cell_iterators())
        cell->set_material_id(cell->center()[0] < 0.4 ? 1 : 2);
      if (distorted)
        dealii::GridTools::transform(
          [](const dealii::Point<dim> &p) {
            dealii::Point<dim> q = p;
            for (int d = 0; d < dim; ++d)
              q[d] += 0.1 * std::sin(3. * p[(d + 1) % dim] + p[d]);
            return q;
          },
          mesh.triangulation());
    }
  };
} // namespace tessera::test
