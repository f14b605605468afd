#include "team.h"

#include <tessera/base/error.h>
#include <tessera/base/runtime.h>
#include <tessera/program/program.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tessera::benchmarks
{
  std::vector<double>
  Team::gather(const double value) const
  {
    return {value};
  }

  double
  Team::sum(const double value) const
  {
    const auto all = gather(value);
    return std::accumulate(all.begin(), all.end(), 0.);
  }

  void
  Team::throw_if_interrupted() const
  {
    if (any(program::interrupted()))
      throw Error(ExitCode::interrupted, "The run was interrupted.");
  }

  double
  Team::slowest(program::Row &row, const std::string &name,
                const double seconds) const
  {
    if (size() == 1)
      return seconds;
    const auto all                = gather(seconds);
    const auto [least, most]      = std::minmax_element(all.begin(), all.end());
    row.parameters[name + "_min"] = *least;
    row.parameters[name + "_mean"] =
      std::accumulate(all.begin(), all.end(), 0.) / size();
    row.parameters[name + "_max"] = *most;
    return *most;
  }

  program::Statistics
  Team::measure(program::Row &row, const Backend backend,
                const std::function<void()> &work,
                program::MeasureOptions options, const int n) const
  {
    if (size() == 1)
      return program::of_part(program::measure(backend, {}, work, options), n);
    options.before = [this, backend, before = options.before]() {
      if (before)
        before();
      if (backend == Backend::cuda)
        runtime::synchronize({});
      wait();
    };
    options.go_on = [this]() { return !any(program::interrupted()); };

    // One sample tells all of them how often to repeat, and how many samples
    // there is time for.
    program::MeasureOptions one = options;
    one.n_samples               = 1;
    one.sample_seconds          = 0;
    const double once =
      std::max(largest(program::measure(backend, {}, work, one).median), 1e-9);
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
    time.min    = largest(time.min);
    time.spread = largest(time.spread);
    time.median = slowest(row, "median_seconds", time.median);
    return time;
  }
} // namespace tessera::benchmarks
