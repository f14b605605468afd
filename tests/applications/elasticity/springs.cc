#include "rigid_motions.h"

#include "fem/boundary_problem.h"

#include <tessera/assembly/boundary_terms.h>
#include <tessera/base/error.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/bridge/transfer.h>

#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>

#include <deal.II/lac/full_matrix.h>

#include <gtest/gtest.h>

/// Springs, sigma n + K (u - u0) = t, beside those that deal.II assembles.
namespace
{
  using namespace tessera;
  using namespace test;

  const BoundaryKinds &
  kinds()
  {
    using Kind                    = BoundaryKinds::Kind;
    static const BoundaryKinds of = {
      true,
      {{Kind::neumann, "Traction", ""},
       {Kind::robin_tensor, "Spring", "", "Displacement", "Stiffness", ""}},
      ""};
    return of;
  }

  template <int dim>
  struct Springs : Parameters
  {
    Springs()
    {
      BoundaryConditions<dim>::declare(*this, kinds());
      set(root + "Remaining boundaries", "natural");
    }

    void
    add(const int number, const std::string &boundaries,
        const std::string &stiffness, const std::string &at_rest)
    {
      const std::string section = root + "Spring " + std::to_string(number);
      set(section + "/Boundaries", boundaries);
      set(section + "/Stiffness", stiffness);
      set(section + "/Displacement", at_rest);
    }
  };

  template <class C>
  struct Body
  {
    static constexpr int dim = C::dim;

    Mesh<dim> mesh;
    dealii::FESystem<dim> fe;
    std::unique_ptr<dealii::Mapping<dim>> mapping;
    dealii::DoFHandler<dim> dof_handler;

    explicit Body(const int degree)
      : fe(*C::make_element(degree), dim), dof_handler(mesh.triangulation())
    {
      C::make(mesh);
      mapping = mesh.make_mapping(degree);
      dof_handler.distribute_dofs(fe);
    }
  };

  template <class C>
  class SpringsOf : public testing::Test
  {};

  using AllCells =
    testing::Types<Cells<CellType::quadrilateral>, Cells<CellType::hexahedron>,
                   Cells<CellType::triangle>, Cells<CellType::tetrahedron>>;

  TYPED_TEST_SUITE(SpringsOf, AllCells);


