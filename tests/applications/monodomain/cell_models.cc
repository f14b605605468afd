#include "all_models.h"

#include <algorithm>
#include <cmath>

#include "hand_written_cell.h"
#include "problems.h"
#include "test.h"

using namespace tessera;

TEST(CellModelTest, ATextGivesTheRatesThatAreWrittenByHand)
{
  using Model             = TenTusscherPanfilov;
  constexpr int n         = HandWrittenCell::n_states;
  constexpr int n_samples = 1000;
  static_assert(Model::n_states == n && Model::n_gates == 12 &&
                Model::n_tabulated == 11);
  const auto states     = Model::states();
  const auto parameters = Model::parameters();
  const auto random     = test::random_values<double>(n_samples * 45, 5);
  for (int sample = 0; sample < n_samples; ++sample)
    {
      const double *const by = random.data() + sample * 45;
      double y[n], p[Model::n_parameters];
      for (int i = 0; i < n; ++i)
        y[i] = states[i].value * (1 + 0.3 * by[i]);
      y[0] = -20 + 80 * by[0];
      for (int i = 0; i < Model::n_parameters; ++i)
        p[i] = parameters[i].value * (1 + 0.1 * by[n + i]);
      CellRates<double, n> expected, found;
      HandWrittenCell::rates(y, p, 1.5, expected);
      Model::rates(y, p, 1.5, found);
      for (int i = 1; i <= Model::n_gates; ++i)
        {
          ASSERT_NEAR(found.limit[i], expected.limit[i],
                      1e-14 * expected.limit[i]);
          ASSERT_NEAR(found.rate[i], expected.rate[i],
                      1e-14 * expected.rate[i]);
        }
      // Terms that cancel are up to 1e4 times as large as their sum.
      for (int i = 0; i < n; ++i)
        if (i == 0 || i > Model::n_gates)
          ASSERT_NEAR(found.derivative[i], expected.derivative[i],
                      1e-11 * std::abs(expected.derivative[i]) + 1e-16)
            << states[i].name;
    }
}
