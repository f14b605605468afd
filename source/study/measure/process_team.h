#pragma once

#include "oracle.h"
#include "team.h"

#include <tessera/parallel/processes.h>

namespace tessera::benchmarks
{
  /// The processes that mpirun started.
  class ProcessTeam : public Team
  {
  public:
    /// `processes` must outlive this object.
    explicit ProcessTeam(const Processes &processes) : processes(processes)
    {}

    std::vector<double>
    gather(const double value) const override
    {
      return processes.gather(value);
    }

    double
    largest(const double value) const override
    {
      return processes.largest(value);
    }

    void
    wait() const override
    {
      processes.wait();
    }

    void
    collectively(const std::function<void()> &work) const override
    {
      processes.collectively(work);
    }

    bool
    all_failed() const override
    {
      constexpr double patience = 10; // seconds
      others_wait               = others_wait || !processes.wait(patience);
      return !others_wait;
    }

    int
    size() const override
    {
      return processes.size();
    }

    bool
    is_first() const override
    {
      return processes.rank() == 0;
    }

  private:
    const Processes &processes;
    mutable bool others_wait = false;
  };

  /// Returns the part of this process, of which `make_piece` made what it
  /// knows. The other arguments are those of `make_part`.
  Part
  make_part_of_process(const MeshPiece &piece, const Processes &processes,
                       const std::string &numbering = default_numbering,
                       CellOrder cell_order         = CellOrder::mesh,
                       int block_side               = default_block_side);

  /// Adds to the parameters of a row the number of processes, how values
  /// travel, the ghosts of all processes, the least, mean and largest number of
  /// cells, the largest over the mean, and the most cells that a process knows,
  /// with `n_known` here. All call it together.
  void
  describe_parts(program::Row &row, const Space &space, double n_known,
                 const Team &team, const Transport &transport);
} // namespace tessera::benchmarks
