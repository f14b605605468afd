#include <tessera/program/affinity.h>

#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <pthread.h>
#include <sched.h>

namespace tessera::program
{
  namespace
  {
    std::vector<int>
    find_cores()
    {
      std::vector<int> cores;
      cpu_set_t set;
      if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int core = 0; core < CPU_SETSIZE; ++core)
          if (CPU_ISSET(core, &set))
            cores.push_back(core);
      // If OpenMP binds threads, this one is already confined to its own place.
      for (int place = 0; place < omp_get_num_places(); ++place)
        {
          std::vector<int> of_place(omp_get_place_num_procs(place));
          omp_get_place_proc_ids(place, of_place.data());
          cores.insert(cores.end(), of_place.begin(), of_place.end());
        }
      if (cores.empty())
        for (int core = 0; core < omp_get_num_procs(); ++core)
          cores.push_back(core);
      std::sort(cores.begin(), cores.end());
      cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
      return cores;
    }

    /// Returns the first `n` cores of the process.
    cpu_set_t
    first_cores(const int n)
    {
      cpu_set_t set;
      CPU_ZERO(&set);
      for (int i = 0; i < n; ++i)
        CPU_SET(process_cores()[i], &set);
      return set;
    }

    /// Confines all threads of the process to the first `n_cores` cores.
    bool
    confine(const int n_cores)
    {
      const cpu_set_t set = first_cores(n_cores);
      std::error_code error;
      bool done = sched_setaffinity(0, sizeof set, &set) == 0;
      for (const auto &task :
           std::filesystem::directory_iterator("/proc/self/task", error))
        // This may fail for a thread that has ended meanwhile.
        sched_setaffinity(std::atoi(task.path().filename().c_str()), sizeof set,
                          &set);
      return done;
    }

    bool
    pin_each()
    {
      bool done = true;
#pragma omp parallel reduction(&& : done)
      {
        cpu_set_t own;
        CPU_ZERO(&own);
        CPU_SET(process_cores()[omp_get_thread_num()], &own);
        done = pthread_setaffinity_np(pthread_self(), sizeof own, &own) == 0;
      }
      return done;
    }
  } // namespace

  const std::vector<int> &
  process_cores()
  {
    static const std::vector<int> cores = find_cores();
    return cores;
  }

  Affinity
  use_threads(const int n, const Affinity affinity)
  {
    const int n_cores = static_cast<int>(process_cores().size());
    omp_set_num_threads(n);
    if (affinity != Affinity::anywhere && n <= n_cores && confine(n) &&
        (affinity == Affinity::first_cores || pin_each()))
      return affinity;
    confine(n_cores);
    return Affinity::anywhere;
  }

  std::string
  to_string(const Affinity affinity, const int n)
  {
    return affinity == Affinity::pinned     ? "one core each"
           : affinity == Affinity::anywhere ? "anywhere"
           : n == 1                         ? "on 1 core"
                    : "on " + std::to_string(n) + " cores";
  }

  RestoreThreads::RestoreThreads() : n(omp_get_max_threads())
  {}

  RestoreThreads::~RestoreThreads()
  {
    use_threads(n, Affinity::anywhere);
  }
} // namespace tessera::program
