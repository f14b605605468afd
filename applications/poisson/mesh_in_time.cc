#include "mesh_in_time.h"

#include <tessera/base/replace_file.h>

#include <algorithm>

using namespace tessera;

template <int dim>
std::vector<double>
initial_values(const Equation<dim> &equation, const Discretization<dim> &d)
{
  const auto points = d.node_points();
  // The values of all others follow from these and from what is given.
  const Connectivity &connectivity = d.flat.connectivity;
  std::vector<char> follows(connectivity.constrained.begin(),
                            connectivity.constrained.end());
  for (const int node : connectivity.hanging.entry)
    follows[node] = 1;
  std::vector<double> flat, free;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (follows[i] == 0)
      flat.insert(flat.end(), points[i].begin_raw(), points[i].end_raw());
  d.collectively([&]() { free = equation.initial.evaluate(flat); });
  std::vector<double> values(points.size());
  auto next = free.begin();
  for (std::size_t i = 0; i < points.size(); ++i)
    if (follows[i] == 0)
      values[i] = *next++;
  d.complete(values, d.flat.boundary_values);
  return values;
}


template <int dim>
MeshInTime<dim>::MeshInTime(const Equation<dim> &equation,
                            Discretization<dim> &d)
  : equation(equation), d(d), refinement(d.parameters)
{
  if (!refinement.wanted)
    return;
  levels.least = static_cast<int>(d.mesh().triangulation().n_levels()) - 1;
  levels.most  = levels.least + equation.time->n_levels;
}


template <int dim>
Data
MeshInTime<dim>::begin()
{
  Data data = discretize(equation, d);
  for (int level = levels.least; refinement.wanted && level < levels.most;
       ++level)
    {
      auto values = initial_values(equation, d);
      adapt(0, data, values);
    }
  ranges  = {{1, d.entry.problem.cells, d.entry.problem.dofs}};
  seconds = 0;
  return data;
}


template <int dim>
bool
MeshInTime<dim>::changes_after(const int k, const int n) const
{
  return refinement.wanted && k % equation.time->adapt_every == 0 && k + 2 <= n;
}


template <int dim>
void
MeshInTime<dim>::adapt(const int k, Data &data, std::vector<double> &values)
{
  const program::Timer timer;
  AdaptiveRefinement::Fields fields(
    1, dealii::Vector<double>(values.begin(), values.end()));
  refinement.adapt(d, fields, levels, &largest);
  d.check_memory(
    "The mesh of step " + std::to_string(k + 1),
    "fewer 'Time/Further levels', a smaller 'Mesh/Refine fraction' "
    "or a lower degree");
  data = discretize(equation, d);
  values.assign(fields[0].begin(), fields[0].end());
  d.complete(values, d.flat.boundary_values);
  ranges.push_back({k + 1, d.entry.problem.cells, d.entry.problem.dofs});
  seconds += timer.seconds();
}


template <int dim>
void
MeshInTime<dim>::add_step(const int iterations)
{
  ranges.back().iterations += iterations;
}


template <int dim>
void
MeshInTime<dim>::finish(const int n, const double end,
                        const std::string &file) const
{
  if (!refinement.wanted)
    return;
  double sum = 0, most = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i)
    {
      const int next = i + 1 < ranges.size() ? ranges[i + 1].first : n + 1;
      sum += double(ranges[i].dofs) * (next - ranges[i].first);
      most = std::max(most, double(ranges[i].dofs));
    }
  auto &parameters            = d.entry.parameters;
  parameters["meshes"]        = std::int64_t(ranges.size());
  parameters["dofs_mean"]     = sum / n;
  parameters["dofs_most"]     = std::int64_t(most);
  parameters["adapt_seconds"] = seconds;
  if (!d.writes())
    return;
  write_file(file, "file", [&](std::ostream &out) {
    out << "first_step,time,cells,dofs,iterations\n";
    for (const Range &range : ranges)
      out << range.first << ',' << end * (range.first - 1) / n << ','
          << range.cells << ',' << range.dofs << ',' << range.iterations
          << '\n';
  });
}


#define INSTANTIATE(dim)                                                    \
  template std::vector<double> initial_values(const Equation<dim> &,        \
                                              const Discretization<dim> &); \
  template class MeshInTime<dim>;
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE
