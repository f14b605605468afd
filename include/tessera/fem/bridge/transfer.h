#pragma once

#include <tessera/base/parallel_vector.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/solvers/problem.h>

#include <deal.II/base/function.h>

#include <algorithm>
#include <stdexcept>

namespace tessera
{
  /// Builds the `Space` of flat arrays and returns the discrete problem on it.
  /// Throws what `build_space` throws.
  template <class Number>
  Problem<Number>
  make_problem(const FlatProblem &flat, const Backend backend)
  {
    return {std::make_shared<const Space>(build_space(flat.connectivity)),
            backend};
  }

  /// Returns deal.II's index of an entry of a vector; `dofs` comes from
  /// FlatProblem.
  inline int
  dof_of_entry(const Space &space, const std::vector<int> &dofs,
               const int entry)
  {
    const int n    = space.n_components;
    const int node = space.mesh_dof[entry / n];
    if (n > 1 && dofs.empty())
      throw std::logic_error("nodes with components need FlatProblem::dofs");
    return dofs.empty() ? node : dofs[std::size_t(node) * n + entry % n];
  }

  /// Returns values as a vector of deal.II, copied by all threads.
  inline dealii::Vector<double>
  to_vector(const std::vector<double> &values)
  {
    dealii::Vector<double> result;
    result.reinit(values.size(), true);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < values.size(); ++i)
      result[i] = values[i];
    return result;
  }

  /// Returns values that are numbered by deal.II's indices in the order of the
  /// space, [n_local][n_components]; the padding entry is 0. `Values` is
  /// std::vector<double>, dealii::Vector<double> or a similar type. For nodes
  /// with several components, `dofs` of FlatProblem must be given.
  template <class Number = double, class Values>
  std::vector<Number>
  local_values(const Space &space, const Values &values,
               const std::vector<int> &dofs = {})
  {
    const int n = space.n_components;
    if (n > 1 && dofs.empty())
      throw std::logic_error("nodes with components need FlatProblem::dofs");
    auto local = parallel_vector<Number>(space.n_local() * std::size_t(n));
#pragma omp parallel for schedule(static)
    for (int i = 0; i < space.padding_index() * n; ++i)
      local[i] = static_cast<Number>(values[dof_of_entry(space, dofs, i)]);
    return local;
  }

  /// Sets x from values that are numbered by deal.II's indices, as in
  /// `local_values`.
  template <class Number, class Values>
  void
  import_dofs(Vector<Number> &x, const Space &space, const Values &values,
              const std::vector<int> &dofs = {})
  {
    x.copy_from(local_values<Number>(space, values, dofs));
  }

  /// Copies the entries of owned nodes to values that are numbered by deal.II's
  /// indices. All other values are unchanged; call
  /// AffineConstraints::distribute afterwards to set constrained ones.
  template <class Number, class Values>
  void
  export_dofs(const Vector<Number> &x, const Space &space, Values &values,
              const std::vector<int> &dofs = {})
  {
    const std::vector<Number> local = x.to_vector();
    for (int i = 0; i < space.n_owned * space.n_components; ++i)
      values[dof_of_entry(space, dofs, i)] = local[i];
  }

  /// Returns the values of a scalar function at the quadrature points of a
  /// space. One thread evaluates the function at all points.
  template <int dim>
  Coefficient
  at_quadrature_points(const Space &space,
                       const dealii::Function<dim> &function)
  {
    const std::vector<double> points = quadrature_points(space);
    Coefficient result{Coefficient::Kind::per_quadrature_point, 1, {}};
    dealii::Point<dim> p;
    for (std::size_t i = 0; i < points.size(); i += dim)
      {
        std::copy_n(points.begin() + i, dim, p.begin_raw());
        result.values.push_back(function.value(p));
      }
    return result;
  }

  /// Returns b of A x = b on the free degrees of freedom for a form and a
  /// source f. It is the load vector of f, lifted by the constrained values of
  /// `flat`.
  template <class Number>
  Vector<Number>
  right_hand_side(const FlatProblem &flat, const Problem<Number> &problem,
                  const Form &form, const Coefficient &f)
  {
    Vector<Number> given = problem.make_vector();
    import_dofs(given, problem.space(), flat.boundary_values, flat.dofs);
    return problem.right_hand_side(form, f, {}, given);
  }

  /// Does the same for f as a function, which is evaluated at the quadrature
  /// points.
  template <int dim, class Number>
  Vector<Number>
  right_hand_side(const FlatProblem &flat, const Problem<Number> &problem,
                  const Form &form, const dealii::Function<dim> &f)
  {
    return right_hand_side(flat, problem, form,
                           at_quadrature_points(problem.space(), f));
  }
} // namespace tessera
