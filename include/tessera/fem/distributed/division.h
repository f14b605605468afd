#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/parallel/node_exchange.h>
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
  /// The division of a problem among the processes that mpirun started. A
  /// process makes the space, the operator and the right-hand side of its part
  /// of the cells, solves together with the others, and computes and writes
  /// derived quantities on these cells. A single process has all cells: it
  /// calls the same functions, which then do not communicate.
  ///
  /// One of several processes owns the cells whose subdomain id is its number.
  /// It may know other cells: the whole mesh, which METIS then divides, or, in
  /// a `DistributedMesh`, its neighbours and some cells elsewhere.
  class Division
  {
  public:
    /// This process has all cells.
    Division() = default;

    /// Returns the division among the processes of this program. If it runs
    /// alone, the device of the command line becomes the current one if it is
    /// the backend. Throws what the constructor below throws, and
    /// ParameterError for options that only one process can use.
    static Division
    of_program(const program::CommandLine &line, Backend backend);

    /// Connects the processes. On a device, every process takes the device with
    /// its number on its machine, or the device that was asked for. Throws
    /// DeviceError if there are too few devices.
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
      return *all;
    }

    int
    n_processes() const
    {
      return all->size();
    }

    int
    rank() const
    {
      return all->rank();
    }

    /// True for the process that writes the files of all processes.
    bool
    writes() const
    {
      return rank() == 0;
    }

    /// Returns the transport of values between several processes.
    const std::shared_ptr<const Transport> &
    transport() const
    {
      return carrier;
    }

    /// Sets the number of processes that share a case in an estimate of memory,
    /// if there are several.
    void
    share(program::CaseSize &size) const;

    /// Adds to the parameters of a case of several processes their number, the
    /// transport, the ghosts of all processes, the least, mean and largest
    /// number of cells, the ratio of the largest to the mean, the most cells
    /// that a process knows (`n_known` here), and the least, mean and largest
    /// seconds of the phases until the end of the solve.
    void
    describe(program::Case &entry, const Space &space, double n_known) const;

    /// Adds the least, mean and largest of the values of all processes to the
    /// parameters of a case, as NAME_min, NAME_mean and NAME_max, unless their
    /// mean is negative or NaN or there is one process. `local` is the value of
    /// this process.
    void
    add_spread(program::Case &entry, const std::string &name,
               double local) const;

  private:
    const Processes *all = &Processes::alone();
    std::shared_ptr<const Transport> carrier;
  };

  /// How several processes share the degrees of freedom that this process
  /// knows, by deal.II's index. In one process this is empty.
  struct SharedDofs
  {
    MeshNodes nodes       = {}; ///< their owners and ids, [n_dofs]
    NodeExchange exchange = {}; ///< of values at them

    /// Returns true if this process owns a degree of freedom.
    bool
    are_owned(const Division &division, const std::size_t dof) const
    {
      return division.n_processes() == 1 || nodes.owner[dof] == division.rank();
    }
  };

  /// Returns true for the cells of this process.
  template <class Cell>
  bool
  is_own(const Division &division, const Cell &cell)
  {
    return division.n_processes() == 1 ||
           static_cast<int>(cell->subdomain_id()) == division.rank();
  }

  /// Adds up values of all processes, entry by entry.
  inline void
  sum_up(const Division &division, std::vector<double> &values)
  {
    division.processes().sum(values);
  }
} // namespace tessera
