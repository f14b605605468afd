#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/parallel/processes.h>
#include <tessera/program/command_line.h>
#include <tessera/program/memory_estimate.h>
#include <tessera/program/record.h>
#include <tessera/space/boundary_faces.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera
{
  /// How a problem is divided among the processes that mpirun started. A
  /// process makes the space, the operator and the right-hand side of its part
  /// of the cells, solves together with the others, and computes and writes
  /// derived quantities on these cells.
  ///
  /// A process has the cells whose subdomain id is its number. It may know
  /// others: the whole mesh, which METIS then divides, or, of a
  /// `DistributedMesh`, its neighbours and some elsewhere.
  class Division
  {
  public:
    /// Returns the division among the processes that mpirun started, or null if
    /// this program runs alone; then the device of the command line becomes the
    /// current one if it is the backend. Throws what the constructor throws,
    /// and ParameterError for options that are for one process.
    static std::unique_ptr<const Division>
    of_program(const program::CommandLine &line, Backend backend);

    /// Opens the ways between processes. On a device, every process takes that
    /// of its number on its machine, or that which was asked for. Throws
    /// DeviceError if there are too few.
    Division(const Processes &processes, Backend backend,
             const std::optional<int> &device);

    /// Divides a mesh that every process has as a whole, by METIS: sets the
    /// subdomain ids of the cells, so that parts have equally many cells and
    /// few common faces. Throws MeshError if there are fewer cells than
    /// processes.
    template <int dim>
    void
    divide(dealii::Triangulation<dim> &triangulation) const;

    /// Returns how the degrees of freedom of such a mesh are shared: each is
    /// owned by the lowest process that has one of its cells, and has deal.II's
    /// index as its id.
    template <int dim>
    MeshNodes
    dofs(const dealii::DoFHandler<dim> &dof_handler) const;

    const Processes &
    processes() const
    {
      return all;
    }

    int
    rank() const
    {
      return all.rank();
    }

    /// True for the process that writes files of all.
    bool
    writes() const
    {
      return rank() == 0;
    }

    const std::shared_ptr<const Transport> &
    transport() const
    {
      return carrier;
    }

    /// Sets in an estimate of memory how many processes share a case.
    void
    share(program::CaseSize &size) const;

    /// Adds to the parameters of a case the number of processes, how values
    /// travel, the ghosts of all processes, the least, mean and largest number
    /// of cells and the largest over the mean, the most cells that a process
    /// knows of, with `n_known` here, and the least, mean and largest seconds
    /// of the phases until the end of the solve.
    void
    describe(program::Case &entry, const Space &space, double n_known) const;

    /// Adds the least, mean and largest of the values of all processes to the
    /// parameters of a case, as NAME_min, NAME_mean and NAME_max, unless their
    /// mean is negative or NaN. `local` is the value of this process.
    void
    add_spread(program::Case &entry, const std::string &name,
               double local) const;

  private:
    const Processes &all;
    std::shared_ptr<const Transport> carrier;
  };

  /// Returns true for the cells of this process. `division` is null if there is
  /// one process, which has all of them.
  template <class Cell>
  bool
  is_here(const Division *const division, const Cell &cell)
  {
    return division == nullptr ||
           static_cast<int>(cell->subdomain_id()) == division->rank();
  }

  /// Adds up values of all processes, entry by entry.
  inline void
  sum_up(const Division *const division, std::vector<double> &values)
  {
    if (division != nullptr)
      division->processes().sum(values);
  }
} // namespace tessera
