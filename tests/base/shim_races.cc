#include "test.h"

#include <tessera/base/grid_sums.cuh>
#include <tessera/base/launch.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>

using namespace tessera;

// Tests the race detector of the fibers with small kernels, some of them wrong.
// This file is compiled so that the detector sees its accesses.
namespace
{
  constexpr int threads = 64;

  /// Returns what the detector says about a launch; empty if nothing.
  template <class Kernel>
  std::string
  report(const int n_blocks, const int n_threads, const Kernel &kernel)
  {
    try
      {
        shim::run(n_blocks, n_threads, kernel);
      }
    catch (const std::logic_error &error)
      {
        return error.what();
      }
    return "";
  }

  bool
  has(const std::string &text, const std::string &part)
  {
    return text.find(part) != std::string::npos;
  }

  enum class Order
  {
    none,
    shuffle,
    warp,
    block
  };

  /// Every thread stores a number in shared memory and reads the number of the
  /// next lane of its warp, or of the next warp; `order` stands between.
  std::string
  exchange_numbers(const int n_blocks, const bool next_warp, const Order order)
  {
    std::vector<int> seen(n_blocks * threads);
    static int n_calls = 0;
    const int call     = ++n_calls;
    const auto kernel  = [&]() {
      TESSERA_SHARED int numbers[threads];
      const int thread = device::thread_index(), lane = thread % 32;
      numbers[thread] = 1000 * call + thread;
      if (order == Order::shuffle)
        device::shuffle_up_one(1);
      else if (order == Order::warp)
        device::warp_synchronize();
      else if (order == Order::block)
        device::barrier();
      const int next =
        next_warp ? (thread + 32) % threads : thread - lane + (lane + 1) % 32;
      seen[device::block_index() * threads + thread] = numbers[next];
    };
    return report(n_blocks, threads, kernel);
  }

  template <class Number>
  void
  add_up(const Number *values, const GridSum where)
  {
    const int i   = device::block_index() * threads + device::thread_index();
    double mine[] = {values[i]};
    device::grid_sums<threads>(mine, device::block_index(), where);
  }
} // namespace

TEST(ShimRaces, SharedMemoryIsOrderedByBarriers)
{
  for (const bool next_warp : {true, false})
    {
      EXPECT_EQ(exchange_numbers(3, next_warp, Order::block), "");
      EXPECT_EQ(exchange_numbers(3, next_warp, Order::warp).empty(),
                !next_warp);
      for (const Order order : {Order::none, Order::shuffle})
        EXPECT_TRUE(has(exchange_numbers(3, next_warp, order), "a race"));
    }
  const std::string text = exchange_numbers(1, true, Order::none);
  EXPECT_TRUE(has(text, " of block 0 writes (shim_races.cc:")) << text;
  EXPECT_TRUE(has(text, " of block 0 reads (shim_races.cc:")) << text;
  EXPECT_TRUE(has(text, "in shared memory")) << text;
  EXPECT_TRUE(has(text, "TESSERA_SHIM_SEED=")) << text;
  // A launch after the race starts anew.
  EXPECT_EQ(exchange_numbers(3, true, Order::block), "");
}

TEST(ShimRaces, GlobalMemoryWithinAndAcrossBlocks)
{
  std::vector<double> y(8);
  // One thread of each block adds to the same word.
  const auto add = [&]() {
    if (device::thread_index() == device::block_index())
      y[5] += 1;
  };
  EXPECT_EQ(report(1, 32, add), "");
  const std::string text = report(3, 32, add);
  EXPECT_TRUE(has(text, "thread 0 of block 0 ")) << text;
  EXPECT_TRUE(has(text, "thread 1 of block 1 ")) << text;
  EXPECT_TRUE(has(text, "in global memory, byte 4")) << text;
  // A barrier of a block does not order others.
  EXPECT_TRUE(has(report(3, 32,
                         [&]() {
                           device::barrier();
                           add();
                           device::barrier();
                         }),
                  "a race"));
  // Turns of a block, with and without barriers between them.
  for (const bool barriers : {true, false})
    EXPECT_EQ(report(1, 64,
                     [&]() {
                       for (int turn = 0; turn < 64; ++turn)
                         {
                           if (turn == device::thread_index())
                             y[turn % 8] += 1;
                           if (barriers)
                             device::barrier();
                         }
                     })
                .empty(),
              barriers);
  // All may read what one launch before has written.
  EXPECT_EQ(report(3, 32, [&]() { EXPECT_GE(y[5], 1); }), "");
}

