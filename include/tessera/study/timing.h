#pragma once

#include <tessera/base/backend.h>

#include <chrono>
#include <functional>
#include <vector>

namespace tessera::study
{
  /// Wall-clock seconds since it was made or started again.
  class Timer
  {
  public:
    Timer();

    void
    restart();

    double
    seconds() const;

    /// Seconds, and starts again.
    double
    lap();

  private:
    std::chrono::steady_clock::time_point start;
  };

  /// Of a sample of times in seconds.
  struct Statistics
  {
    double min;
    double median;
    /// Half the distance from the 16th to the 84th percentile: the standard
    /// deviation of normal noise, deaf to a few outliers.
    double spread;
    int n_samples;
    int repetitions; ///< of the work in one sample
  };

  /// Percentiles are interpolated linearly between the sorted values; there is
  /// at least one.
  Statistics
  statistics(std::vector<double> seconds, int repetitions = 1);

  /// Of one of the `n` equal parts of the work that was timed.
  Statistics
  of_part(const Statistics &whole, int n);

  struct MeasureOptions
  {
    int n_samples = 20;
    int warm_up   = 3; ///< calls that are not counted, at least one
    /// The work is repeated in a sample until it lasts about this long, so
    /// that the clock and the launch of the first kernel do not count.
    double sample_seconds = 5e-4;
    /// Ends sampling early, though not before three samples.
    double total_seconds = 20;
    /// Called before every sample and not timed.
    std::function<void()> before;
    /// Called between samples; false ends sampling (an interrupt).
    std::function<bool()> go_on;
  };

  /// Times `work`, seconds a call: by device events in `stream` for the
  /// backend cuda, by the steady clock on the host.
  Statistics
  measure(Backend backend, Stream stream, const std::function<void()> &work,
          const MeasureOptions &options = {});

  /// The same on the device for `n` times `work`, recorded into a graph that is
  /// replayed, seconds of one: of short kernels that are launched one by one a
  /// stream shows what the host takes for it. Throws what runtime::Graph
  /// throws.
  Statistics
  measure_in_graph(int n, const std::function<void(Stream)> &work,
                   const MeasureOptions &options = {});

  /// Bytes a second read and written by a device-to-device copy, twice the
  /// bytes copied: the median of 20 copies of `bytes`, which should be several
  /// times the last cache (0: 1 GiB on the device, 256 MiB on the host). On the
  /// host by memcpy of all threads.
  double
  copy_bandwidth(Backend backend, std::size_t bytes = 0);
} // namespace tessera::study
