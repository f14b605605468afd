#include "all_models.h"
#include "cell_models/cell_model.h"

#include <algorithm>
#include <cmath>
#include <map>

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

namespace
{
  /// The potential of a cell of O'Hara and Rudy in a beat of 1000 ms, after
  /// each step, and the states after it.
  struct Beat
  {
    Beat(const int steps_per_ms, const int order,
         const std::string &variant = "")
      : step(1. / steps_per_ms)
    {
      using Model         = OharaRudy;
      const CellModel all = cell_model("ohara_rudy");
      const auto values   = all.values(variant, {});
      double p[Model::n_parameters];
      std::copy(values.begin(), values.end(), p);
      for (int i = 0; i < Model::n_states; ++i)
        y[i] = all.states[i].value;
      for (int k = 0; k < 1000 * steps_per_ms; ++k)
        {
          // 80 uA/uF for 0.5 ms, as in the paper.
          advance_cell<Model>(y, p, 2 * k < steps_per_ms ? 80. : 0., step, 1,
                              order);
          potential.push_back(y[0]);
        }
    }

    /// From the steepest rise to 90 % of repolarisation.
    double
    duration() const
    {
      std::size_t steepest = 1;
      for (std::size_t k = 1; k < potential.size(); ++k)
        if (potential[k] - potential[k - 1] >
            potential[steepest] - potential[steepest - 1])
          steepest = k;
      const auto peak = std::max_element(potential.begin(), potential.end());
      const double level =
        *peak - 0.9 * (*peak - cell_model("ohara_rudy").states[0].value);
      auto last = peak;
      while (*last > level)
        ++last;
      const double part = (last[-1] - level) / (last[-1] - last[0]);
      return step * (last - 1 - potential.begin() + part - double(steepest));
    }

    double step, y[OharaRudy::n_states];
    std::vector<double> potential;
  };
} // namespace

TEST(OHaraRudyTest, BeatsAsPublished)
{
  const Beat beat(50, 2);
  const CellModel model = cell_model("ohara_rudy");
  // The initial values are the steady state at 1 Hz, so that a beat ends where
  // it began.
  for (int i = 0; i < OharaRudy::n_states; ++i)
    EXPECT_NEAR(beat.y[i], model.states[i].value,
                1e-4 * std::abs(model.states[i].value))
      << model.states[i].name;
  // The steady state at 1 Hz that files of the published model begin with.
  const std::map<std::string, double> published = {
    {"V", -88.0019},    {"Nai", 7.26800},   {"Ki", 144.6556},  {"Cai", 8.6e-5},
    {"Cansr", 1.61957}, {"Cajsr", 1.57123}, {"m", 7.34412e-3}, {"hf", 0.698107},
    {"j", 0.697991},    {"mL", 1.88262e-4}, {"hL", 0.500855}};
  for (int i = 0; i < OharaRudy::n_states; ++i)
    if (const auto found = published.find(model.states[i].name);
        found != published.end())
      EXPECT_NEAR(beat.y[i], found->second, 3e-3 * std::abs(found->second))
        << found->first;
  // About 270 ms in the figures of the paper.
  EXPECT_NEAR(beat.duration(), 267.8, 0.5);
  EXPECT_NEAR(*std::max_element(beat.potential.begin(), beat.potential.end()),
              40, 1);
  EXPECT_NEAR(Beat(50, 2, "epi").duration(), 237, 2);
  EXPECT_NEAR(Beat(50, 2, "M").duration(), 375, 2);
}

TEST(OHaraRudyTest, ShorterStepsConverge)
{
  using Model = OharaRudy;
  // The potential 20 ms after it was raised to -40 mV, with n steps a ms.
  const auto after = [](const int n, const int order) {
    double p[Model::n_parameters], y[Model::n_states];
    for (int i = 0; i < Model::n_parameters; ++i)
      p[i] = Model::parameters()[i].value;
    for (int i = 0; i < Model::n_states; ++i)
      y[i] = Model::states()[i].value;
    y[0] = -40;
    advance_cell<Model>(y, p, 0., 1. / n, 20 * n, order);
    return y[0];
  };
  const double limit = after(400, 2);
  const auto error   = [&](const int n, const int order) {
    return std::abs(after(n, order) - limit);
  };
  EXPECT_NEAR(std::log2(error(100, 1) / error(200, 1)), 1, 0.1);
  EXPECT_LT(error(50, 2), 0.02 * error(50, 1));
  EXPECT_LT(error(200, 2), 1e-3);
}
