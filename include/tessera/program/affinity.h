#pragma once

#include <string>
#include <vector>

namespace tessera::program
{
  /// More threads than this are a mistake: no host has as many cores.
  constexpr int most_threads = 4096;

  /// Returns the cores on which the process may run, as found at the first
  /// call. A record makes this call before any thread is pinned.
  const std::vector<int> &
  process_cores();

  /// The cores on which threads may run.
  enum class Affinity
  {
    anywhere,    ///< on all cores of the process
    first_cores, ///< n threads share the first n cores
    pinned       ///< every thread has its own core
  };

  /// Uses `n` OpenMP threads from now on and restricts them to cores as
  /// requested. Other threads of the process, including later ones, are
  /// restricted to the same cores. If there are fewer cores than threads, or
  /// the system refuses, threads may run anywhere. Returns the actual choice.
  /// Memory that the threads touch first after this call lies near their cores.
  Affinity
  use_threads(int n, Affinity affinity);

  /// Returns "anywhere", "on n cores" or "one core each".
  std::string
  to_string(Affinity affinity, int n);

  /// Restores the number of threads in its destructor and lets them run on all
  /// cores of the process again.
  class RestoreThreads
  {
  public:
    RestoreThreads();

    ~RestoreThreads();

    RestoreThreads(const RestoreThreads &) = delete;

  private:
    int n;
  };
} // namespace tessera::program
