#include "test.h"

#include <tessera/base/grid_sums.cuh>
#include <tessera/base/hand_over.cuh>
#include <tessera/base/launch.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <stdexcept>

using namespace tessera;

// Tests kernels on fibers: barriers order what they order on a device, and what
// would hang or go wrong on a device is an error.
namespace
{
  using Kernel = std::function<void()>;

  /// Runs threads in three phases: each stores a value, reads the value of the
  /// next thread, and overwrites its own.
  void
  rotate(int *values, int *seen)
  {
    const int n = shim::current.n_threads, thread = device::thread_index();
    const int first        = n * device::block_index();
    values[first + thread] = 100 * device::block_index() + thread;
    device::barrier();
    const int next = values[first + (thread + 1) % n];
    device::barrier();
    values[first + thread] = -1;
    seen[first + thread]   = next;
  }

  void
  expect_divergent(const int n_threads, const Kernel &kernel)
  {
    EXPECT_THROW(shim::run(2, n_threads, kernel), std::logic_error);
    // A launch after the error must work.
    std::vector<int> values(3 * 40), seen(3 * 40);
    shim::run(3, 40, [&]() { rotate(values.data(), seen.data()); });
    for (int i = 0; i < 3 * 40; ++i)
      ASSERT_EQ(seen[i], 100 * (i / 40) + (i + 1) % 40);
  }

  template <int threads>
  void
  sum_up(const double *values, const int n, const GridSum where)
  {
    const int i = device::block_index() * threads + device::thread_index();
    const double value = i < n ? values[i] : 0.;
    double mine[]      = {value, 2 * value, -value};
    device::grid_sums<threads>(mine, device::block_index(), where);
  }

  template <int threads>
  void
  add_up_parts(const GridSum where, double *const of_thread)
  {
    of_thread[device::thread_index()] = device::whole_sum<threads>(where);
  }
} // namespace

TEST(Shim, BarriersOrderPhases)
{
  for (const int n_threads : {1, 31, 32, 33, 70, 128})
    {
      std::vector<int> values(3 * n_threads), seen(3 * n_threads);
      launch(rotate, {3, n_threads}, {}, values.data(), seen.data());
      for (int i = 0; i < 3 * n_threads; ++i)
        {
          EXPECT_EQ(values[i], -1);
          EXPECT_EQ(seen[i],
                    100 * (i / n_threads) + (i % n_threads + 1) % n_threads);
        }
    }
}

TEST(Shim, EveryThreadOfEveryBlockRunsOnce)
{
  std::vector<int> visits(5 * 40, 0);
  shim::run(5, 40, [&]() {
    EXPECT_EQ(device::n_blocks(), 5);
    ++visits[40 * device::block_index() + device::thread_index()];
  });
  EXPECT_EQ(visits, std::vector<int>(5 * 40, 1));
  launch(rotate, {0, 40}, {}, static_cast<int *>(nullptr),
         static_cast<int *>(nullptr));
}

TEST(Shim, TheOrderOfThreadsChangesWithEveryLaunch)
{
  for (const int n_threads : {1, 31, 33, 96})
    {
      std::vector<std::vector<int>> orders(8);
      for (auto &order : orders)
        {
          shim::run(1, n_threads,
                    [&]() { order.push_back(device::thread_index()); });
          std::vector<int> sorted = order;
          std::sort(sorted.begin(), sorted.end());
          for (int thread = 0; thread < n_threads; ++thread)
            EXPECT_EQ(sorted[thread], thread);
        }
      if (n_threads > 1 && std::getenv("TESSERA_SHIM_SEED") == nullptr)
        EXPECT_NE(orders, std::vector<std::vector<int>>(8, orders[0]));
    }
}

TEST(Shim, LastBlockMayBePartial)
{
  const int n = 100;
  std::vector<int> doubled(n, 0);
  shim::run(4, 32, [&]() {
    const int i = 32 * device::block_index() + device::thread_index();
    if (i < n)
      doubled[i] = i;
    device::barrier();
    if (i < n)
      doubled[i] *= 2;
  });
  for (int i = 0; i < n; ++i)
    EXPECT_EQ(doubled[i], 2 * i);
}

