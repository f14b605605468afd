#pragma once

#include <tessera/base/backend.h>

#include <chrono>
#include <functional>
#include <vector>

namespace tessera::program
{
  /// Measures wall-clock seconds since its construction or the last restart.
  class Timer
  {
  public:
    Timer();

    void
    restart();

    double
    seconds() const;

    /// Returns the seconds and restarts the timer.
    double
    lap();

  private:
    std::chrono::steady_clock::time_point start;
  };

  /// Statistics of a sample of times in seconds.
  struct Statistics
  {
    double min;
    double median;
    /// Half the distance from the 16th to the 84th percentile. For normal noise
    /// this is the standard deviation, but it is insensitive to a few outliers.
    double spread;
    int n_samples;
    int repetitions; ///< repetitions of the work in one sample
  };

  /// Computes the statistics of a sample with at least one value. Percentiles
  /// are interpolated linearly between the sorted values.
  Statistics
  statistics(std::vector<double> seconds, int repetitions = 1);

  /// Returns the statistics of one of the `n` equal parts of the work that was
  /// timed.
  Statistics
  of_part(const Statistics &whole, int n);

  struct MeasureOptions
  {
    int n_samples = 20;
    int warm_up   = 3; ///< calls that are not measured, at least one
    /// The work is repeated in a sample until it lasts about this long, so that
    /// the resolution of the clock and the launch of the first kernel do not
    /// matter.
    double sample_seconds = 5e-4;
    /// Sampling ends early after this many seconds, but not before three
    /// samples.
    double total_seconds = 20;
    /// This function is called before every sample and is not timed.
    std::function<void()> before;
    /// This function is called between samples; sampling ends if it returns
    /// false (an interrupt).
    std::function<bool()> go_on;
  };

  /// Measures the seconds of one call of `work`: by device events in `stream`
  /// for the backend cuda, by the steady clock on the host.
  Statistics
  measure(Backend backend, Stream stream, const std::function<void()> &work,
          const MeasureOptions &options = {});

  /// Measures `work` on the device by recording `n` calls into a graph that is
  /// replayed, and returns the seconds of one call. Use it for short kernels:
  /// launched one by one, they take as long as the host needs to launch them.
  /// Throws what runtime::Graph throws.
  Statistics
  measure_in_graph(int n, const std::function<void(Stream)> &work,
                   const MeasureOptions &options = {});

  /// Returns the bandwidth of a copy within the memory of a backend, in bytes
  /// read and written per second, which is twice the bytes copied. It is the
  /// median of 20 copies of `bytes`, which should be several times the size of
  /// the last-level cache (0 selects 1 GiB on the device and 256 MiB on the
  /// host). On the host all threads copy by memcpy.
  double
  copy_bandwidth(Backend backend, std::size_t bytes = 0);
} // namespace tessera::program
