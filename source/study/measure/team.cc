#include "team.h"

#include <tessera/base/runtime.h>
#include <tessera/program/program.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tessera::benchmarks
{
  bool
  Team::all_failed() const
  {
    constexpr double patience = 10; // seconds
    static bool others_wait   = false;
    others_wait               = others_wait || !processes.wait(patience);
    return !others_wait;
  }

  void
  Team::throw_if_interrupted() const
  {
    if (processes.any(program::interrupted()))
      throw Error(ExitCode::interrupted, "The run was interrupted.");
  }

  double
  Team::sum(const double value) const
  {
    const auto all = processes.gather(value);
    return std::accumulate(all.begin(), all.end(), 0.);
  }

  double
  Team::slowest(program::Row &row, const std::string &name,
                const double seconds) const
  {
    if (processes.size() == 1)
      return seconds;
    const auto all                = processes.gather(seconds);
    const auto [least, most]      = std::minmax_element(all.begin(), all.end());
    row.parameters[name + "_min"] = *least;
    row.parameters[name + "_mean"] =
      std::accumulate(all.begin(), all.end(), 0.) / processes.size();
    row.parameters[name + "_max"] = *most;
    return *most;
  }

  program::Statistics
  Team::measure(program::Row &row, const Backend backend,
                const std::function<void()> &work,
                program::MeasureOptions options, const int n) const
  {
    if (processes.size() == 1)
      return program::of_part(program::measure(backend, {}, work, options), n);
    options.before = [this, backend, before = options.before]() {
      if (before)
        before();
      if (backend == Backend::cuda)
        runtime::synchronize({});
      processes.wait();
    };
    options.go_on = [this]() { return !processes.any(program::interrupted()); };

    // One sample tells all of them how often to repeat, and how many samples
    // there is time for.
    program::MeasureOptions one = options;
    one.n_samples               = 1;
    one.sample_seconds          = 0;
    const double once           = std::max(
                processes.largest(program::measure(backend, {}, work, one).median), 1e-9);
    const int repetitions = static_cast<int>(
      std::clamp(std::ceil(options.sample_seconds / once), 1., 1000.));
    const double most =
      std::max(3., options.total_seconds / (repetitions * once));
    if (options.n_samples > most)
      options.n_samples = static_cast<int>(most);
    options.warm_up        = 1;
    options.sample_seconds = 0;
    options.total_seconds  = std::numeric_limits<double>::infinity();
    program::Statistics time =
      program::of_part(program::measure(
                         backend, {},
                         [&]() {
                           for (int i = 0; i < repetitions; ++i)
                             work();
                         },
                         options),
                       repetitions * n);
    time.min    = processes.largest(time.min);
    time.spread = processes.largest(time.spread);
    time.median = slowest(row, "median_seconds", time.median);
    return time;
  }
} // namespace tessera::benchmarks
