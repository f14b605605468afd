#include "vtu_cells.h"

#include <tessera/base/replace_file.h>
#include <tessera/dealii/solution_writer.h>

#include <deal.II/base/data_out_base.h>

namespace tessera
{
  namespace
  {
    void
    write_grid(const std::string &path, const VtuGrid &grid,
               const bool in_double)
    {
      write_file(path, "file",
                 [&](std::ostream &out) { write_vtu(grid, out, in_double); });
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
                       dealii::Patterns::Selection("float32|float64"),
                       "of numbers in .vtu files of solutions");
  }


  template <int dim>
  void
  SolutionWriter<dim>::write_cells(const dealii::Mapping<dim> &mapping,
                                   const dealii::DoFHandler<dim> &dof_handler,
                                   const Fields &fields, const int subdivisions,
                                   const std::string &name) const
  {
    write_grid(folder + '/' + name + ".vtu",
               VtuCells<dim>(mapping, dof_handler, fields, subdivisions).grid(),
               in_double);
  }


  template <int dim>
  void
  SolutionWriter<dim>::write(const dealii::Mapping<dim> &mapping,
                             const dealii::DoFHandler<dim> &dof_handler,
                             const Fields &fields, const int subdivisions,
                             const std::string &name)
  {
    const VtuCells<dim> cells(mapping, dof_handler, fields, subdivisions);
    write_grid(folder + '/' + name + ".vtu", cells.grid(), in_double);
    write_grid(folder + '/' + name + "_boundary.vtu", cells.boundary(),
               in_double);

    steps.emplace_back(steps.size(), name + ".vtu");
    write_file(file(), "file", [&](std::ostream &out) {
      dealii::DataOutBase::write_pvd_record(out, steps);
    });
  }


  template <int dim>
  void
  SolutionWriter<dim>::write_step(const dealii::Mapping<dim> &mapping,
                                  const dealii::DoFHandler<dim> &dof_handler,
                                  const Fields &fields, const int subdivisions,
                                  const std::string &name,
                                  const std::string &series, const double time)
  {
    write_cells(mapping, dof_handler, fields, subdivisions, name);
    Steps &all = series_steps[series];
    all.emplace_back(time, name + ".vtu");
    write_file(folder + '/' + series + ".pvd", "file", [&](std::ostream &out) {
      dealii::DataOutBase::write_pvd_record(out, all);
    });
  }


  template <int dim>
  void
  SolutionWriter<dim>::continue_series(
    const std::string &series,
    const std::vector<std::pair<double, std::string>> &names)
  {
    Steps &all = series_steps[series];
    all.clear();
    for (const auto &[time, name] : names)
      all.emplace_back(time, name + ".vtu");
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
