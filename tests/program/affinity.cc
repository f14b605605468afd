#include <tessera/program/affinity.h>

#include "test.h"

#include <omp.h>

#include <sched.h>
#include <set>
#include <thread>

using namespace tessera::program;

namespace
{
  /// Returns the cores on which the calling thread may run.
  std::set<int>
  own_cores()
  {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    std::set<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(core, &set))
        cores.insert(core);
    return cores;
  }

  std::vector<std::set<int>>
  cores_of_threads()
  {
    std::vector<std::set<int>> cores(omp_get_max_threads());
#pragma omp parallel
    cores[omp_get_thread_num()] = own_cores();
    return cores;
  }

  const std::vector<int> &all = process_cores();
  const int n_cores           = static_cast<int>(all.size());
} // namespace

TEST(Affinity, PinsEachThreadToACoreOfItsOwn)
{
  const RestoreThreads restore;
  for (int n = 1; n <= std::min(n_cores, 4); ++n)
    {
      ASSERT_EQ(use_threads(n, Affinity::pinned), Affinity::pinned);
      const auto cores = cores_of_threads();
      ASSERT_EQ(int(cores.size()), n);
      for (int t = 0; t < n; ++t)
        EXPECT_EQ(cores[t], std::set<int>{all[t]});
    }
}

TEST(Affinity, ConfinesThreadsOfOthers)
{
  const RestoreThreads restore;
  use_threads(1, Affinity::pinned);
  ASSERT_EQ(use_threads(n_cores, Affinity::first_cores), Affinity::first_cores);
  const std::set<int> expected(all.begin(), all.end());
  std::set<int> seen;
  std::thread([&]() { seen = own_cores(); }).join();
  EXPECT_EQ(seen, expected);
}

TEST(Affinity, MoreThreadsThanCoresRunAnywhere)
{
  {
    const RestoreThreads restore;
    EXPECT_EQ(use_threads(n_cores + 1, Affinity::pinned), Affinity::anywhere);
    EXPECT_EQ(omp_get_max_threads(), n_cores + 1);
    for (const auto &cores : cores_of_threads())
      EXPECT_EQ(int(cores.size()), n_cores);
  }
  EXPECT_NE(omp_get_max_threads(), n_cores + 1);
  EXPECT_EQ(int(own_cores().size()), n_cores);
}

TEST(Affinity, SaysWhatWasDone)
{
  EXPECT_EQ(to_string(Affinity::pinned, 2), "one core each");
  EXPECT_EQ(to_string(Affinity::first_cores, 1), "on 1 core");
  EXPECT_EQ(to_string(Affinity::first_cores, 2), "on 2 cores");
  EXPECT_EQ(to_string(Affinity::anywhere, 2), "anywhere");
}
