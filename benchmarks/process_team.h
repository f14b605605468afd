#pragma once

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
    together(const std::function<void()> &work) const override
    {
      processes.together(work);
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

  private:
    const Processes &processes;
    mutable bool others_wait = false;
  };

  /// Returns the part of this process of a mesh that all of them have as a
  /// whole. The cells, in their order, are divided into pieces of equal size:
  /// strips in two dimensions and slabs in three. The other arguments are those
  /// of `make_part`. Throws MeshError if there are fewer cells than processes.
  Part
  make_part_of_process(const Connectivity &mesh, const Processes &processes,
                       Numbering numbering  = Numbering::batch_interleaved,
                       CellOrder cell_order = CellOrder::mesh,
                       int block_side       = default_block_side);

  /// Adds to the parameters of a row the number of processes, how values
  /// travel, the ghosts of all processes, the least, mean and largest number of
  /// cells and the largest over the mean. All call it together.
  void
  describe_parts(study::Row &row, const Space &space, const Team &team,
                 const Transport &transport);
} // namespace tessera::benchmarks
