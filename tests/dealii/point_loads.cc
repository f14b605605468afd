#include "cell_meshes.h"

#include <tessera/base/error.h>
#include <tessera/dealii/point_loads.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_system.h>

#include <gtest/gtest.h>

/// Loads that are given by a place: forces at points, and on what lies foremost
/// in a direction.
namespace
{
  using namespace tessera;
  using test::Cells;

  template <class C>
  struct Body
  {
    static constexpr int dim = C::dim;
    using Vector             = dealii::Tensor<1, dim>;

    Mesh<dim> mesh;
    dealii::FESystem<dim> fe;
    std::unique_ptr<dealii::Mapping<dim>> mapping;
    dealii::DoFHandler<dim> dof_handler;
    std::vector<dealii::Point<dim>> places; ///< of degrees of freedom

    explicit Body(const int degree, const bool distorted = true)
      : fe(*C::make_element(degree), dim), dof_handler(mesh.triangulation)
    {
      C::make(mesh, distorted);
      mapping = mesh.make_mapping(degree);
      dof_handler.distribute_dofs(fe);
      places.resize(dof_handler.n_dofs());
      std::vector<dealii::types::global_dof_index> dofs(fe.n_dofs_per_cell());
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          cell->get_dof_indices(dofs);
          for (unsigned int i = 0; i < dofs.size(); ++i)
            places[dofs[i]] = mapping->transform_unit_to_real_cell(
              cell, fe.unit_support_point(i));
        }
    }

    int
    component(const unsigned int dof) const
    {
      return component_of[dof];
    }

    template <class Loads>
    dealii::Vector<double>
    apply(const Parameters &parameters)
    {
      component_of.resize(dof_handler.n_dofs());
      std::vector<dealii::types::global_dof_index> dofs(fe.n_dofs_per_cell());
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          cell->get_dof_indices(dofs);
          for (unsigned int i = 0; i < dofs.size(); ++i)
            component_of[dofs[i]] =
              static_cast<int>(fe.system_to_component_index(i).first);
        }
      dealii::Vector<double> loads(dof_handler.n_dofs());
      Loads(parameters).add_to(loads, mesh, *mapping, dof_handler);
      return loads;
    }

    /// Returns the sum of the forces, and that of their products with x_d.
    Vector
    sum(const dealii::Vector<double> &loads, const int d = -1) const
    {
      Vector result;
      for (unsigned int i = 0; i < loads.size(); ++i)
        result[component(i)] += loads(i) * (d < 0 ? 1 : places[i][d]);
      return result;
    }

  private:
    std::vector<int> component_of;
  };

  template <class C>
  class LoadsOf : public testing::Test
  {};

  using AllCells =
    testing::Types<Cells<CellType::quadrilateral>, Cells<CellType::hexahedron>,
                   Cells<CellType::triangle>, Cells<CellType::tetrahedron>>;

  TYPED_TEST_SUITE(LoadsOf, AllCells);


  TYPED_TEST(LoadsOf, AtPointsHaveTheirSumAndMoment)
  {
    constexpr int dim = TypeParam::dim;
    for (int degree = 1; degree <= TypeParam::max_degree; ++degree)
      {
        Body<TypeParam> body(degree);
        Parameters parameters;
        PointLoads<dim>::declare(parameters);
        parameters.set("Loads/Point load 1/Point",
                       dim == 2 ? "0.41, 0.57" : "0.41, 0.57, 0.63");
        parameters.set("Loads/Point load 1/Force",
                       dim == 2 ? "2; -3" : "2; -3; 5");
        parameters.set("Loads/Point load 3/Point",
                       dim == 2 ? "0.8, 0.3" : "0.8, 0.3, 0.5");
        parameters.set("Loads/Point load 3/Force",
                       dim == 2 ? "x; 10*y" : "x; 10*y; 0");
        const auto loads    = body.template apply<PointLoads<dim>>(parameters);
        const double x[][3] = {{0.41, 0.57, 0.63}, {0.8, 0.3, 0.5}};
        const double f[][3] = {{2, -3, 5}, {0.8, 3, 0}};
        for (int d = -1; d < dim; ++d)
          {
            const auto sum = body.sum(loads, d);
            for (int c = 0; c < dim; ++c)
              EXPECT_NEAR(sum[c],
                          f[0][c] * (d < 0 ? 1 : x[0][d]) +
                            f[1][c] * (d < 0 ? 1 : x[1][d]),
                          1e-10);
          }
      }
  }


  TYPED_TEST(LoadsOf, AtANodeActsOnThatNodeAlone)
  {
    constexpr int dim = TypeParam::dim;
    Body<TypeParam> body(TypeParam::max_degree);
    const auto node = body.places[body.places.size() / 2];
    Parameters parameters;
    PointLoads<dim>::declare(parameters);
    std::ostringstream point;
    point.precision(17);
    for (int d = 0; d < dim; ++d)
      point << (d == 0 ? "" : ", ") << node[d];
    parameters.set("Loads/Point load 8/Point", point.str());
    parameters.set("Loads/Point load 8/Force", dim == 2 ? "7; 8" : "7; 8; 9");
    const auto loads = body.template apply<PointLoads<dim>>(parameters);
    for (unsigned int i = 0; i < loads.size(); ++i)
      EXPECT_NEAR(loads(i),
                  body.places[i].distance(node) < 1e-10 ? 7 + body.component(i)
                                                        : 0.,
                  1e-7);
  }
} // namespace