TEST(Shim, ABarrierThatNotAllReachIsAnError)
{
  const auto barrier_if = [](const auto &condition) {
    return [condition]() {
      if (condition(device::thread_index()))
        device::barrier();
    };
  };
  // The barrier is reached by one thread, one warp, all but one thread.
  expect_divergent(64, barrier_if([](const int t) { return t == 3; }));
  expect_divergent(64, barrier_if([](const int t) { return t < 32; }));
  expect_divergent(33, barrier_if([](const int t) { return t < 32; }));
  // One thread leaves early, while the others go on to a second barrier.
  expect_divergent(32, []() {
    device::barrier();
    if (device::thread_index() == 31)
      return;
    device::barrier();
  });
}

TEST(Shim, ABlockOfMoreThreadsThanADeviceAllowsIsAnError)
{
  int n = 0;
  shim::run(1, 1024, [&]() { ++n; });
  EXPECT_EQ(n, 1024);
  EXPECT_THROW(shim::run(1, 1025, []() {}), std::logic_error);
}

TEST(Shim, AShuffleThatNotAllLanesReachIsAnError)
{
  expect_divergent(32, []() {
    if (device::thread_index() < 16)
      device::shuffle_down(1., 8);
  });
  // Some lanes are at a shuffle while the others wait at a barrier.
  expect_divergent(64, []() {
    if (device::thread_index() % 2 == 0)
      device::shuffle_down(1., 8);
    else
      device::barrier();
  });
}

TEST(Shim, AShuffleFromALaneThatIsNotThereIsAnError)
{
  std::vector<double> seen(40);
  const auto shuffle = [&](const int width) {
    const int thread = device::thread_index();
    seen[thread]     = device::shuffle_down(double(thread), 4, width);
  };
  shim::run(1, 40, [&]() { shuffle(8); });
  EXPECT_EQ(seen[35], 39);
  EXPECT_THROW(shim::run(1, 40, [&]() { shuffle(16); }), std::logic_error);
}

TEST(Shim, WarpsMayShuffleApart)
{
  std::vector<int> seen(64, -1);
  shim::run(1, 64, [&]() {
    const int thread = device::thread_index();
    seen[thread]     = thread;
    if (thread >= 32)
      for (int k = 0; k < 3; ++k)
        seen[thread] = device::shuffle_down(seen[thread], 1);
    device::barrier();
  });
  for (int t = 0; t < 64; ++t)
    EXPECT_EQ(seen[t], t < 32 ? t : std::min(t + 3, 63));
}

TEST(Shim, PassesOnWhatAThreadThrows)
{
  for (const int thrower : {0, 17, 45})
    try
      {
        shim::run(3, 64, [&]() {
          device::barrier();
          if (device::block_index() == 1 && device::thread_index() == thrower)
            throw std::out_of_range("thread " + std::to_string(thrower));
          device::barrier();
        });
        ADD_FAILURE() << "nothing was thrown";
      }
    catch (const std::out_of_range &error)
      {
        EXPECT_EQ(error.what(), "thread " + std::to_string(thrower));
        EXPECT_EQ(shim::current.block, 1);
      }
}

TEST(Shim, ShufflesReadTheLaneTheyName)
{
  for (const int width : {2, 8, 16, 32})
    for (const int offset : {1, 3, 8, 16})
      {
        std::vector<double> seen(96);
        shim::run(1, 96, [&]() {
          const int thread = device::thread_index();
          seen[thread]     = device::shuffle_down(0.5 * thread, offset, width);
        });
        for (int t = 0; t < 96; ++t)
          EXPECT_EQ(seen[t],
                    0.5 * (t % width + offset < width ? t + offset : t));
      }

  std::vector<float> up(64);
  shim::run(1, 64, [&]() {
    const int thread = device::thread_index();
    up[thread]       = device::shuffle_up_one(float(thread));
  });
  for (int t = 0; t < 64; ++t)
    EXPECT_EQ(up[t], t % 32 == 0 ? t : t - 1);
}

TEST(Shim, ExchangesReadAnyLaneOfTheWarp)
{
  // Two exchanges follow each other directly: values of the second must not
  // reach lanes that still read the first.
  std::vector<std::int64_t> first(64), second(64);
  shim::run(1, 64, [&]() {
    const int thread = device::thread_index(), lane = thread % 32;
    const std::int64_t mine = (std::int64_t(1) << 40) + thread;
    std::int64_t got[2];
    shim::exchange(&mine, sizeof(mine), 31 - lane, &got[0]);
    shim::exchange(&got[0], sizeof(mine), lane * 5 % 32, &got[1]);
    first[thread]  = got[0];
    second[thread] = got[1];
  });
  for (int t = 0; t < 64; ++t)
    {
      const std::int64_t warp = (std::int64_t(1) << 40) + t / 32 * 32;
      EXPECT_EQ(first[t], warp + 31 - t % 32);
      EXPECT_EQ(second[t], warp + 31 - t % 32 * 5 % 32);
    }
}

