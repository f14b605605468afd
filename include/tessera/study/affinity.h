#pragma once

#include <string>
#include <vector>

namespace tessera::study
{
  /// The cores that the process might run on when this was asked first: before
  /// any thread was pinned, as a record asks for them when it is made.
  const std::vector<int> &
  process_cores();

  /// Where threads may run.
  enum class Affinity
  {
    anywhere, ///< on the cores of the process
    together, ///< all of them on as many of its first cores
    pinned    ///< each on a core of its own
  };

  /// Uses `n` threads of OpenMP from here on and lets them run as asked for;
  /// other threads of the process, and those it starts later, run on the same
  /// cores. Where there are fewer cores than threads, or the system refuses,
  /// they run anywhere. Returns what was done; memory that the threads touch
  /// first lies near their cores from then on.
  Affinity
  use_threads(int n, Affinity affinity);

  /// "anywhere", "on n cores" or "one core each".
  std::string
  to_string(Affinity affinity, int n);

  /// Puts the number of threads and their cores back at its end.
  class RestoreThreads
  {
  public:
    RestoreThreads();

    ~RestoreThreads();

    RestoreThreads(const RestoreThreads &) = delete;

  private:
    int n;
  };
} // namespace tessera::study
