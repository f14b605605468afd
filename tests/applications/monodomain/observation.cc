#include "cell_models/activation.h"
#include "cell_models/stimulus.h"
#include "cell_models/traces.h"

#include <cmath>
#include <stdexcept>

#include "problems.h"
#include "test.h"

using namespace tessera;

namespace
{
  Vector<double>
  vector_of(const Backend backend, std::vector<double> values)
  {
    const int n = static_cast<int>(values.size());
    Vector<double> vector(backend, n, 2);
    values.resize(n + 2, 0.);
    vector.copy_from(values);
    return vector;
  }
} // namespace

TEST(ActivationTest, TimesOfCrossingsAreInterpolated)
{
  for (const Backend backend : test::backends())
    {
      Activation<double> activation(backend, 5, 0, -70);
      // Node 0 rises and falls, 1 rises twice, 2 begins activated, 3 stays, and
      // 4 hits both thresholds.
      const std::vector<std::vector<double>> potentials = {
        {-80, -80, 10, -80, -80},
        {20, -20, -75, -1, 0},
        {-60, 20, -80, -1, 0},
        {-100, -10, 10, -1, -70},
        {-100, 30, -90, -80, -80}};
      for (std::size_t k = 0; k + 1 < potentials.size(); ++k)
        activation.observe(vector_of(backend, potentials[k]),
                           vector_of(backend, potentials[k + 1]), 2. * k, 2.);
      const auto up   = activation.activation_times(),
                 down = activation.repolarisation_times();
      EXPECT_DOUBLE_EQ(up[0], 2 * 0.8);
      EXPECT_DOUBLE_EQ(down[0], 4 + 2 * 0.25);
      EXPECT_DOUBLE_EQ(up[1], 2 + 2 * 0.5);
      EXPECT_TRUE(std::isnan(down[1]));
      EXPECT_DOUBLE_EQ(up[2], 4 + 2 * (80. / 90));
      EXPECT_DOUBLE_EQ(down[2], 6 + 2 * 0.8);
      EXPECT_TRUE(std::isnan(up[3]));
      EXPECT_TRUE(std::isnan(down[3]));
      EXPECT_DOUBLE_EQ(up[4], 2);
      EXPECT_DOUBLE_EQ(down[4], 6);
    }
}

TEST(StimulusTest, PulsesActFromStartToEnd)
{
  const Pulses once{2, 3, 0, 1};
  EXPECT_FALSE(once.act_at(1.9));
  EXPECT_TRUE(once.act_at(2.1));
  EXPECT_TRUE(once.act_at(4.9));
  EXPECT_FALSE(once.act_at(5.1));
  EXPECT_FALSE(once.act_at(50));
  const Pulses again{2, 3, 10, 1};
  EXPECT_TRUE(again.act_at(12.1));
  EXPECT_FALSE(again.act_at(15.1));
  EXPECT_TRUE(again.act_at(34));
  EXPECT_FALSE(again.act_at(1));
}

TEST(StimulusTest, SumsFollowTheTime)
{
  for (const Backend backend : test::backends())
    {
      constexpr int n = 40;
      Stimuli<double> stimuli(backend, n);
      std::vector<int> first, second;
      for (int i = 0; i < n; ++i)
        {
          if (i % 3 == 0)
            first.push_back(i);
          if (i > 30)
            second.push_back(i);
        }
      stimuli.add({1, 2, 0, 5}, first);
      stimuli.add({2, 2, 10, -3}, second);
      EXPECT_EQ(stimuli.events(13), (std::vector<double>{1, 2, 3, 4, 12}));
      const auto expect = [&](const double time, const double a,
                              const double b) {
        const double *const sum = stimuli.in_step(time - 0.05, 0.1);
        ASSERT_NE(sum, nullptr);
        const auto values = test::copy_of(backend, sum, n);
        for (int i = 0; i < n; ++i)
          EXPECT_EQ(values[i], (i % 3 == 0 ? a : 0) + (i > 30 ? b : 0)) << i;
      };
      EXPECT_EQ(stimuli.in_step(0.4, 0.1), nullptr);
      expect(1.5, 5, 0);
      expect(2.5, 5, -3);
      expect(2.6, 5, -3);
      expect(3.5, 0, -3);
      EXPECT_EQ(stimuli.in_step(4.5, 1), nullptr);
      expect(13, 0, -3);
      EXPECT_THROW(stimuli.add({}, {n}), std::length_error);
      EXPECT_THROW(stimuli.add({}, {1, 2}, {0}), std::length_error);
    }
}

