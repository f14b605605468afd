#include <tessera/base/array.h>
#include <tessera/base/runtime.h>
#include <tessera/program/timing.h>

#include "test.h"

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

using namespace tessera;
using namespace tessera::program;

TEST(Timing, StatisticsByHand)
{
  // Eleven values 1..11 in disorder, one of which is an outlier; percentiles
  // are at places 1.6 and 8.4 of 0..10.
  const Statistics s = statistics({4, 1000, 2, 3, 1, 5, 10, 7, 8, 9, 6}, 2);
  EXPECT_DOUBLE_EQ(s.min, 1);
  EXPECT_DOUBLE_EQ(s.median, 6);
  EXPECT_DOUBLE_EQ(s.spread, (9.4 - 2.6) / 2);
  EXPECT_EQ(s.n_samples, 11);
  EXPECT_EQ(s.repetitions, 2);
  EXPECT_DOUBLE_EQ(statistics({3, 1}).median, 2);
  EXPECT_DOUBLE_EQ(statistics({3}).spread, 0);
}

TEST(Timing, MeasureSleepsOnTheHost)
{
  int calls = 0;
  MeasureOptions options;
  options.n_samples  = 5;
  options.warm_up    = 2;
  const Statistics s = measure(
    Backend::host, {},
    [&]() {
      ++calls;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    },
    options);
  EXPECT_EQ(s.repetitions, 1);
  EXPECT_EQ(calls, 7);
  EXPECT_EQ(s.n_samples, 5);
  EXPECT_GE(s.min, 1e-3);
  EXPECT_LE(s.min, s.median);
}

TEST(Timing, ShortWorkIsRepeated)
{
  for (const Backend backend : test::backends())
    {
      const Statistics s = measure(backend, {}, []() {});
      EXPECT_GT(s.repetitions, 1);
      EXPECT_EQ(s.n_samples, 20);
    }
}

TEST(Timing, GraphsAreReplayed)
{
  const auto backends = test::backends();
  if (std::count(backends.begin(), backends.end(), Backend::cuda) == 0)
    GTEST_SKIP();
  // The recorded work, which sets a byte, must run in every replay.
  Array<unsigned char> bytes(Backend::cuda, 1);
  MeasureOptions options;
  options.n_samples  = 5;
  const Statistics s = measure_in_graph(
    4,
    [&](const Stream stream) {
      runtime::fill_async(bytes.data(), 7, 1, stream);
    },
    options);
  EXPECT_EQ(bytes.to_vector()[0], 7);
  EXPECT_EQ(s.n_samples, 5);
  EXPECT_EQ(s.repetitions % 4, 0);
  EXPECT_GT(s.min, 0);
}

TEST(Timing, PreparationIsNotTimed)
{
  int prepared = 0;
  MeasureOptions options;
  options.n_samples = 4;
  options.before    = [&]() {
    ++prepared;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  const Statistics s = measure(
    Backend::host, {}, []() {}, options);
  EXPECT_EQ(prepared, 4);
  EXPECT_LT(s.min, 1e-3);
}

TEST(Timing, SamplingStopsEarly)
{
  MeasureOptions options;
  options.total_seconds = 0;
  EXPECT_EQ(measure(
              Backend::host, {}, []() {}, options)
              .n_samples,
            3);
  options.go_on = []() { return false; };
  EXPECT_EQ(measure(
              Backend::host, {}, []() {}, options)
              .n_samples,
            1);
}

TEST(Timing, CopyBandwidthCountsReadAndWrittenBytes)
{
  const std::size_t n = 1 << 26;
  for (const Backend backend : test::backends())
    if (backend == Backend::cuda)
      {
        const double bandwidth = copy_bandwidth(backend, n);
        EXPECT_GT(bandwidth, 1e8);
        EXPECT_LT(bandwidth, 1e14);
      }
  // Both copies are made by one thread, in arrays of one kind. Other work on
  // the machine makes either slower, so that the best of several attempts
  // count.
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const Array<char> from(Backend::host, n);
  Array<char> to(Backend::host, n);
  double measured = 0, expected = 0, ratio = 0;
  for (int attempt = 0; attempt < 20 && !(ratio > 0.7 && ratio < 1.4);
       ++attempt)
    {
      const double seconds = measure(Backend::host, {}, [&]() {
                               std::memcpy(to.data(), from.data(), n);
                             }).median;
      expected             = std::max(expected, 2. * n / seconds);
      measured = std::max(measured, copy_bandwidth(Backend::host, n));
      ratio    = measured / expected;
    }
  omp_set_num_threads(threads);
  EXPECT_GT(ratio, 0.7);
  EXPECT_LT(ratio, 1.4);
}
