#include <tessera/fem/driver/case_output.h>

#include <deal.II/numerics/vector_tools_interpolate.h>

namespace tessera
{
  template <int dim>
  void
  CaseOutput<dim>::declare(Parameters &parameters,
                           const std::function<void()> &own_output)
  {
    parameters.declare("Output/VTU", "true", Patterns::Bool(),
                       "whether solutions and boundaries are written for "
                       "ParaView");
    parameters.declare("Output/Subdivisions", "degree",
                       Patterns::Selection("degree|1|2|3|4|5|6|7|8"),
                       "parts a direction into which cells are cut in .vtu "
                       "files; triangles and tetrahedra become quadratic for 2 "
                       "and more");
    SolutionWriter<dim>::declare(parameters);
    own_output();
    Sampling<dim>::declare(parameters);
  }


  template <int dim>
  CaseOutput<dim>::CaseOutput(const Parameters &parameters,
                              const std::string &folder)
    : parameters(parameters), folder(folder), sampling(parameters),
      writer(folder, parameters)
  {}


  int
  subdivisions(const Parameters &parameters, const int degree)
  {
    const std::string wanted = parameters.get("Output/Subdivisions");
    return wanted == "degree" ? degree : std::stoi(wanted);
  }


  template <int dim>
  void
  CaseOutput<dim>::write(Discretization<dim> &d,
                         const dealii::Vector<double> &u,
                         const dealii::Function<dim> *const exact,
                         const std::string &name)
  {
    const auto probes =
      sampling.write(*d.mapping, d.dof_handler, u, folder, name, d.division);
    const unsigned int n_components = d.fe->n_components();
    const auto names                = component_names(n_components);
    for (std::size_t i = 0; i < probes.size(); ++i)
      {
        const auto &p = sampling.probe_points()[i / n_components];
        const std::vector<double> point(p.begin_raw(), p.end_raw());
        if (n_components == 1)
          d.entry.results.probes.push_back({point, probes[i]});
        else
          d.entry.results.quantities.push_back(
            {names[i % n_components], probes[i], point});
      }
    if (!parameters.get_bool("Output/VTU"))
      return;
    auto &nodal = d.fields.nodal;
    nodal.insert(nodal.begin(), {d.solution_name, u});
    if (exact != nullptr)
      {
        dealii::Vector<double> error(u.size());
        dealii::VectorTools::interpolate(*d.mapping, d.dof_handler, *exact,
                                         error);
        error.sadd(-1., u);
        nodal.insert(nodal.begin() + 1, {"error", error});
      }
    writer.write(*d.mapping, d.dof_handler, d.fields,
                 subdivisions(parameters, d.entry.problem.degree),
                 "solution_" + name, d.division);
  }


  template <int dim>
  std::string
  CaseOutput<dim>::write_unfinished(Discretization<dim> &d,
                                    const dealii::Vector<double> &u,
                                    const std::string &kind,
                                    const std::string &name) const
  {
    if (!parameters.get_bool("Output/VTU"))
      return "";
    auto &nodal = d.fields.nodal;
    nodal.insert(nodal.begin(), {kind + '_' + d.solution_name, u});
    return folder + '/' +
           writer.write_cells(*d.mapping, d.dof_handler, d.fields,
                              subdivisions(parameters, d.entry.problem.degree),
                              kind + '_' + name, d.division);
  }


  template class CaseOutput<2>;
  template class CaseOutput<3>;
} // namespace tessera
