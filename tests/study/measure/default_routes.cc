#include "row_choices.h"

#include <tessera/operators/factory.h>

#include <gtest/gtest.h>

namespace
{
  using namespace tessera;
  using Routes = std::vector<std::string>;

  TEST(DefaultRoutes, AreThoseOfTheLibrary)
  {
    benchmarks::Sweep sweep;
    Space space;
    space.cell_type = CellType::quadrilateral;
    sweep.backend   = Backend::cuda;
    EXPECT_EQ(benchmarks::routes("csr", sweep, space), Routes{"gather"});
    for (const Backend backend : {Backend::host, Backend::cuda})
      for (const std::string &name : row_operator_names())
        {
          sweep.backend = backend;
          EXPECT_EQ(benchmarks::routes(name, sweep, space),
                    Routes{to_string(
                      default_route(name, space.cell_type, 1, 1, backend))})
            << name;
        }
    EXPECT_EQ(benchmarks::routes("matrix_free", sweep, space), Routes{""});
    sweep.routes = {"scatter"};
    EXPECT_EQ(benchmarks::routes("csr", sweep, space), Routes{"scatter"});
  }
} // namespace
