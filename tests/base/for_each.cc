#include <tessera/base/for_each.h>

#include <omp.h>

#include <set>
#include <thread>
#include <vector>

#include "test.h"

// Tests how many threads of the host a loop takes.
namespace tessera
{
  namespace
  {
    /// Stores the thread that works on an entry.
    struct WhoWorks
    {
      std::thread::id *threads;

      void
      operator()(const std::int64_t i) const
      {
        threads[i] = std::this_thread::get_id();
      }
    };

    struct WhoPasses : Pass
    {
      std::thread::id *threads;

      void
      operator()(const std::int64_t i, const Scalars &) const
      {
        threads[i] = std::this_thread::get_id();
      }
    };
  } // namespace

  template <>
  void
  for_each_on_device(std::int64_t, const WhoWorks &, Stream)
  {}

  template <>
  void
  pass_over_on_device(std::int64_t, const WhoPasses &, const GridSum &, Stream)
  {}

  namespace
  {
    std::size_t
    n_distinct(const std::vector<std::thread::id> &threads)
    {
      return std::set<std::thread::id>(threads.begin(), threads.end()).size();
    }
  } // namespace


  TEST(ForEach, TakesOneThreadForLittleWork)
  {
    const int before = omp_get_max_threads();
    omp_set_num_threads(3);
    for (const bool little : {true, false})
      {
        const std::int64_t n = entries_of_one_thread + (little ? 0 : 1);
        std::vector<std::thread::id> threads(n);
        for_each(Backend::host, n, WhoWorks{threads.data()});
        EXPECT_EQ(n_distinct(threads), little ? 1 : 3);

        threads.assign(n, {});
        pass_over(Backend::host, n, WhoPasses{{}, threads.data()},
                  {nullptr, nullptr, nullptr, pass_blocks(Backend::host, n)},
                  {});
        EXPECT_EQ(n_distinct(threads), little ? 1 : 3);
      }
    omp_set_num_threads(before);
  }
} // namespace tessera