// A stimulus runs from node to node, and again after a period.
TEST(StimulusTest, NodesBeginOneAfterAnother)
{
  for (const Backend backend : test::backends())
    {
      constexpr int n = 40;
      Stimuli<double> stimuli(backend, n);
      std::vector<int> nodes;
      std::vector<double> delays;
      for (int i = 3; i < n; ++i)
        {
          nodes.push_back(i);
          delays.push_back(0.5 * (i - 3));
        }
      stimuli.add({1, 2, 30, 7, delays.back()}, nodes, delays);
      EXPECT_EQ(stimuli.events(40), (std::vector<double>{1, 21, 31}));
      for (const double time : {1.25, 1.75, 11.25, 20.75, 36.25})
        {
          const double since = time > 31 ? time - 31 : time - 1;
          const auto values =
            test::copy_of(backend, stimuli.in_step(time - 0.25, 0.5), n);
          for (int i = 0; i < n; ++i)
            {
              const bool acts =
                i >= 3 && since >= 0.5 * (i - 3) && since < 0.5 * (i - 3) + 2;
              EXPECT_EQ(values[i], acts ? 7 : 0) << i << " at " << time;
            }
        }
      EXPECT_EQ(stimuli.in_step(0.4, 0.1), nullptr);
      EXPECT_EQ(stimuli.in_step(21.25, 0.5), nullptr);
      // A step that is longer than a pulse, from 1 to 4 after the beginning.
      const auto parts = test::copy_of(backend, stimuli.in_step(2, 3), n);
      for (int i = 3; i < n; ++i)
        {
          const double delay = 0.5 * (i - 3);
          const double part =
            std::max(0., std::min(4., delay + 2) - std::max(1., delay)) / 3;
          EXPECT_NEAR(parts[i], 7 * part, 1e-14) << i;
        }
    }
}

TEST(StimulusTest, StepsHitEvents)
{
  const auto steps = time_steps(1, 0.3, {0.5, 0.5 + 1e-14, 2});
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_DOUBLE_EQ(steps[0], 0.25);
  EXPECT_EQ(steps[1], 0.5);
  EXPECT_DOUBLE_EQ(steps[2], 0.75);
  EXPECT_EQ(steps[3], 1.);
  EXPECT_EQ(time_steps(1, 0.1, {}).size(), 10u);
  EXPECT_EQ(time_steps(1, 5, {}).size(), 1u);
}

TEST(TracesTest, ValuesAtPointsAreRecorded)
{
  for (const Backend backend : test::backends())
    {
      Traces<double> traces(backend, {{{0, 2}, {0.25, 0.75}}, {{1}, {1.}}}, 2);
      traces.sample(0.5, vector_of(backend, {1, 2, 3}));
      EXPECT_FALSE(traces.full());
      traces.sample(1, vector_of(backend, {4, 6, 8}));
      EXPECT_TRUE(traces.full());
      EXPECT_THROW(traces.sample(2, vector_of(backend, {4, 6, 8})),
                   std::length_error);
      const auto samples = traces.take();
      EXPECT_EQ(samples.times, (std::vector<double>{0.5, 1}));
      EXPECT_EQ(samples.values, (std::vector<double>{2.5, 2, 7, 6}));
      traces.sample(3, vector_of(backend, {8, 6, 8}));
      EXPECT_EQ(traces.take().values, (std::vector<double>{8, 6}));
    }
}
