#include <tessera/fem/driver/case_output.h>

namespace tessera
{
  template <int dim>
  void
  CaseOutput<dim>::declare(Parameters &parameters,
                           const std::function<void()> &own_output,
                           const std::vector<std::string> &derived)
  {
    parameters.declare("Output/VTU", "true", Patterns::Bool(),
                       "whether solutions and boundaries are written for "
                       "ParaView");
    parameters.declare("Output/Subdivisions", "degree",
                       Patterns::Selection("degree|1|2|3|4|5|6|7|8"),
                       "parts a direction into which cells are cut in the "
                       "files; triangles and tetrahedra become quadratic for 2 "
                       "and more");
    SolutionWriter<dim>::declare(parameters);
    own_output();
    Sampling<dim>::declare(parameters, derived);
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
                         const std::string &name, const Derive<dim> &derive)
  {
    std::vector<Samples> samples;
    if (!sampling.empty())
      samples = sampling.write({d.cells(), u, derive}, folder, name);
    const auto &probes  = sampling.probe_points();
    const bool is_alone = d.fe->n_components() == 1;
    for (std::size_t i = 0; i < probes.size(); ++i)
      for (std::size_t k = 0; k < samples.size(); ++k)
        {
          const std::vector<double> point(probes[i].begin_raw(),
                                          probes[i].end_raw());
          const double value = samples[k].values[i];
          if (is_alone && k == 0)
            d.entry.results.probes.push_back({point, value});
          else
            d.entry.results.quantities.push_back(
              {samples[k].name, value, point});
        }
    if (!parameters.get_bool("Output/VTU"))
      return;
    auto &nodal = d.fields.nodal;
    nodal.insert(nodal.begin(), {d.solution_name, u});
    if (exact != nullptr)
      {
        dealii::Vector<double> error = d.interpolate(*exact);
        error.sadd(-1., u);
        nodal.insert(nodal.begin() + 1, {"error", error});
      }
    writer.write(d.cells(), d.fields,
                 subdivisions(parameters, d.entry.problem.degree),
                 "solution_" + name);
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
           writer.write_cells(d.cells(), d.fields,
                              subdivisions(parameters, d.entry.problem.degree),
                              kind + '_' + name);
  }


  template class CaseOutput<2>;
  template class CaseOutput<3>;
} // namespace tessera
