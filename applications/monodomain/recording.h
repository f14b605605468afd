#pragma once

#include <tessera/base/replace_file.h>
#include <tessera/base/vector.h>
#include <tessera/fem/driver/linear_solver.h>
#include <tessera/fem/output/checkpoint.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// The samples of a `Source`, such as Traces or Electrodes, as a file with a
/// row for every time: the time and a value for every point. A source keeps
/// some samples in the memory of the backend. Where there are several
/// processes, each has a share of every value, and the first one writes the
/// file; all call the functions together.
template <class Source>
class Recording
{
public:
  /// `source` has samples of n values. Columns are called time, COLUMN_1,
  /// COLUMN_2 and so on. `problem` must outlive this object.
  Recording(const tessera::DiscreteProblem &problem,
            std::unique_ptr<Source> source, const std::string &column,
            const std::size_t n)
    : smallest(n, INFINITY), largest(n, -INFINITY), problem(problem),
      source(std::move(source)), rows("time")
  {
    for (std::size_t i = 0; i < n; ++i)
      rows += ',' + column + '_' + std::to_string(i + 1);
    rows += '\n';
  }

  /// Records the values at a time.
  void
  sample(const double time, const tessera::Vector<double> &potential)
  {
    if (source->full())
      take();
    source->sample(time, potential);
  }

  /// Writes what was recorded. Throws Error if the file cannot be written.
  void
  write(const std::string &path)
  {
    take();
    problem.together([&]() {
      if (problem.writes())
        tessera::write_file(path, "file",
                            [&](std::ostream &out) { out << rows; });
    });
  }

  /// Adds what was recorded to a state of the computation.
  void
  save(tessera::State &state, const std::string &name)
  {
    take();
    state.texts[name]                   = rows;
    state.arrays["smallest of " + name] = smallest;
    state.arrays["largest of " + name]  = largest;
  }

  /// Goes on from such a state.
  void
  restore(const tessera::State &state, const std::string &name)
  {
    rows     = state.text(name);
    smallest = state.array("smallest of " + name, smallest.size());
    largest  = state.array("largest of " + name, largest.size());
  }

  /// The extremes of every column so far; `write` completes them.
  std::vector<double> smallest, largest;

private:
  void
  take()
  {
    auto samples        = source->take();
    const std::size_t n = smallest.size();
    sum_up(problem.division, samples.values);
    std::ostringstream text;
    text.precision(10);
    for (std::size_t k = 0; k < samples.times.size(); ++k)
      {
        text << samples.times[k];
        for (std::size_t i = 0; i < n; ++i)
          {
            const double value = samples.values[k * n + i];
            smallest[i]        = std::min(smallest[i], value);
            largest[i]         = std::max(largest[i], value);
            text << ',' << value;
          }
        text << '\n';
      }
    rows += text.str();
  }

  const tessera::DiscreteProblem &problem;
  std::unique_ptr<Source> source;
  std::string rows;
};
