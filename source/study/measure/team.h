#pragma once

#include <tessera/program/record.h>
#include <tessera/program/timing.h>
#include <tessera/space/ghost_tail.h>
#include <tessera/space/parts.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera::benchmarks
{
  /// Who measures: this process alone, or several processes, each of which has
  /// a part of the mesh. All of them call the functions together, in the same
  /// order.
  class Team
  {
  public:
    virtual ~Team() = default;

    /// Returns a value of every process.
    virtual std::vector<double>
    gather(double value) const;

    /// Waits for all processes.
    virtual void
    wait() const
    {}

    /// Calls `work` and throws in every process if it threw in one of them; it
    /// must call no function of a team.
    virtual void
    collectively(const std::function<void()> &work) const
    {
      work();
    }

    /// Is called where a row failed. Returns false if the others did not fail
    /// within seconds; then this process cannot go on.
    virtual bool
    all_failed() const
    {
      return true;
    }

    virtual int
    size() const
    {
      return 1;
    }

    virtual bool
    is_first() const
    {
      return true;
    }

    double
    sum(double value) const;

    /// Returns the largest value of all, or NaN if one is NaN.
    virtual double
    largest(const double value) const
    {
      return value;
    }

    bool
    any(bool local) const
    {
      return largest(local ? 1 : 0) > 0;
    }

    /// Throws Error with ExitCode::interrupted if a process received a signal.
    void
    throw_if_interrupted() const;

    /// Returns the largest value of all. If there are several processes, the
    /// row's parameters get the least, mean and largest one, such as
    /// `setup_seconds_min`.
    double
    slowest(program::Row &row, const std::string &name, double seconds) const;

    /// Measures one of the `n` equal parts of `work`, which all call equally
    /// often, and adds the processes' medians to the row by `slowest`. All wait
    /// for each other before a sample, and the times are those of the slowest.
    program::Statistics
    measure(program::Row &row, Backend backend,
            const std::function<void()> &work, program::MeasureOptions options,
            int n = 1) const;
  };

  /// What a part of a mesh exchanges with others. If there is no transport, the
  /// mesh is a whole one.
  struct Neighbours
  {
    std::shared_ptr<const Transport> transport;
    SharedNodes shared;

    template <class Number>
    Parts<Number>
    parts(const Space &space, const Backend backend) const
    {
      if (!transport)
        return {};
      return {transport, std::make_shared<GhostTail<Number>>(
                           space, shared, *transport, backend)};
    }
  };
} // namespace tessera::benchmarks
