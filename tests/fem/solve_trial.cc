#include "../../source/fem/driver/solve_trial.h"

#include <cmath>

#include "test.h"

namespace tessera
{
  namespace
  {
    CGControl
    control_of(const double tolerance)
    {
      CGControl result;
      result.relative_tolerance = tolerance;
      result.max_iterations     = 1000;
      return result;
    }

    /// Returns after how many of at most 100 iterations a trial ends if each
    /// one divides the residual, `first` in the beginning, by a tenth root of
    /// ten to some power.
    int
    end_of_trial(SolveTrial &trial, const double first,
                 const double decades_of_ten)
    {
      const CGControl control = trial.control();
      EXPECT_EQ(control.max_iterations, 100);
      for (int k = 0; k < 100; ++k)
        if (!control.progress(k,
                              first * std::pow(10., -k * decades_of_ten / 10)))
          return k;
      return 100;
    }

    CGResult
    result_of(const int iterations, const SolveEnd end)
    {
      CGResult result;
      result.iterations       = iterations;
      result.end              = end;
      result.initial_residual = 1. / iterations;
      result.history.assign(iterations + 1, 1.);
      return result;
    }
  } // namespace


  TEST(SolveTrial, EndsAfterAQuarterIfMuchIsLeft)
  {
    const CGControl control = control_of(1e-10);
    SolveTrial slow(control, 100, 1.), quick(control, 100, 1.);
    EXPECT_EQ(end_of_trial(slow, 1, 0.2), 25); // 500 iterations are expected
    EXPECT_TRUE(slow.is_too_slow(result_of(25, SolveEnd::interrupted)));
    EXPECT_EQ(slow.text(result_of(25, SolveEnd::interrupted)),
              "has not converged in 25 iterations and would take about 500 "
              "iterations");
    EXPECT_EQ(end_of_trial(quick, 1, 0.3), 100); // 333
    EXPECT_FALSE(quick.is_too_slow(result_of(25, SolveEnd::interrupted)));
    EXPECT_TRUE(quick.is_too_slow(result_of(100, SolveEnd::iteration_limit)));
    EXPECT_FALSE(
      quick.is_too_slow(result_of(9, SolveEnd::operator_indefinite)));
  }


  TEST(SolveTrial, ASolveThatBeginsNearItsEndHasLessLeft)
  {
    const CGControl control = control_of(1e-10);
    SolveTrial trial(control, 100, 1.);
    EXPECT_EQ(end_of_trial(trial, 1e-8, 0.2), 100); // two decades are left
  }


  TEST(SolveTrial, ResidualsThatAreNoNumbersDoNotEndIt)
  {
    const CGControl control = control_of(1e-10);
    SolveTrial trial(control, 100, 1.);
    const CGControl of_trial = trial.control();
    EXPECT_TRUE(of_trial.progress(0, 1.));
    EXPECT_TRUE(of_trial.progress(50, std::nan("")));
  }


  TEST(SolveTrial, ResultsAreJoined)
  {
    const CGControl control = control_of(1e-10);
    SolveTrial trial(control, 100, 1.);
    const CGResult tried = result_of(100, SolveEnd::iteration_limit);
    EXPECT_EQ(trial.rest(tried).max_iterations, 900);
    EXPECT_EQ(trial.rest(result_of(2000, SolveEnd::no_progress)).max_iterations,
              0);
    const CGResult joined =
      SolveTrial::joined(tried, result_of(7, SolveEnd::converged));
    EXPECT_EQ(joined.iterations, 107);
    EXPECT_EQ(joined.initial_residual, 0.01);
    EXPECT_EQ(joined.history.size(), 108u);
  }
} // namespace tessera
