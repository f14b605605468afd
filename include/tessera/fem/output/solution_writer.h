#pragma once

#include <tessera/fem/distributed/cell_nodes.h>
#include <tessera/fem/fields/derived_quantities.h>
#include <tessera/program/parameters.h>

#include <deal.II/lac/vector.h>

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  struct VtuGrid;

  /// Writes solutions for ParaView as compressed binary files in one folder:
  /// NAME.vtu with nodal and cell fields, and NAME_boundary.vtu with the faces
  /// of the boundary and their ids. After each solution it also writes
  /// solution.pvd, which lists all solutions as steps 0, 1, and so on. Existing
  /// files of these names are replaced.
  ///
  /// If processes share a problem, each of them writes its cells to
  /// NAME.<process>.vtu, and NAME.pvtu, which solution.pvd lists, makes one
  /// grid of these files. All processes call the functions together.
  ///
  /// Files of the format VTKHDF, NAME.vtkhdf, have the same arrays. Process 0
  /// writes one file, which has the cells of each process as a piece. Files
  /// .vtkhdf.series list them in the place of .pvd files.
  template <int dim>
  class SolutionWriter
  {
  public:
    /// A field with values at all nodes, [n_nodes][n_components] or, if it has
    /// as many components as the problem, [n_dofs]. With dim components it is a
    /// vector.
    struct NodalField
    {
      NodalField(std::string name, dealii::Vector<double> values)
        : name(std::move(name)), values(std::move(values))
      {}

      std::string name;
      dealii::Vector<double> values;
    };

    struct Fields
    {
      std::vector<NodalField> nodal;
      /// Fields with one value per active cell.
      std::vector<std::pair<std::string, dealii::Vector<double>>> cell = {};
      /// Fields with a vector per active cell; in two dimensions the first two
      /// components are written.
      std::vector<std::pair<std::string, std::vector<std::array<double, 3>>>>
        cell_vectors = {};
      /// Functions of the first nodal field, at every point of every cell.
      std::vector<PointFields<dim>> derived = {};
    };

    enum class Format
    {
      vtu,
      vtkhdf
    };

    /// Numbers have double precision if `in_double`, otherwise single
    /// precision. Throws ParameterError for vtkhdf in a build without HDF5.
    explicit SolutionWriter(const std::string &folder, bool in_double = false,
                            Format format = Format::vtu);

    /// Declares the entries `Output/Format` and `Output/Precision`.
    static void
    declare(Parameters &parameters);

    /// Takes the format and the precision of numbers from these entries.
    SolutionWriter(const std::string &folder, const Parameters &parameters);

    /// Writes NAME.vtu and NAME_boundary.vtu. Cells are cut into `subdivisions`
    /// parts per direction, which are curved if the mapping is. Triangles and
    /// tetrahedra are not cut: they are written as linear cells for one
    /// subdivision and as quadratic cells for more. The cell field
    /// `material_id` is added. Throws Error if a file cannot be written, and
    /// std::logic_error for a nodal field without values at all nodes. On a
    /// divided mesh, the cells of this process are written.
    void
    write(const CellNodes<dim> &cells, const Fields &fields, int subdivisions,
          const std::string &name);

    /// Writes NAME.vtu alone, which no .pvd file lists. Returns the name of the
    /// file of all processes.
    std::string
    write_cells(const CellNodes<dim> &cells, const Fields &fields,
                int subdivisions, const std::string &name) const;

    /// Writes NAME.vtu alone, as a step of the series SERIES.pvd at a time,
    /// which lists all steps that this object wrote of it. Their meshes may
    /// differ. Returns what `write_cells` returns.
    std::string
    write_step(const CellNodes<dim> &cells, const Fields &fields,
               int subdivisions, const std::string &name,
               const std::string &series, double time);

    /// Lets a series begin with steps that an earlier run wrote, which have a
    /// time and a file. Files of the other format are left out.
    void
    continue_series(const std::string &series,
                    const std::vector<std::pair<double, std::string>> &files);

    /// Returns the name of the file that lists all solutions, or an empty
    /// string if nothing was written.
    std::string
    file() const;

  private:
    using Steps = std::vector<std::pair<double, std::string>>;

    /// Writes NAME.vtu or, with several processes, NAME.<process>.vtu if it is
    /// not empty and NAME.pvtu; or NAME.vtkhdf. Returns the name of the file of
    /// all processes.
    std::string
    write_grid(const std::string &name, const VtuGrid &grid,
               const Division &division) const;

    /// Returns .pvd or the suffix of the list of the other format.
    std::string
    list_suffix() const;

    void
    write_list(const std::string &name, const Steps &all,
               const Division &division) const;

    std::string folder;
    bool in_double;
    Format format;
    Steps steps;
    std::map<std::string, Steps> series_steps;
  };
} // namespace tessera