TEST(ShimRaces, ReadsBeforeAWrite)
{
  // Thread `writer` writes what all others, or only `reader`, have read.
  double word      = 1;
  const auto write = [&](const int reader, const int writer,
                         const bool barrier) {
    return report(1, threads, [&, reader, writer, barrier]() {
      const int thread = device::thread_index();
      double read      = 0;
      if (thread != writer && (reader < 0 || thread == reader))
        read = word;
      if (barrier)
        device::barrier();
      if (thread == writer)
        word += 2;
      EXPECT_GE(read, 0);
    });
  };
  for (const int reader : {-1, 3, 40})
    for (const int writer : {0, 17, 63})
      {
        EXPECT_TRUE(has(write(reader, writer, false), "a race"));
        EXPECT_EQ(write(reader, writer, true), "");
      }
}

TEST(ShimRaces, AtomicsAreOrderedAmongThemselves)
{
  std::vector<unsigned int> increments(4);
  std::vector<double> sums(4);
  EXPECT_EQ(report(3, 64,
                   [&]() {
                     const int i = device::thread_index() % 4;
                     device::atomic_add(&sums[i], 1.);
                     device::atomic_increment(&increments[i]);
                     device::atomic_fetch_add(&increments[i], 2u);
                   }),
            "");
  EXPECT_EQ(sums[3], 48.);
  EXPECT_EQ(increments[1], 144u);
  // Atomic additions race with plain accesses.
  const std::string text = report(1, 64, [&]() {
    if (device::thread_index() == 33)
      sums[2] += 1;
    else
      device::atomic_add(&sums[2], 1.);
  });
  EXPECT_TRUE(has(text, " adds atomically")) << text;
  EXPECT_TRUE(has(report(2, 1,
                         [&]() {
                           device::atomic_add(&sums[2], 1.);
                           EXPECT_GE(sums[2], 0.);
                         }),
                  "a race"));
}

TEST(ShimRaces, NeighbouringBytesAreNoConflict)
{
  std::vector<std::uint8_t> bytes(65);
  std::vector<std::uint16_t> halves(65);
  std::vector<float> floats(65);
  EXPECT_EQ(report(1, 64,
                   [&]() {
                     const int i = device::thread_index();
                     bytes[i] += 1;
                     halves[i] += i;
                     floats[i] += 3;
                   }),
            "");
  EXPECT_TRUE(has(report(1, 64,
                         [&]() {
                           const int i   = device::thread_index();
                           halves[i + 1] = halves[i];
                         }),
                  "a race"));
}

TEST(ShimRaces, WhatChangesNothingIsNoConflict)
{
  // Padding cells add zeros to one word, and threads set one flag.
  double padding = 3;
  bool flag      = false;
  const auto add = [&](const double value) {
    return report(2, 64, [&, value]() {
      padding += value;
      if (device::block_index() == 0)
        flag = true;
    });
  };
  EXPECT_EQ(add(0), "");
  EXPECT_TRUE(flag);
  EXPECT_TRUE(has(add(1), "a race"));
}

TEST(ShimRaces, SumsOfAGridAreOrdered)
{
  for (const int n_blocks : {1, 3, 70})
    {
      std::vector<double> values(n_blocks * threads), partial(n_blocks);
      std::iota(values.begin(), values.end(), 1.);
      unsigned int counter = 0;
      double result        = -1;
      for (int run = 0; run < 2; ++run)
        launch(add_up<double>, {n_blocks, threads}, {}, values.data(),
               GridSum{partial.data(), &counter, &result, n_blocks});
      const double n = values.size();
      EXPECT_EQ(result, 0.5 * n * (n + 1));
    }
}
