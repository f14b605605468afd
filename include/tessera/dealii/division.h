#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/parallel/processes.h>
#include <tessera/space/boundary_faces.h>
#include <tessera/study/command_line.h>
#include <tessera/study/memory_estimate.h>
#include <tessera/study/record.h>

#include <deal.II/grid/tria.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera
{
  /// How a problem is divided among the processes that mpirun started. Every
  /// process has the whole mesh and its degrees of freedom; it makes the space,
  /// the operator and the right-hand side of its part of the cells, and solves
  /// together with the others. Then all of them have the whole solution, of
  /// which the first process computes and writes what follows.
  class Division
  {
  public:
    /// Returns the division among the processes that mpirun started, or null if
    /// this program runs alone; then the device of the command line becomes the
    /// current one if it is the backend. Throws what the constructor throws,
    /// and ParameterError for options that are for one process.
    static std::unique_ptr<const Division>
    of_program(const study::CommandLine &line, Backend backend);

    /// Opens the ways between processes. On a device, every process takes that
    /// of its number on its machine, or that which was asked for. Throws
    /// DeviceError if there are too few.
    Division(const Processes &processes, Backend backend,
             const std::optional<int> &device);

    /// Returns the part of every active cell, by METIS: parts have equally many
    /// cells and few common faces. Throws MeshError if there are fewer cells
    /// than processes.
    template <int dim>
    std::vector<int>
    parts_of_cells(const dealii::Triangulation<dim> &triangulation) const;

    const Processes &
    processes() const
    {
      return all;
    }

    /// True for the process that writes files.
    bool
    writes() const
    {
      return all.rank() == 0;
    }

    const std::shared_ptr<const Transport> &
    transport() const
    {
      return carrier;
    }

    /// Says in an estimate of memory how many processes share a case.
    void
    share(study::CaseSize &size) const;

    /// Adds to the parameters of a case the number of processes, how values
    /// travel, the ghosts of all processes, the largest number of cells over
    /// the mean, and the least, mean and largest seconds of the phases until
    /// the end of the solve.
    void
    describe(study::Case &entry, const Space &space) const;

  private:
    const Processes &all;
    std::shared_ptr<const Transport> carrier;
  };

} // namespace tessera
