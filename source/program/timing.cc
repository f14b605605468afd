#include <tessera/base/array.h>
#include <tessera/base/recording_stream.h>
#include <tessera/program/timing.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tessera::program
{
  namespace
  {
    double
    percentile(const std::vector<double> &sorted, const double fraction)
    {
      const double place     = fraction * (sorted.size() - 1);
      const std::size_t left = static_cast<std::size_t>(place);
      const std::size_t next = std::min(left + 1, sorted.size() - 1);
      return sorted[left] + (place - left) * (sorted[next] - sorted[left]);
    }

    double
    elapsed(const Backend backend, const Stream stream,
            const std::function<void()> &work)
    {
      if (backend == Backend::cuda)
        return runtime::elapsed(stream, work);
      const Timer timer;
      work();
      return timer.seconds();
    }
  } // namespace

  Timer::Timer()
  {
    restart();
  }

  void
  Timer::restart()
  {
    start = std::chrono::steady_clock::now();
  }

  double
  Timer::seconds() const
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
      .count();
  }

  double
  Timer::lap()
  {
    const double result = seconds();
    restart();
    return result;
  }

  Statistics
  statistics(std::vector<double> seconds, const int repetitions)
  {
    std::sort(seconds.begin(), seconds.end());
    return {seconds.front(), percentile(seconds, 0.5),
            (percentile(seconds, 0.84) - percentile(seconds, 0.16)) / 2,
            static_cast<int>(seconds.size()), repetitions};
  }

  Statistics
  of_part(const Statistics &whole, const int n)
  {
    return {whole.min / n, whole.median / n, whole.spread / n, whole.n_samples,
            whole.repetitions * n};
  }

  Statistics
  measure(const Backend backend, const Stream stream,
          const std::function<void()> &work, const MeasureOptions &options)
  {
    double once = 0;
    for (int i = 0; i < std::max(options.warm_up, 1); ++i)
      once = elapsed(backend, stream, work);
    const int repetitions = static_cast<int>(std::clamp(
      std::ceil(options.sample_seconds / std::max(once, 1e-9)), 1., 1000.));

    std::vector<double> seconds;
    const Timer timer;
    while (static_cast<int>(seconds.size()) < options.n_samples)
      {
        if (seconds.size() >= 3 && timer.seconds() > options.total_seconds)
          break;
        if (!seconds.empty() && options.go_on && !options.go_on())
          break;
        if (options.before)
          options.before();
        seconds.push_back(elapsed(backend, stream,
                                  [&]() {
                                    for (int i = 0; i < repetitions; ++i)
                                      work();
                                  }) /
                          repetitions);
      }
    return statistics(seconds, repetitions);
  }

  Statistics
  measure_in_graph(const int n, const std::function<void(Stream)> &work,
                   const MeasureOptions &options)
  {
    const runtime::RecordingStream recording;
    const Stream stream = recording.stream;
    runtime::synchronize({});
    const runtime::Graph graph(stream, [&]() {
      for (int i = 0; i < n; ++i)
        work(stream);
    });
    return of_part(
      measure(
        Backend::cuda, stream, [&]() { graph.replay(stream); }, options),
      n);
  }

  double
  copy_bandwidth(const Backend backend, std::size_t bytes)
  {
    if (bytes == 0)
      bytes = std::size_t(1) << (backend == Backend::cuda ? 30 : 28);
    const Array<char> from(backend, bytes);
    Array<char> to(backend, bytes);
    const auto copy = [&]() {
      if (backend == Backend::cuda)
        {
          runtime::copy_async(to.data(), from.data(), bytes,
                              runtime::Copy::device_to_device, {});
          return;
        }
#pragma omp parallel
      {
        const std::size_t n     = omp_get_num_threads();
        const std::size_t first = bytes / n * omp_get_thread_num();
        const std::size_t size =
          omp_get_thread_num() + 1 == omp_get_num_threads() ? bytes - first
                                                            : bytes / n;
        std::memcpy(to.data() + first, from.data() + first, size);
      }
    };
    return 2. * bytes / measure(backend, {}, copy).median;
  }
} // namespace tessera::program
