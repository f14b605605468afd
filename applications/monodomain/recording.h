#pragma once

#include <tessera/base/error.h>
#include <tessera/cell_models/traces.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// The samples of a `Source`, such as Traces or Electrodes, as a file with a
/// row for every time: the time and a value for every point. A source keeps
/// some samples in the memory of the backend.
template <class Source>
class Recording
{
public:
  /// `source` has samples of n values. Columns are called time, COLUMN_1,
  /// COLUMN_2 and so on.
  Recording(std::unique_ptr<Source> source, const std::string &column,
            const std::size_t n)
    : source(std::move(source)), rows("time"), extremes(n)
  {
    for (std::size_t i = 0; i < n; ++i)
      {
        rows += ',' + column + '_' + std::to_string(i + 1);
        extremes[i] = {INFINITY, -INFINITY};
      }
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

  /// Writes what was recorded, and returns the smallest and the largest value
  /// of every column. Throws Error if the file cannot be written.
  const std::vector<std::pair<double, double>> &
  write(const std::string &path)
  {
    take();
    std::ofstream out(path);
    out << rows;
    out.close();
    if (!out)
      throw tessera::Error(tessera::ExitCode::other,
                           "The file '" + path + "' cannot be written.");
    return extremes;
  }

private:
  void
  take()
  {
    const auto samples  = source->take();
    const std::size_t n = extremes.size();
    std::ostringstream text;
    text.precision(10);
    for (std::size_t k = 0; k < samples.times.size(); ++k)
      {
        text << samples.times[k];
        for (std::size_t i = 0; i < n; ++i)
          {
            const double value        = samples.values[k * n + i];
            auto &[smallest, largest] = extremes[i];
            smallest                  = std::min(smallest, value);
            largest                   = std::max(largest, value);
            text << ',' << value;
          }
        text << '\n';
      }
    rows += text.str();
  }

  std::unique_ptr<Source> source;
  std::string rows;
  std::vector<std::pair<double, double>> extremes;
};
