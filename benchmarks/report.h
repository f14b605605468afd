#pragma once

#include <tessera/study/record.h>
#include <tessera/study/table.h>
#include <tessera/study/timing.h>

#include <functional>
#include <map>
#include <set>
#include <string>

namespace tessera::benchmarks
{
  /// What the table on the screen is about.
  enum class TableOf
  {
    operators, ///< of finite element spaces
    matrices   ///< by the name of the case
  };

  /// Collects the rows of a sweep: into the record as they come, a line of
  /// progress to stderr, and one table for the screen.
  class Report
  {
  public:
    /// `copy_bandwidth` in bytes/s, NaN before one is set, is what models
    /// are compared at; errors
    /// above `error_limit` make a row wrong.
    Report(study::Record &record, double copy_bandwidth, double error_limit,
           TableOf table_of = TableOf::operators);

    /// Sets the seconds of a row and the rates that follow from them, its
    /// counts and bytes. `model_bytes`: of one call, see study/models.h.
    void
    set_time(study::Row &row, const study::Statistics &time, double model_bytes,
             double flops) const;

    /// Runs `work`, which fills the row, and adds the row. Where there is not
    /// enough memory, or the combination does not exist, the row is added as
    /// not completed, with the sentence; `release` gives back what was held
    /// when memory was short. Throws after a signal.
    void
    measure(
      study::Row row, const std::function<void(study::Row &)> &work,
      const std::function<void()> &release = []() {});

    /// See benchmarks::range_of.
    std::string
    range_of(const study::Row &row) const;

    /// Of the backend and the threads of the rows that follow.
    void
    set_copy_bandwidth(double bytes_per_second);

    /// Of the rows of one library, in the place of that of all.
    void
    set_error_limit(const std::string &library, double limit);

    /// The table, and reasons of rows that were not completed.
    std::string
    str() const;

    /// One line: PASS or FAIL.
    std::string
    verdict() const;

    /// True if a completed row has an error above the limit, or gave other
    /// bits the second time although it is called repeatable.
    bool
    wrong() const
    {
      return n_wrong > 0;
    }

    /// Marks the row as wrong whatever its error is.
    void
    reject(study::Row &row, const std::string &reason) const;

  private:
    void
    add(const study::Row &row);

    /// The line of the table; `verdict` stands in its last column.
    std::vector<std::string>
    line(const study::Row &row, const std::string &verdict) const;

    study::Record &record;
    TableOf table_of;
    double copy_bandwidth, error_limit;
    std::map<std::string, double> limits; ///< by library
    std::set<std::string> bandwidths;     ///< of all rows, for the screen
    study::Table table;
    std::set<std::string> reasons;
    int n_wrong = 0;
    std::string last_group; ///< of lines, a rule between two
    int n_uncompleted = 0;
  };
} // namespace tessera::benchmarks
