#pragma once

#include "layout.h"
#include "team.h"

#include <tessera/program/record.h>
#include <tessera/program/timing.h>

#include <functional>
#include <map>
#include <set>
#include <string>

namespace tessera::benchmarks
{
  /// Collects the rows of a sweep. A row goes to the record at once, with a
  /// line of progress to stderr; the screen gets one table.
  class Report
  {
  public:
    /// Models are compared with `copy_bandwidth` in bytes/s, which is NaN until
    /// `set_copy_bandwidth` sets it. The verdict calls a row wrong if its error
    /// exceeds `error_limit`. Record and layout must outlive the report.
    Report(program::Record &record, double copy_bandwidth, double error_limit,
           const Layout &layout = operator_layout(), const Team &team = {});

    /// Sets the seconds of a row and the rates that follow from these and its
    /// counts. `model_bytes` is for one call, see operators/models.h.
    void
    set_time(program::Row &row, const program::Statistics &time,
             double model_bytes, double flops) const;

    /// Runs `work`, which fills the row, and adds the row. If memory runs out
    /// or the combination does not exist, the row is added as not completed,
    /// with the reason. When memory runs out, `release` frees what was held.
    /// Throws after a signal, and if one of several processes fails alone.
    void
    measure(
      program::Row row, const std::function<void(program::Row &)> &work,
      const std::function<void()> &release = []() {});

    /// See benchmarks::range_of.
    std::string
    range_of(const program::Row &row) const;

    /// Sets the bandwidth of the backend and threads of the rows that follow.
    void
    set_copy_bandwidth(double bytes_per_second);

    /// Replaces the error limit for the rows of one library.
    void
    set_error_limit(const std::string &library, double limit);

    /// Returns the table, and the reasons of rows that were not completed.
    std::string
    str() const;

    /// Returns one line: PASS or FAIL.
    std::string
    verdict() const;

    /// Says that a completed row has an error above the limit, or is called
    /// repeatable but gave other bits the second time; or that no row was
    /// completed, or that no solve of them converged. Empty if all is well.
    std::string
    failure() const;

    bool
    wrong() const
    {
      return !failure().empty();
    }

    /// Marks the row as wrong regardless of its error.
    void
    reject(program::Row &row, const std::string &reason) const;

    const Team team; ///< that measures the rows

  private:
    void
    add(const program::Row &row);

    program::Record &record;
    const Layout &layout;
    double copy_bandwidth, error_limit;
    std::map<std::string, double> limits; ///< by library
    std::set<std::string> bandwidths;     ///< of all rows, for the screen
    program::Table table;
    std::set<std::string> reasons;
    int n_wrong = 0, n_completed = 0;
    int n_solves = 0, n_converged = 0; ///< that were completed
    std::string last_group;            ///< a rule separates groups of lines
    int n_uncompleted = 0;
  };
} // namespace tessera::benchmarks
