#include "load_body.h"

#include "contact_loads.h"
#include <tessera/base/error.h>
#include <tessera/fem/bridge/flatten.h>

#include <deal.II/base/function_lib.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <deal.II/numerics/vector_tools.h>

#include <gtest/gtest.h>

/// Forces on what of the surface lies foremost in a direction.
namespace
{
  using namespace tessera;
  using test::Body;
  using test::Cells;

  template <int dim>
  struct Contacts : Parameters
  {
    Contacts()
    {
      ContactLoads<dim>::declare(*this);
    }

    void
    add(const int number, const std::string &direction,
        const std::string &force, const std::string &tolerance = "1e-6")
    {
      const std::string section = "Loads/Contact " + std::to_string(number);
      set(section + "/Direction", direction);
      set(section + "/Force", force);
      set(section + "/Tolerance", tolerance);
    }
  };

  template <class C>
  class ContactsOf : public testing::Test
  {};

  using AllCells =
    testing::Types<Cells<CellType::quadrilateral>, Cells<CellType::hexahedron>,
                   Cells<CellType::triangle>, Cells<CellType::tetrahedron>>;

  TYPED_TEST_SUITE(ContactsOf, AllCells);


  /// On a flat side of the cube, of area 1, the force is a uniform traction.
  TYPED_TEST(ContactsOf, AFlatSideHasAUniformTraction)
  {
    constexpr int dim = TypeParam::dim;
    for (int degree = 1; degree <= TypeParam::max_degree; ++degree)
      {
        Body<TypeParam> body(degree, false);
        Contacts<dim> parameters;
        parameters.add(2, dim == 2 ? "0; 3" : "0; 3; 0",
                       dim == 2 ? "2; -5" : "2; -5; 7");
        dealii::Vector<double> traction(dim), expected;
        traction[0] = 2;
        traction[1] = -5;
        if (dim == 3)
          traction[dim - 1] = 7;
        auto loads = body.template apply<ContactLoads<dim>>(parameters);
        expected.reinit(loads.size());
        dealii::VectorTools::create_boundary_right_hand_side(
          *body.mapping, body.dof_handler,
          cell_quadrature<dim - 1>(face_type(TypeParam::cell_type), degree),
          dealii::Functions::ConstantFunction<dim>(traction), expected, {3});
        loads -= expected;
        EXPECT_LT(loads.linfty_norm(), 1e-13);
      }
  }


  /// A single number presses against the direction, of any length; faces that
  /// are turned away have less of it, so that the sum is the force.
  TYPED_TEST(ContactsOf, TheSumIsTheForce)
  {
    constexpr int dim = TypeParam::dim;
    Body<TypeParam> body(1);
    for (const std::string tolerance : {"0.3", "0.6", "1"})
      {
        Contacts<dim> parameters;
        parameters.add(1, dim == 2 ? "3; 4" : "3; 4; 0", "10", tolerance);
        const auto sum =
          body.sum(body.template apply<ContactLoads<dim>>(parameters));
        EXPECT_NEAR(sum[0], -6, 1e-12);
        EXPECT_NEAR(sum[1], -8, 1e-12);
      }
  }


  /// The share of a face is its oriented area: sides of a roof that are equally
  /// wide have equal shares, whatever their slope.
  TEST(Contacts, SharesAreOrientedAreas)
  {
    Body<Cells<CellType::quadrilateral>> body(1, false);
    dealii::GridTools::transform(
      [](const dealii::Point<2> &p) {
        return dealii::Point<2>(p[0], p[1] * (p[0] < 0.1   ? 1.
                                              : p[0] < 0.5 ? 1.2
                                              : p[0] < 0.9 ? 1.4
                                                           : 0.9));
      },
      body.mesh.triangulation());
    Contacts<2> parameters;
    parameters.add(1, "0; 1", "0; 1", "0.6");
    const auto loads = body.apply<ContactLoads<2>>(parameters);
    // The oriented area of a side is its width, 1/3; half goes to each node.
    for (unsigned int i = 0; i < loads.size(); ++i)
      {
        const auto x   = body.places[i];
        const bool top = x[1] > 0.8 && body.component(static_cast<int>(i)) == 1;
        const bool end = x[0] < 0.1 || x[0] > 0.9;
        EXPECT_NEAR(loads(i), top ? (end ? 1. / 6 : 1. / 3) : 0., 1e-14);
      }
  }


  TEST(Contacts, WhatCannotBeIsRefused)
  {
    Body<Cells<CellType::quadrilateral>> body(1);
    const auto apply = [&](const std::string &direction,
                           const std::string &force) {
      Contacts<2> parameters;
      parameters.add(1, direction, force);
      return body.apply<ContactLoads<2>>(parameters);
    };
    EXPECT_THROW(apply("0; 1", "1"), ParameterError); // the side is curved
    EXPECT_THROW(apply("0; 0", "1"), ParameterError);
    EXPECT_THROW(apply("1", "1"), ParameterError);
    EXPECT_THROW(apply("0; 1", "1; 2; 3"), ParameterError);
    EXPECT_THROW(apply("0; 1", "x"), ParameterError);
    EXPECT_THROW(apply("0; y", "1"), ParameterError);
  }
} // namespace
