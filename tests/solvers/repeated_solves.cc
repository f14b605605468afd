// A hundred problems, from mesh to solution, must leave no memory behind.

#include <tessera/base/device_memory.h>
#include <tessera/forms/laplace.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>
#include <tessera/space/generator.h>

#include <malloc.h>

#include "test.h"

namespace tessera
{
  using namespace test;

  /// Returns the bytes of the heap that are in use.
  std::size_t
  heap()
  {
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
  }

  void
  solve(const std::string &name, const Backend backend, const int n)
  {
    GeneratedMesh parameters;
    parameters.n_x = parameters.n_y = n;
    parameters.degree               = 2;
    const Problem<double> problem(
      std::make_shared<const Space>(build_space(generate(parameters))),
      backend);
    const Coefficient one{Coefficient::Kind::uniform, 1, {1.}};
    const auto A = problem.make_operator(name, laplace(one));
    auto x       = problem.make_vector();
    const Jacobi<double> preconditioner(*A);
    CG<double> cg(*A, preconditioner);
    EXPECT_TRUE(cg.solve(x, problem.right_hand_side(one), {}).converged);
  }

  class RepeatedSolves : public testing::TestWithParam<std::string>
  {};

  TEST_P(RepeatedSolves, LeaveNothing)
  {
    for (const Backend backend : backends())
      {
        SCOPED_TRACE(to_string(backend));
        const std::uint64_t on_device = device_memory_in_use();
        std::size_t heap_before       = 0;
        const int n = is_watched() ? 2 : 100; // sanitizers watch the heap
        for (int i = 0; i < n; ++i)
          {
            if (i == 10) // libraries now have their own memory
              heap_before = heap();
            solve(GetParam(), backend, 4 + i % 3);
            ASSERT_EQ(device_memory_in_use(), on_device);
          }
        if (!is_watched()) // a problem takes at least 50 KB
          EXPECT_LT(heap(), heap_before + 50000);
      }
  }

  INSTANTIATE_TEST_SUITE_P(, RepeatedSolves,
                           testing::ValuesIn(operator_names()),
                           [](const auto &info) { return info.param; });
} // namespace tessera
