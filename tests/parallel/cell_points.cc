#include <tessera/base/runtime.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/driver/discretization.h>
#include <tessera/fem/fields/coefficients.h>
#include <tessera/fem/fields/errors.h>

#include <cmath>
#include <numeric>

#include "division_of_test.h"
#include "test.h"

// Every process evaluates formulas and errors at the points of its own cells.
namespace tessera
{
  namespace
  {
    struct CaseParameters : Parameters
    {
      CaseParameters()
      {
        declare_discretization(*this, true);
        LinearSolver::declare(*this);
        MaterialExpression<2>::declare(*this, "Coefficient", "Expression", "1",
                                       "");
        ExactSolution<2>::declare(*this);
        set("Mesh/Initial refinement", "3");
        set("Mesh/Distortion", "0.15");
        set("Coefficient/Expression", "1 + x * y + y^2");
        set("Exact solution/Function expression", "sin(3 * x) * y");
      }
    };

    /// A case with degree 2 in all processes.
    struct Case
    {
      explicit Case(const Backend backend)
      {
        d.backend              = backend;
        d.division             = division();
        d.entry.problem.degree = 2;
        d.make_mesh();
        d.build([]() {
          dealii::AffineConstraints<double> none;
          none.close();
          return none;
        });
      }

      const CaseParameters parameters;
      const LinearSolver solver{parameters};
      Discretization<2> d{parameters, solver};
    };

    void
    check(const Backend backend)
    {
      const Case of_case(backend);
      const auto &d      = of_case.d;
      const Space &space = *d.space;
      const auto cells =
        backend == Backend::host
          ? std::make_shared<const CellData<double>>(d.space, backend)
          : d.device_cells();
      ASSERT_NE(cells, nullptr);

      const MaterialExpression<2> kappa(of_case.parameters, "Coefficient",
                                        "Expression", MaterialValues::scalar);
      const Coefficient should = kappa.coefficient(d.mesh(), space),
                        packed = kappa.coefficient(d.mesh(), space, cells);
      ASSERT_NE(packed.packed, nullptr);
      const auto found = on_host(packed).values;
      ASSERT_EQ(found.size(), should.values.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_NEAR(found[i], should.values[i], 1e-13);
      // The integral over the square is 1 + 1/4 + 1/3.
      std::vector<double> sum{integrals(*packed.packed)[0]};
      sum_up(division(), sum);
      EXPECT_NEAR(sum[0], 1 + 0.25 + 1. / 3, 1e-13);

      const auto exact = ExactSolution<2>::read(of_case.parameters);
      dealii::Vector<double> u(d.cells().n_dofs());
      for (unsigned int i = 0; i < u.size(); ++i)
        u[i] = std::sin(1. + i);
      std::vector<double> values(u.begin(), u.end());
      d.import(values); // ghosts have the values of their owners
      const auto local = local_values(
        space, dealii::Vector<double>(values.begin(), values.end()),
        d.flat.dofs);
      const ErrorNorms host = error_norms(space, local, *exact, division()),
                       same =
                         error_norms(space, local, *exact, division(), cells);
      EXPECT_GT(host.L2, 0.1);
      EXPECT_NEAR(same.L2, host.L2, 1e-12);
      EXPECT_NEAR(same.H1, host.H1, 1e-10 * host.H1);
      EXPECT_NEAR(same.L2_of_exact, host.L2_of_exact, 1e-12);
      EXPECT_NEAR(same.H1_of_exact, host.H1_of_exact, 1e-9);
    }
  } // namespace


  TEST(CellPoints, OfEveryProcess)
  {
    check(Backend::host);
    if (runtime::is_shim())
      check(Backend::cuda);
  }
} // namespace tessera
