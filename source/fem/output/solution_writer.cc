#include "vtkhdf_file.h"
#include "vtu_cells.h"

#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>
#include <tessera/fem/output/solution_writer.h>
#include <tessera/parallel/write_together.h>

#include <deal.II/base/data_out_base.h>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace tessera
{
  namespace
  {
    /// Writes NAME.vtu or, of several processes, NAME.<process>.vtu where it is
    /// not empty and NAME.pvtu. Returns the name of the file of all processes.
    std::string
    write_xml(const std::string &folder, const std::string &name,
              const VtuGrid &grid, const bool in_double, const bool far,
              const Division &division)
    {
      const auto write_piece = [&](const std::string &piece) {
        write_file(folder + '/' + piece, "file", [&](std::ostream &out) {
          write_vtu(grid, out, in_double, far);
        });
      };
      if (division.n_processes() == 1)
        {
          write_piece(name + ".vtu");
          return name + ".vtu";
        }
      const auto piece = [&name](const std::size_t process) {
        return name + '.' + std::to_string(process) + ".vtu";
      };
      division.processes().collectively([&]() {
        if (!grid.connectivity.empty())
          write_piece(piece(division.rank()));
      });
      std::vector<std::string> pieces;
      const auto sizes = division.processes().gather(
        static_cast<double>(grid.connectivity.size()));
      for (std::size_t process = 0; process < sizes.size(); ++process)
        if (sizes[process] > 0)
          pieces.push_back(piece(process));
      if (division.writes())
        write_file(folder + '/' + name + ".pvtu", "file",
                   [&](std::ostream &out) {
                     write_pvtu(grid, pieces, out, in_double, far);
                   });
      return name + ".pvtu";
    }

    /// Writes ParaView's list of files of any format.
    void
    write_series(std::ostream &out,
                 const std::vector<std::pair<double, std::string>> &steps)
    {
      nlohmann::json files = nlohmann::json::array();
      for (const auto &[time, name] : steps)
        files.push_back({{"name", name}, {"time", time}});
      out << nlohmann::json{{"file-series-version", "1.0"}, {"files", files}}
               .dump(2)
          << '\n';
    }

    /// Writes NAME.vtkhdf, with the cells of each process that has any as a
    /// piece. Process 0 always has one, as a grid has one piece at least.
    /// Returns the name of the file.
    std::string
    write_hdf(const std::string &folder, const std::string &name,
              const VtuGrid &grid, const bool in_double, const bool far,
              const Division &division)
    {
      const VtkHdf hdf(grid, in_double, far);
      const VtkHdf::Piece own = hdf.piece();
      const Processes &all    = division.processes();
      const auto n_points     = all.gather(static_cast<double>(own.n_points)),
                 n_cells      = all.gather(static_cast<double>(own.n_cells));
      std::vector<VtkHdf::Piece> pieces;
      for (std::size_t p = 0; p < n_cells.size(); ++p)
        if (p == 0 || n_cells[p] > 0)
          pieces.push_back({static_cast<std::size_t>(n_points[p]),
                            static_cast<std::size_t>(n_cells[p])});
      write_together(
        all,
        [&](const CollectBytes &collect) {
          write_file(
            folder + '/' + name + ".vtkhdf", "file",
            [&](std::ostream &out) { hdf.write(pieces, collect, out); });
        },
        [&](const int section, const TakeBytes &take) {
          if (!grid.connectivity.empty() || division.writes())
            hdf.produce(section, take);
        });
      return name + ".vtkhdf";
    }
  } // namespace


  template <int dim>
  SolutionWriter<dim>::SolutionWriter(const std::string &folder,
                                      const bool in_double, const Format format)
    : folder(folder), in_double(in_double), format(format)
  {
    if (format == Format::vtkhdf && !VtkHdf::is_there())
      throw ParameterError(
        "'Output/Format' is 'vtkhdf', but this build has no "
        "HDF5; legal is 'vtu'.");
  }


  template <int dim>
  SolutionWriter<dim>::SolutionWriter(const std::string &folder,
                                      const Parameters &parameters)
    : SolutionWriter(folder, parameters.get("Output/Precision") == "float64",
                     parameters.get("Output/Format") == "vtkhdf"
                       ? Format::vtkhdf
                       : Format::vtu)
  {}


  template <int dim>
  void
  SolutionWriter<dim>::declare(Parameters &parameters)
  {
    parameters.declare(
      "Output/Format", "vtu", Patterns::Selection("vtu|vtkhdf"),
      "the format for ParaView: vtu: XML, in several processes "
      "one file each, listed by .pvd files; vtkhdf: "
      "HDF5, in one file, listed by .vtkhdf.series files, "
      "for ParaView 5.10 or newer");
    parameters.declare("Output/Precision", "float32",
                       Patterns::Selection("float32|float64"),
                       "the type of numbers in files of solutions");
  }


  template <int dim>
  std::string
  SolutionWriter<dim>::list_suffix() const
  {
    return format == Format::vtu ? ".pvd" : ".vtkhdf.series";
  }


  template <int dim>
  void
  SolutionWriter<dim>::write_list(const std::string &name, const Steps &all,
                                  const Division &division) const
  {
    if (division.writes())
      write_file(folder + '/' + name + list_suffix(), "file",
                 [&](std::ostream &out) {
                   if (format == Format::vtu)
                     dealii::DataOutBase::write_pvd_record(out, all);
                   else
                     write_series(out, all);
                 });
  }


  template <int dim>
  std::string
  SolutionWriter<dim>::write_grid(const std::string &name, const VtuGrid &grid,
                                  const Division &division) const
  {
    const bool far = division.processes().any(is_far(grid));
    return format == Format::vtu
             ? write_xml(folder, name, grid, in_double, far, division)
             : write_hdf(folder, name, grid, in_double, far, division);
  }


  template <int dim>
  void
  SolutionWriter<dim>::write(const CellNodes<dim> &cells, const Fields &fields,
                             const int subdivisions, const std::string &name)
  {
    const Division &division = cells.division();
    VtuGrid grid, boundary;
    division.processes().collectively([&]() {
      VtuCells<dim> of_file(cells, fields, subdivisions);
      boundary = of_file.boundary();
      grid     = std::move(of_file).grid();
    });
    steps.emplace_back(steps.size(), write_grid(name, grid, division));
    write_grid(name + "_boundary", boundary, division);
    write_list("solution", steps, division);
  }


  template <int dim>
  std::string
  SolutionWriter<dim>::write_cells(const CellNodes<dim> &cells,
                                   const Fields &fields, const int subdivisions,
                                   const std::string &name) const
  {
    VtuGrid grid;
    cells.division().processes().collectively(
      [&]() { grid = VtuCells<dim>(cells, fields, subdivisions).grid(); });
    return write_grid(name, grid, cells.division());
  }


  template <int dim>
  std::string
  SolutionWriter<dim>::write_step(const CellNodes<dim> &cells,
                                  const Fields &fields, const int subdivisions,
                                  const std::string &name,
                                  const std::string &series, const double time)
  {
    const std::string file = write_cells(cells, fields, subdivisions, name);
    Steps &all             = series_steps[series];
    all.emplace_back(time, file);
    write_list(series, all, cells.division());
    return file;
  }


  template <int dim>
  void
  SolutionWriter<dim>::continue_series(
    const std::string &series,
    const std::vector<std::pair<double, std::string>> &files)
  {
    Steps &all = series_steps[series];
    all.clear();
    for (const auto &step : files)
      if ((std::filesystem::path(step.second).extension() == ".vtkhdf") ==
          (format == Format::vtkhdf))
        all.push_back(step);
  }


  template <int dim>
  std::string
  SolutionWriter<dim>::file() const
  {
    return steps.empty() ? "" : folder + "/solution" + list_suffix();
  }


  template class SolutionWriter<2>;
  template class SolutionWriter<3>;
} // namespace tessera
