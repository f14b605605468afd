#pragma once

#include <tessera/parallel/processes.h>
#include <tessera/program/record.h>
#include <tessera/program/timing.h>

#include <functional>
#include <string>

namespace tessera::benchmarks
{
  /// Who measures: the processes of the program, of which there may be one. All
  /// of them call the functions together, in the same order.
  class Team
  {
  public:
    /// `processes` must outlive this object.
    Team(const Processes &processes = Processes::alone()) : processes(processes)
    {}

    /// Is called where a row failed. Returns false if the others did not fail
    /// within seconds; then this process cannot go on.
    bool
    all_failed() const;

    /// Throws Error with ExitCode::interrupted if a process received a signal.
    void
    throw_if_interrupted() const;

    double
    sum(double value) const;

    /// Returns the largest value of all. If there are several processes, the
    /// row's parameters get the least, mean and largest one, such as
    /// `setup_seconds_min`.
    double
    slowest(program::Row &row, const std::string &name, double seconds) const;

    /// Measures one of the `n` equal parts of `work`, which all call equally
    /// often, and adds the processes' medians to the row by `slowest`. All wait
    /// for each other before a sample, and the times are the slowest's.
    program::Statistics
    measure(program::Row &row, Backend backend,
            const std::function<void()> &work, program::MeasureOptions options,
            int n = 1) const;

    const Processes &processes;
  };
} // namespace tessera::benchmarks
