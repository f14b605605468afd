#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/fem/distributed/division.h>
#include <tessera/program/parameters.h>
#include <tessera/space/mesh_arrays.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/lac/vector.h>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  /// Fields that follow from a solution u at points of cells, such as its
  /// gradient. They may jump between cells.
  template <int dim>
  struct PointFields
  {
    /// A solution with n components at points of a cell.
    struct Solution
    {
      unsigned int cell = 0; ///< index among the active cells
      std::vector<dealii::Point<dim>> points;
      std::vector<double> values;                    ///< [n_points][n]
      std::vector<dealii::Tensor<1, dim>> gradients; ///< [n_points][n]
    };

    /// Sets the numbers of all fields, one field after the other at each point:
    /// [n_points][numbers of a point].
    using Compute = std::function<void(const Solution &, double *numbers)>;

    /// The fields with their numbers of components, 1 or dim.
    std::vector<std::pair<std::string, int>> names;
    /// Makes a function for one thread. Threads call it at the same time.
    std::function<Compute()> make;
  };


  template <int dim>
  class VtuSource;

  /// The cells on which solutions are written, and where fields have their
  /// nodes. Keeps references to the arguments.
  template <int dim>
  class WrittenCells
  {
  public:
    /// The cells of deal.II's objects; of a divided mesh, the cells of this
    /// process.
    WrittenCells(const dealii::Mapping<dim> &mapping,
                 const dealii::DoFHandler<dim> &dof_handler,
                 const Division *division = nullptr);

    /// The cells of arrays of the host in one process, which are straight.
    /// Active cell c is cell c of the arrays, and points have other numbers
    /// than with deal.II's objects. Functions of `SolutionWriter` throw
    /// std::logic_error unless `fields.fit_arrays()` and all nodes have values.
    WrittenCells(const MeshArrays &mesh, const ElementNodes &nodes);

    const VtuSource<dim> &
    source() const
    {
      return *of_cells;
    }

    const Division *
    division() const
    {
      return of_processes;
    }

  private:
    std::shared_ptr<const VtuSource<dim>> of_cells;
    const Division *of_processes = nullptr;
  };


  /// Writes solutions for ParaView as compressed binary files in one folder:
  /// NAME.vtu with nodal and cell fields, and NAME_boundary.vtu with the faces
  /// of the boundary and their ids. After each solution it also writes
  /// solution.pvd, which lists all solutions as steps 0, 1, and so on. Existing
  /// files of these names are replaced.
  ///
  /// Where processes share a problem, each of them writes its cells to
  /// NAME.<process>.vtu, and NAME.pvtu, which solution.pvd lists, makes one
  /// grid of these files. All processes call the functions together.
  template <int dim>
  class SolutionWriter
  {
  public:
    /// A field with one value per degree of freedom, by deal.II's index; or,
    /// where arrays are written, with the values of all components of a node,
    /// [n_nodes][n_components]. With dim components it is a vector.
    struct NodalField
    {
      NodalField(std::string name, dealii::Vector<double> values,
                 std::shared_ptr<const dealii::DoFHandler<dim>> dofs = nullptr)
        : name(std::move(name)), values(std::move(values)),
          dof_handler(std::move(dofs))
      {}

      std::string name;
      dealii::Vector<double> values;
      /// The DoFHandler of the field; null if the field has the DoFHandler of
      /// the solution.
      std::shared_ptr<const dealii::DoFHandler<dim>> dof_handler;
    };

    struct Fields
    {
      std::vector<NodalField> nodal;
      /// Fields with one value per active cell.
      std::vector<std::pair<std::string, dealii::Vector<double>>> cell = {};
      /// Fields with a vector per active cell, of which two dimensions show the
      /// first two components.
      std::vector<std::pair<std::string, std::vector<std::array<double, 3>>>>
        cell_vectors = {};
      /// Functions of the first nodal field, at every point of every cell.
      std::vector<PointFields<dim>> derived = {};

      /// Returns false if a field has a DoFHandler of its own: then arrays
      /// cannot be written.
      bool
      fit_arrays() const;
    };

    /// Numbers have double precision if `in_double`, otherwise single
    /// precision.
    explicit SolutionWriter(const std::string &folder, bool in_double = false);

    /// Declares the entry `Output/Precision`.
    static void
    declare(Parameters &parameters);

    /// Takes the precision of numbers from the entry `Output/Precision`.
    SolutionWriter(const std::string &folder, const Parameters &parameters);

    /// Writes NAME.vtu and NAME_boundary.vtu. Cells are cut into `subdivisions`
    /// parts per direction, which are curved if the mapping is. Triangles and
    /// tetrahedra are not cut: they are written as linear cells for one
    /// subdivision and as quadratic cells for more. The cell field
    /// `material_id` is added. Throws Error if a file cannot be written.
    void
    write(const WrittenCells<dim> &cells, const Fields &fields,
          int subdivisions, const std::string &name);

    /// Writes NAME.vtu alone, which no .pvd file lists. Returns the name of the
    /// file of all processes.
    std::string
    write_cells(const WrittenCells<dim> &cells, const Fields &fields,
                int subdivisions, const std::string &name) const;

    /// Writes NAME.vtu alone, as a step of the series SERIES.pvd at a time,
    /// which lists all steps that this object wrote of it. Their meshes may
    /// differ. Returns what `write_cells` returns.
    std::string
    write_step(const WrittenCells<dim> &cells, const Fields &fields,
               int subdivisions, const std::string &name,
               const std::string &series, double time);

    /// Makes steps that an earlier run wrote, by their times and files, the
    /// first ones of a series.
    void
    continue_series(const std::string &series,
                    const std::vector<std::pair<double, std::string>> &files);

    /// Returns the name of the .pvd file, or an empty string if nothing was
    /// written.
    std::string
    file() const;

  private:
    using Steps = std::vector<std::pair<double, std::string>>;

    std::string folder;
    bool in_double;
    Steps steps;
    std::map<std::string, Steps> series_steps;
  };
} // namespace tessera
