#include "poisson.h"

#include <tessera/base/error.h>
#include <tessera/matrices/store_matrix.h>
#include <tessera/operators/factory.h>
#include <tessera/study/memory_estimate.h>
#include <tessera/study/table.h>

#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <ostream>

using namespace tessera;

namespace
{
  const std::string fewer = "fewer refinements, cycles or a lower degree";

  int
  n_varying(const Coefficient &c)
  {
    return c.kind == Coefficient::Kind::uniform ? 0 : c.n_components;
  }
} // namespace


template <int dim>
int
Poisson<dim>::n_refinements() const
{
  return parameters.get_integer("Mesh/Initial refinement") + n_cycles - 1;
}


template <int dim>
Route
Poisson<dim>::route(const CellType type) const
{
  return assembly.route.value_or(
    default_route(operator_name, type, backend, assembly.conflict));
}


template <int dim>
void
Poisson<dim>::check_refinements(const study::CommandLine &line) const
{
  if (n_refinements() == 0)
    return;
  Mesh<dim> coarse;
  make_mesh(coarse, parameters, n_cycles - 1 - n_refinements());
  check_memory(coarse, n_refinements(), line);
}


template <int dim>
void
Poisson<dim>::check_memory(const Mesh<dim> &mesh, const int refinements,
                           const study::CommandLine &line) const
{
  study::CaseSize size;
  size.cell_type = mesh.cell_type();
  for (const int degree : degrees)
    check_degree(size.cell_type, degree);
  size.degree = *std::max_element(degrees.begin(), degrees.end());
  size.n_cells =
    std::ldexp(mesh.triangulation.n_active_cells(), dim * refinements);
  size.operator_name  = operator_name;
  size.number_bytes   = number == "float" ? 4 : 8;
  size.route          = route(size.cell_type);
  size.sell           = assembly.sell;
  size.slice_values   = assembly.slice_values;
  size.preconditioner = preconditioner_name;
  study::MemoryEstimate(size).check(
    "The largest case, the " + mesh.source + " refined " +
      std::to_string(refinements) + " times with degree " +
      std::to_string(size.degree) + ',',
    backend, line.device, fewer);
}


template <int dim>
void
Poisson<dim>::validate(const study::CommandLine &line, std::ostream &out)
{
  choose_backend(line);
  if (!line.export_matrix.empty())
    check_can_store(line.export_matrix);
  check_refinements(line);
  study::CaseSize size;
  std::string source_of_mesh;
  for (const int degree : degrees)
    {
      study::Phases phases;
      const auto d = discretize(degree, 0, phases,
                                degree == degrees.front() ? &out : nullptr);
      sampling.check(*d->mapping, d->mesh.triangulation);
      if (exact)
        error_norms(*d->mapping, d->dof_handler,
                    dealii::Vector<double>(d->dof_handler.n_dofs()), *exact);
      if (degree < size.degree)
        continue;
      size = {d->mesh.cell_type(),
              degree,
              std::ldexp(d->mesh.triangulation.n_active_cells(),
                         dim * (n_cycles - 1)),
              d->geometry,
              operator_name,
              number == "float" ? 4 : 8,
              n_varying(d->kappa) + n_varying(d->source),
              route(d->mesh.cell_type()),
              preconditioner_name,
              assembly.sell,
              assembly.slice_values};
    }
  const study::MemoryEstimate estimate(size);
  out << "The largest case, degree " << size.degree << ", has about "
      << study::format_count(std::llround(size.n_cells)) << " cells and "
      << study::format_count(std::llround(estimate.n_dofs))
      << " degrees of freedom.\n";
  estimate.print(out, backend);
  estimate.check("The largest case", backend, line.device, fewer);
  out << "VALID: nothing was solved." << std::endl;
}


template int
Poisson<2>::n_refinements() const;
template int
Poisson<3>::n_refinements() const;
template void
Poisson<2>::check_refinements(const study::CommandLine &) const;
template void
Poisson<3>::check_refinements(const study::CommandLine &) const;
template void
Poisson<2>::check_memory(const Mesh<2> &, int,
                         const study::CommandLine &) const;
template void
Poisson<3>::check_memory(const Mesh<3> &, int,
                         const study::CommandLine &) const;
template void
Poisson<2>::validate(const study::CommandLine &, std::ostream &);
template void
Poisson<3>::validate(const study::CommandLine &, std::ostream &);
