#include "load_body.h"

#include "point_loads.h"
#include <tessera/base/error.h>

#include <gtest/gtest.h>

/// Forces at points.
namespace
{
  using namespace tessera;
  using test::Body;
  using test::Cells;

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