TEST(Shim, GridSumsAreThoseOfAllThreads)
{
  constexpr int threads = 64;
  for (const int n_blocks : {1, 2, 63, 64, 130})
    {
      const int n = n_blocks * threads - 7;
      std::vector<double> values(n), partial(3 * n_blocks), results(3, -1.);
      std::iota(values.begin(), values.end(), 1.);
      unsigned int counter = 0;
      const double sum     = 0.5 * n * (n + 1.);
      for (int run = 0; run < 2; ++run)
        {
          launch(sum_up<threads>, {n_blocks, threads}, {}, values.data(), n,
                 GridSum{partial.data(), &counter, results.data(), n_blocks});
          EXPECT_EQ(results, (std::vector<double>{sum, 2 * sum, -sum}));
          EXPECT_EQ(counter, 0u);
          results.assign(3, -1.);
        }
    }
}

TEST(Shim, AllThreadsAddUpWhatBlocksLeft)
{
  constexpr int threads = 64;
  for (const int n_blocks : {0, 1, 63, 64, 65, 300})
    {
      std::vector<double> parts(n_blocks + 1), of_thread(threads);
      std::iota(parts.begin(), parts.end(), 1.);
      double result = -5;
      launch(add_up_parts<threads>, {1, threads}, {},
             GridSum{parts.data(), nullptr, &result, n_blocks},
             of_thread.data());
      const double expected =
        n_blocks == 0 ? result : 0.5 * n_blocks * (n_blocks + 1.);
      EXPECT_EQ(of_thread, std::vector<double>(threads, expected));
    }
}

TEST(Shim, NumbersAreHandedToLaterBlocks)
{
  // Block b adds its number to the sum of the blocks before.
  const auto check = [](const auto number, const int n_blocks) {
    using Number = std::remove_const_t<decltype(number)>;
    std::vector<Number> places(n_blocks), sums(n_blocks);
    std::memset(places.data(), 0xff, n_blocks * sizeof(Number));
    const std::vector<Number> empty = places;
    for (int run = 0; run < 2; ++run)
      {
        shim::run(n_blocks, 33, [&]() {
          device::barrier();
          if (device::thread_index() != 32)
            return;
          const int b = device::block_index();
          sums[b]     = Number(0.5) * b;
          if (b > 0)
            sums[b] += device::take_over(&places[b - 1]);
          if (b + 1 < n_blocks)
            device::hand_over(&places[b], sums[b]);
        });
        for (int b = 0; b < n_blocks; ++b)
          EXPECT_EQ(sums[b], Number(0.25) * b * (b + 1));
        // The places must be ready for the next run.
        EXPECT_EQ(
          std::memcmp(places.data(), empty.data(), n_blocks * sizeof(Number)),
          0);
      }
    // A number with the bits of an empty place must arrive nevertheless.
    Number taken = 0;
    shim::run(2, 1, [&]() {
      if (device::block_index() == 0)
        device::hand_over(&places[0], empty[0]);
      else
        taken = device::take_over(&places[0]);
    });
    EXPECT_TRUE(std::isnan(taken));
  };
  for (const int n_blocks : {1, 2, 33})
    {
      check(double(), n_blocks);
      check(float(), n_blocks);
    }
}

TEST(Shim, WaitingForALaterBlockIsAnError)
{
  double place = device::to_come<double>();
  EXPECT_THROW(shim::run(2, 32,
                         [&]() {
                           if (device::thread_index() > 0)
                             return;
                           if (device::block_index() == 0)
                             device::take_over(&place);
                           else
                             device::hand_over(&place, 1.);
                         }),
               std::logic_error);
}

TEST(Shim, ANumberThatNoOneTakesIsAnError)
{
  double place        = device::to_come<double>();
  const Kernel kernel = [&]() { device::hand_over(&place, 1.); };
  shim::run(1, 1, kernel);
  EXPECT_THROW(shim::run(1, 1, kernel), std::logic_error);
}
