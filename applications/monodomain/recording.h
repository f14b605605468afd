#pragma once

#include <tessera/base/replace_file.h>
#include <tessera/base/vector.h>
#include <tessera/fem/driver/linear_system.h>
#include <tessera/fem/output/checkpoint.h>

#include <deal.II/base/point.h>

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
  /// `source` has samples of a value for each column. Columns are called time
  /// and by their names, with _ in place of blanks; their points tell them
  /// apart. `this_case` must outlive this object.
  template <int dim>
  Recording(const tessera::SolverCase &this_case,
            std::unique_ptr<Source> source,
            const std::vector<std::string> &names,
            const std::vector<dealii::Point<dim>> &points)
    : smallest(points.size(), INFINITY), largest(points.size(), -INFINITY),
      this_case(this_case), source(std::move(source)), rows("time")
  {
    for (std::size_t i = 0; i < points.size(); ++i)
      {
        rows += ',' + names[i];
        places.insert(places.end(), points[i].begin_raw(), points[i].end_raw());
      }
    std::replace(rows.begin(), rows.end(), ' ', '_');
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
    this_case.collectively([&]() {
      if (this_case.writes())
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
    state.arrays["points of " + name]   = places;
    state.arrays["smallest of " + name] = smallest;
    state.arrays["largest of " + name]  = largest;
  }

  /// Goes on from such a state. Points may have changed: rows before have
  /// `nan` for those that were not recorded.
  void
  restore(const tessera::State &state, const std::string &name)
  {
    if (state.texts.count(name) == 0)
      return; // the earlier run recorded nothing
    const std::size_t n = smallest.size(), size = places.size() / n;
    const auto &before  = state.array("points of " + name);
    const long n_before = static_cast<long>(before.size() / size);
    const auto &least   = state.array("smallest of " + name, n_before),
               &most    = state.array("largest of " + name, n_before);
    std::vector<long> columns(n, n_before); // in the rows before
    for (std::size_t i = 0; i < n; ++i)
      for (long k = 0; k < n_before && columns[i] == n_before; ++k)
        if (std::equal(&places[i * size], &places[i * size] + size,
                       &before[k * size]))
          {
            columns[i]  = k;
            smallest[i] = least[k];
            largest[i]  = most[k];
          }
    std::istringstream lines(state.text(name));
    std::string line;
    std::getline(lines, line); // the names of the columns
    while (std::getline(lines, line))
      {
        std::istringstream words(line);
        std::vector<std::string> values;
        for (std::string word; std::getline(words, word, ',');)
          values.push_back(word);
        rows += values.empty() ? "" : values[0];
        for (const std::size_t column : columns)
          rows += ',' + (column + 1 < values.size() ? values[column + 1]
                                                    : std::string("nan"));
        rows += '\n';
      }
  }

  /// The extremes of every column so far; `write` completes them.
  std::vector<double> smallest, largest;

private:
  void
  take()
  {
    auto samples        = source->take();
    const std::size_t n = smallest.size();
    sum_up(this_case.division, samples.values);
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

  const tessera::SolverCase &this_case;
  std::unique_ptr<Source> source;
  std::vector<double> places; ///< the points, [n][dim]
  std::string rows;
};