  TYPED_TEST(SpringsOf, AreThoseOfDealII)
  {
    constexpr int dim = TypeParam::dim;
    Springs<dim> parameters;
    parameters.add(1, "1",
                   dim == 2 ? "3 + x; 0.5*y; 2"
                            : "3 + x; 0.5*y; -0.2; 2; 0.1*z; 1 + z",
                   dim == 2 ? "0.1*x; y" : "0.1*x; y; z - x");
    parameters.add(3, "2", dim == 2 ? "0; 4" : "0; 4; y", "0.2");
    parameters.add(2, "3", "1 + x", dim == 2 ? "x; 1" : "x; 1; 2*y");
    // The same, independently.
    const auto spring = [](const unsigned int id, const dealii::Point<dim> &x,
                           dealii::Tensor<2, dim> &K,
                           dealii::Tensor<1, dim> &u0) {
      const double z = dim == 3 ? x[dim - 1] : 0;
      if (id == 1)
        {
          K[0][0] = 3 + x[0];
          K[0][1] = K[1][0] = 0.5 * x[1];
          K[1][1]           = 2;
          u0[0]             = 0.1 * x[0];
          u0[1]             = x[1];
          if constexpr (dim == 3)
            {
              K[0][2] = K[2][0] = -0.2;
              K[1][2] = K[2][1] = 0.1 * z;
              K[2][2]           = 1 + z;
              u0[2]             = z - x[0];
            }
        }
      else if (id == 2)
        {
          K[1][1] = 4;
          if constexpr (dim == 3)
            K[2][2] = x[1];
          for (int c = 0; c < dim; ++c)
            u0[c] = 0.2;
        }
      else if (id == 3)
        {
          for (int c = 0; c < dim; ++c)
            K[c][c] = 1 + x[0];
          u0[0] = x[0];
          u0[1] = 1;
          if constexpr (dim == 3)
            u0[2] = 2 * x[1];
        }
    };
    const BoundaryConditions<dim> boundary(parameters, kinds());
    for (int degree = 1; degree <= TypeParam::max_degree; ++degree)
      {
        Body<TypeParam> body(degree);
        const unsigned int n = body.dof_handler.n_dofs();
        dealii::FullMatrix<double> matrix(n);
        dealii::Vector<double> at_rest(n), u(n), forces(n);
        for (unsigned int i = 0; i < n; ++i)
          u(i) = std::sin(i + 1.);
        const auto type = face_type(TypeParam::cell_type);
        dealii::FEFaceValues<dim> values(
          *body.mapping, body.fe, cell_quadrature<dim - 1>(type, degree),
          dealii::update_values | dealii::update_quadrature_points |
            dealii::update_JxW_values);
        std::vector<dealii::types::global_dof_index> dofs(
          body.fe.n_dofs_per_cell());
        for (const auto &cell : body.dof_handler.active_cell_iterators())
          for (const unsigned int f : cell->face_indices())
            if (cell->face(f)->at_boundary())
              {
                values.reinit(cell, f);
                cell->get_dof_indices(dofs);
                for (const unsigned int q : values.quadrature_point_indices())
                  {
                    dealii::Tensor<2, dim> K;
                    dealii::Tensor<1, dim> u0;
                    spring(cell->face(f)->boundary_id(),
                           values.quadrature_point(q), K, u0);
                    for (unsigned int i = 0; i < dofs.size(); ++i)
                      {
                        const int c =
                          body.fe.system_to_component_index(i).first;
                        const double test =
                          values.shape_value(i, q) * values.JxW(q);
                        at_rest(dofs[i]) += (K * u0)[c] * test;
                        for (unsigned int j = 0; j < dofs.size(); ++j)
                          matrix(dofs[i], dofs[j]) +=
                            test * values.shape_value(j, q) *
                            K[c][body.fe.system_to_component_index(j).first];
                      }
                  }
              }

        const FlatProblem flat =
          flatten(*body.mapping, body.dof_handler,
                  dealii::AffineConstraints<double>(), Geometry::vertices);
        const auto space =
          std::make_shared<const Space>(build_space(flat.connectivity));
        const CellData<double> cells(space, Backend::host);
        const BoundaryFaces faces =
          boundary.faces(body.mesh, {*body.mapping, body.dof_handler});
        const BoundaryMatrices<double> of_springs(*space, faces, Backend::host);
        EXPECT_EQ(of_springs.n_components(), dim);
        const auto dof_of = [&](const unsigned int i) {
          return dof_of_entry(*space, flat.dofs, static_cast<int>(i));
        };
        // Springs have forces where u = 0 instead of loads.
        dealii::Vector<double> sum(n);
        for (const auto &[name, forces] : spring_forces(
               boundary, body.mesh, {*body.mapping, body.dof_handler},
               dealii::Vector<double>(n)))
          sum += forces;
        for (unsigned int i = 0; i < n; ++i)
          EXPECT_NEAR(sum(i), at_rest(i), 1e-13);
        for (unsigned int j = 0; j < n; j += 1 + n / 150)
          {
            auto x = cells.make_vector(), y = cells.make_vector();
            std::vector<double> unit(x.size(), 0.);
            unit[j] = 1;
            x.copy_from(unit);
            of_springs.apply_add(y, x, 1., Conflict::coloring);
            const auto column = y.to_vector();
            for (unsigned int i = 0; i < n; ++i)
              ASSERT_NEAR(column[i], matrix(dof_of(i), dof_of(j)), 1e-13);
          }

        matrix.vmult(forces, u);
        forces.sadd(-1, at_rest);
        std::vector<std::string> names;
        for (const auto &[name, of_spring] : spring_forces(
               boundary, body.mesh, {*body.mapping, body.dof_handler}, u))
          {
            names.push_back(name);
            forces -= of_spring;
          }
        EXPECT_LT(forces.linfty_norm(), 1e-12);
        EXPECT_EQ(names, (std::vector<std::string>{"Spring 1", "Spring 2",
                                                   "Spring 3"}));
      }
  }


  /// A side that resists in the direction x alone lets the body move along it.
  TYPED_TEST(SpringsOf, HoldABody)
  {
    constexpr int dim = TypeParam::dim;
    Body<TypeParam> body(1);
    const auto check = [&](const std::string &stiffness) {
      Springs<dim> parameters;
      parameters.add(1, "1", stiffness, "0");
      check_rigid_motions(
        body.mesh, {*body.mapping, body.dof_handler},
        dealii::AffineConstraints<double>(),
        springs(BoundaryConditions<dim>(parameters, kinds()), body.mesh,
                CellNodes<dim>{*body.mapping, body.dof_handler}));
    };
    EXPECT_NO_THROW(check("2"));
    EXPECT_NO_THROW(check(dim == 2 ? "2; 1" : "2; 1; 3"));
    EXPECT_THROW(check("0"), MeshError);
    try
      {
        check(dim == 2 ? "2; 0" : "2; 0; 0");
        ADD_FAILURE() << "a body that slides is not held";
      }
    catch (const MeshError &error)
      {
        EXPECT_NE(std::string(error.what()).find("move in the direction (0"),
                  std::string::npos)
          << error.what();
      }
  }


  TEST(Springs, WithNegativeEigenvaluesAreRefused)
  {
    Body<Cells<CellType::quadrilateral>> body(1);
    for (const std::string stiffness : {"-1", "1; -1", "1; 2; 1", "1; 0; x-9"})
      {
        Springs<2> parameters;
        parameters.add(1, "1", stiffness, "0");
        const BoundaryConditions<2> boundary(parameters, kinds());
        EXPECT_THROW(
          boundary.faces(body.mesh, {*body.mapping, body.dof_handler}),
          ParameterError);
        EXPECT_THROW(springs(boundary, body.mesh,
                             CellNodes<2>{*body.mapping, body.dof_handler}),
                     ParameterError);
      }
  }
} // namespace
