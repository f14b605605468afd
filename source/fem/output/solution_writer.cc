#include "vtu_cells.h"

#include <tessera/base/replace_file.h>
#include <tessera/fem/output/solution_writer.h>

#include <deal.II/base/data_out_base.h>

#include <algorithm>

namespace tessera
{
  namespace
  {
    /// Calls `work`; what it throws in one process is thrown in all.
    template <class Work>
    void
    collectively(const Division *const division, const Work &work)
    {
      if (division == nullptr)
        work();
      else
        division->processes().collectively(work);
    }

    /// Writes NAME.vtu or, of several processes, NAME.<process>.vtu where it is
    /// not empty and NAME.pvtu. Returns the name of the file of all processes.
    std::string
    write_grid(const std::string &folder, const std::string &name,
               const VtuGrid &grid, const bool in_double,
               const Division *const division)
    {
      const bool far         = division == nullptr
                                 ? is_far(grid)
                                 : division->processes().any(is_far(grid));
      const auto write_piece = [&](const std::string &piece) {
        write_file(folder + '/' + piece, "file", [&](std::ostream &out) {
          write_vtu(grid, out, in_double, far);
        });
      };
      if (division == nullptr)
        {
          write_piece(name + ".vtu");
          return name + ".vtu";
        }
      const auto piece = [&name](const std::size_t process) {
        return name + '.' + std::to_string(process) + ".vtu";
      };
      division->processes().collectively([&]() {
        if (!grid.connectivity.empty())
          write_piece(piece(division->rank()));
      });
      std::vector<std::string> pieces;
      const auto sizes = division->processes().gather(
        static_cast<double>(grid.connectivity.size()));
      for (std::size_t process = 0; process < sizes.size(); ++process)
        if (sizes[process] > 0)
          pieces.push_back(piece(process));
      if (division->writes())
        write_file(folder + '/' + name + ".pvtu", "file",
                   [&](std::ostream &out) {
                     write_pvtu(grid, pieces, out, in_double, far);
                   });
      return name + ".pvtu";
    }
  } // namespace


  template <int dim>
  SolutionWriter<dim>::SolutionWriter(const std::string &folder,
                                      const bool in_double)
    : folder(folder), in_double(in_double)
  {}


  template <int dim>
  SolutionWriter<dim>::SolutionWriter(const std::string &folder,
                                      const Parameters &parameters)
    : SolutionWriter(folder, parameters.get("Output/Precision") == "float64")
  {}


  template <int dim>
  void
  SolutionWriter<dim>::declare(Parameters &parameters)
  {
    parameters.declare("Output/Precision", "float32",
                       Patterns::Selection("float32|float64"),
                       "of numbers in .vtu files of solutions");
  }


  template <int dim>
  void
  SolutionWriter<dim>::write(const CellNodes<dim> &cells, const Fields &fields,
                             const int subdivisions, const std::string &name)
  {
    const Division *const division = cells.division();
    VtuGrid grid, boundary;
    collectively(division, [&]() {
      const VtuCells<dim> of_file(cells, fields, subdivisions);
      grid     = of_file.grid();
      boundary = of_file.boundary();
    });
    steps.emplace_back(steps.size(),
                       write_grid(folder, name, grid, in_double, division));
    write_grid(folder, name + "_boundary", boundary, in_double, division);
    if (division == nullptr || division->writes())
      write_file(file(), "file", [&](std::ostream &out) {
        dealii::DataOutBase::write_pvd_record(out, steps);
      });
  }


  template <int dim>
  std::string
  SolutionWriter<dim>::write_cells(const CellNodes<dim> &cells,
                                   const Fields &fields, const int subdivisions,
                                   const std::string &name) const
  {
    VtuGrid grid;
    collectively(cells.division(), [&]() {
      grid = VtuCells<dim>(cells, fields, subdivisions).grid();
    });
    return write_grid(folder, name, grid, in_double, cells.division());
  }


  template <int dim>
  std::string
  SolutionWriter<dim>::write_step(const CellNodes<dim> &cells,
                                  const Fields &fields, const int subdivisions,
                                  const std::string &name,
                                  const std::string &series, const double time)
  {
    const Division *const division = cells.division();
    const std::string file = write_cells(cells, fields, subdivisions, name);
    Steps &all             = series_steps[series];
    all.emplace_back(time, file);
    if (division == nullptr || division->writes())
      write_file(folder + '/' + series + ".pvd", "file",
                 [&](std::ostream &out) {
                   dealii::DataOutBase::write_pvd_record(out, all);
                 });
    return file;
  }


  template <int dim>
  void
  SolutionWriter<dim>::continue_series(
    const std::string &series,
    const std::vector<std::pair<double, std::string>> &files)
  {
    series_steps[series] = files;
  }


  template <int dim>
  std::string
  SolutionWriter<dim>::file() const
  {
    return steps.empty() ? "" : folder + "/solution.pvd";
  }


  template class SolutionWriter<2>;
  template class SolutionWriter<3>;
} // namespace tessera
