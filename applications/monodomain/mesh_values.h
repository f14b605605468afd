#pragma once

#include <tessera/base/vector.h>
#include <tessera/dealii/checkpoint.h>
#include <tessera/dealii/linear_solver.h>

#include <cstddef>
#include <string>
#include <vector>

/// Where values at the nodes or points of a process stand among those of the
/// whole mesh, which have the order of deal.II. What is kept in that order, as
/// in checkpoints, depends neither on how a space numbers its nodes nor on how
/// many processes there are. All processes call `collect` and `save` together.
class MeshValues
{
public:
  /// Values at owned nodes, [n_owned], become [n_dofs].
  static MeshValues
  of_nodes(const tessera::DiscreteProblem &problem)
  {
    return MeshValues(problem, problem.space->mesh_dof, problem.space->n_owned,
                      1, problem.flat.boundary_values.size());
  }

  /// Values at n points of the cells of the space, [n_cells][n], become those
  /// of all active cells.
  static MeshValues
  of_cells(const tessera::DiscreteProblem &problem, const std::size_t n)
  {
    return MeshValues(problem, problem.space->mesh_cell,
                      problem.space->n_cells(), n,
                      problem.flat.connectivity.n_cells());
  }

  /// Returns the values of the whole mesh, [n_fields][n_places][n], in every
  /// process. `here` are those of this process, and what follows them, such as
  /// the tail of a vector, is not read.
  std::vector<double>
  collect(const std::vector<double> &here, std::size_t n_fields = 1) const;

  /// Returns the values of this process among those of the whole mesh.
  std::vector<double>
  pick(const std::vector<double> &all, std::size_t n_fields = 1) const;

  /// Makes values an array of the state of a computation.
  void
  save(tessera::State &state, const std::string &name,
       const std::vector<double> &here, const std::size_t n_fields = 1) const
  {
    state.arrays[name] = collect(here, n_fields);
  }

  /// Returns the values of this process in such a state. Throws ParameterError
  /// if it has no array of that name and size.
  std::vector<double>
  restore(const tessera::State &state, const std::string &name,
          const std::size_t n_fields = 1) const
  {
    return pick(state.array(name, n_fields * n_all * n), n_fields);
  }

  /// Sets owned entries to those of such a state, and the tail to 0.
  void
  restore(tessera::Vector<double> &x, const tessera::State &state,
          const std::string &name) const
  {
    std::vector<double> values = restore(state, name);
    values.resize(x.size(), 0.);
    x.copy_from(values);
  }

private:
  MeshValues(const tessera::DiscreteProblem &problem,
             const std::vector<int> &places, const std::size_t n_here,
             const std::size_t n, const std::size_t n_all)
    : division(problem.division), places(places), n_here(n_here), n(n),
      n_all(n_all)
  {}

  /// Calls visit(index here, index of the whole mesh) for all values.
  template <class Visit>
  void
  for_values(const std::size_t n_fields, const Visit &visit) const
  {
    for (std::size_t field = 0; field < n_fields; ++field)
      for (std::size_t i = 0; i < n_here; ++i)
        for (std::size_t k = 0; k < n; ++k)
          visit((field * n_here + i) * n + k,
                (field * n_all + places[i]) * n + k);
  }

  const tessera::Division *division;
  const std::vector<int> &places; ///< in the whole mesh, of each one here
  std::size_t n_here, n, n_all;
};

inline std::vector<double>
MeshValues::collect(const std::vector<double> &here,
                    const std::size_t n_fields) const
{
  std::vector<double> all(n_fields * n_all * n, 0.);
  for_values(n_fields, [&](const std::size_t from, const std::size_t to) {
    all[to] = here[from];
  });
  sum_up(division, all);
  return all;
}

inline std::vector<double>
MeshValues::pick(const std::vector<double> &all,
                 const std::size_t n_fields) const
{
  std::vector<double> here(n_fields * n_here * n);
  for_values(n_fields, [&](const std::size_t to, const std::size_t from) {
    here[to] = all[from];
  });
  return here;
}
