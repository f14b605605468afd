#include "system.h"

#include <oracle.h>

#include <tessera/base/error.h>
#include <tessera/base/random.h>
#include <tessera/operators/convert_rows.h>
#include <tessera/operators/row_operator.h>
#include <tessera/solvers/problem.h>

#include <cmath>

using namespace tessera;

namespace
{
  /// Returns x* for an entry of a generated mesh of `n` nodes a direction,
  /// exact in float, so that it is the same in all number types.
  double
  solution_at(const Connectivity &mesh, const int n, const int entry,
              const std::uint64_t seed)
  {
    const int component = entry % mesh.n_components;
    int node            = entry / mesh.n_components;
    double value        = 1;
    for (int d = 0; d < mesh.dim(); ++d, node /= n)
      value *= std::sin(M_PI * (node % n) / (n - 1) * (d == component ? 2 : 1));
    const double noise = 2 * RandomSequence(seed, entry).uniform() - 1;
    return static_cast<float>(value + 0.01 * noise);
  }

  class MeshSystem : public System
  {
  public:
    MeshSystem(const Connectivity &mesh, const Backend where,
               const std::uint64_t seed)
    {
      const auto space = std::make_shared<const Space>(build_space(mesh));
      problem          = std::make_unique<const Problem<double>>(space, where);
      backend          = where;
      const int n =
        static_cast<int>(std::lround(std::pow(mesh.n_dofs, 1. / mesh.dim())));
      std::vector<double> solution(benchmarks::n_free_entries(*space));
      const int c = space->n_components;
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < solution.size(); ++i)
        solution[i] =
          solution_at(mesh, n, space->mesh_dof[i / c] * c + i % c, seed);
      Made<double> reference;
      make(reference, "matrix_free", false);
      set(std::move(reference), std::move(solution), {},
          std::pow(2 * mesh.degree + 1, mesh.dim()) * c);
    }

    void
    make(Made<double> &A, const std::string &name,
         const bool single_entries) const override
    {
      A = make_for(*problem, name, single_entries);
    }

    void
    make(Made<float> &A, const std::string &name,
         const bool single_entries) const override
    {
      // Elasticity has no kernels in float.
      if (problem->space().n_components > 1)
        {
          check_float_elasticity(name);
          Made<double> rows;
          make(rows, name, single_entries);
          AssemblyOptions options;
          options.single_entries = single_entries;
          A                      = convert_rows<float>(
            dynamic_cast<const RowOperator<double> &>(*rows), rows->name(),
            options);
          return;
        }
      if (!in_float)
        in_float = std::make_unique<const Problem<float>>(*problem);
      A = make_for(*in_float, name, single_entries);
    }

    program::Row
    row() const override
    {
      const Space &space = problem->space();
      program::Row row;
      const std::string type = to_string(space.cell_type);
      row.case_name = type + ", degree " + std::to_string(space.degree);
      row.degree    = space.degree;
      row.dofs      = benchmarks::n_free_entries(space);
      row.cells     = space.n_cells();
      row.numbering = space.numbering;
      row.parameters["cell_type"]  = type;
      row.parameters["components"] = std::int64_t(space.n_components);
      return row;
    }

  private:
    template <class Number>
    Made<Number>
    make_for(const Problem<Number> &on, const std::string &name,
             const bool single_entries) const
    {
      AssemblyOptions options;
      options.single_entries = single_entries;
      return on.make_operator(name, benchmarks::form_of(on.space()), options);
    }

    mutable std::unique_ptr<const Problem<float>> in_float;
  };
} // namespace


void
check_float_elasticity(const std::string &operator_name)
{
  if (!stores_rows(operator_name))
    throw ParameterError("Elasticity has no kernels in float; " +
                         operator_name +
                         " stores no rows that could be rounded.");
}


std::unique_ptr<System>
make_mesh_system(const Connectivity &mesh, const Backend backend,
                 const std::uint64_t seed)
{
  return std::make_unique<MeshSystem>(mesh, backend, seed);
}
