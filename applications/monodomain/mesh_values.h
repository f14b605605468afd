#pragma once

#include <tessera/base/vector.h>
#include <tessera/fem/driver/linear_system.h>
#include <tessera/fem/output/checkpoint.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// Values at the owned nodes of a process, or at points of its cells, as a part
/// of the values of the whole mesh in the state of a computation. In the state
/// they stand at the places `nodes` and `cells`, whose numbers depend neither
/// on the numbering of a space nor on the number of processes.
class MeshValues
{
public:
  /// Values at owned nodes, [n_owned].
  static MeshValues
  of_nodes(const tessera::SolverCase &this_case)
  {
    return {"nodes", static_cast<std::size_t>(this_case.space->n_owned), 1};
  }

  /// Values at n points of the cells of the space, [n_cells][n].
  static MeshValues
  of_cells(const tessera::SolverCase &this_case, const std::size_t n)
  {
    return {"cells", static_cast<std::size_t>(this_case.space->n_cells()), n};
  }

  /// Makes values, [n_fields][n_places][n], a part of a state. What follows
  /// them, such as the tail of a vector, is not read.
  void
  save(tessera::State &state, const std::string &name,
       const std::vector<double> &local, const std::size_t n_fields = 1) const
  {
    std::vector<double> values(n_fields * n_places * n);
    for_values(n_fields, [&](const std::size_t from, const std::size_t to) {
      values[to] = local[from];
    });
    state.at[places][name] = std::move(values);
  }

  /// Returns the values in such a state. Throws ParameterError if it has none
  /// of that name and size.
  std::vector<double>
  restore(const tessera::State &state, const std::string &name,
          const std::size_t n_fields = 1) const
  {
    std::vector<double> local(n_fields * n_places * n);
    const auto &values = state.values_at(places, name, local.size());
    for_values(n_fields, [&](const std::size_t to, const std::size_t from) {
      local[to] = values[from];
    });
    return local;
  }

  /// Sets owned entries to the values of such a state, and the tail to 0.
  void
  restore(tessera::Vector<double> &x, const tessera::State &state,
          const std::string &name) const
  {
    std::vector<double> values = restore(state, name);
    values.resize(x.size(), 0.);
    x.copy_from(values);
  }

private:
  MeshValues(std::string places, const std::size_t n_places,
             const std::size_t n)
    : places(std::move(places)), n_places(n_places), n(n)
  {}

  /// Calls visit(index here, index in a state) for all values.
  template <class Visit>
  void
  for_values(const std::size_t n_fields, const Visit &visit) const
  {
    for (std::size_t field = 0; field < n_fields; ++field)
      for (std::size_t i = 0; i < n_places; ++i)
        for (std::size_t k = 0; k < n; ++k)
          visit((field * n_places + i) * n + k, (i * n_fields + field) * n + k);
  }

  std::string places;
  std::size_t n_places, n;
};

/// Returns values at all nodes that this process knows of, by deal.II's index,
/// [n_dofs], from those at its owned nodes, which may be followed by others.
/// All processes call it together.
inline std::vector<double>
values_of_mesh(const tessera::SolverCase &this_case,
               const std::vector<double> &local)
{
  const auto &given = this_case.flat.boundary_values;
  std::vector<double> values(given.size(), 0.);
  for (int i = 0; i < this_case.space->n_owned; ++i)
    values[this_case.space->mesh_dof[i]] = local[i];
  this_case.complete(values, given);
  return values;
}
