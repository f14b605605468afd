#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/assembly/load_vector.h>
#include <tessera/dealii/flatten.h>
#include <tessera/operators/lift.h>

#include <deal.II/base/function.h>

#include <algorithm>

namespace tessera
{
  /// Builds the `Space` of a problem and returns its cells in the memory of a
  /// backend. Throws what `build_space` throws.
  template <class Number>
  std::shared_ptr<const CellData<Number>>
  make_cells(const FlatProblem &flat, const Backend backend)
  {
    return std::make_shared<const CellData<Number>>(
      std::make_shared<const Space>(build_space(flat.connectivity)), backend);
  }

  /// Sets x from values that are numbered by deal.II's indices. Owned,
  /// constrained and ghost entries are set; the padding entry becomes 0.
  /// `Values` is std::vector<double>, dealii::Vector<double> or a similar type.
  template <class Number, class Values>
  void
  import_dofs(Vector<Number> &x, const Space &space, const Values &values)
  {
    std::vector<Number> local(space.n_local(), Number(0));
    for (std::size_t i = 0; i < space.mesh_dof.size(); ++i)
      local[i] = static_cast<Number>(values[space.mesh_dof[i]]);
    x.copy_from(local);
  }

  /// Copies the owned entries of x to values that are numbered by deal.II's
  /// indices. All other values are unchanged; call
  /// AffineConstraints::distribute afterwards to set constrained ones.
  template <class Number, class Values>
  void
  export_dofs(const Vector<Number> &x, const Space &space, Values &values)
  {
    const std::vector<Number> local = x.to_vector();
    for (int i = 0; i < space.n_owned; ++i)
      values[space.mesh_dof[i]] = local[i];
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
  right_hand_side(const FlatProblem &flat,
                  const std::shared_ptr<const CellData<Number>> &cells,
                  const Form &form, const Coefficient &f)
  {
    Vector<Number> b = cells->make_vector(), g = cells->make_vector();
    add_load_vector(b, *cells, f, default_conflict(cells->backend()));
    import_dofs(g, cells->space(), flat.boundary_values);
    lift(b, g, cells, form);
    return b;
  }

  /// Does the same for f as a function, which is evaluated at the quadrature
  /// points.
  template <int dim, class Number>
  Vector<Number>
  right_hand_side(const FlatProblem &flat,
                  const std::shared_ptr<const CellData<Number>> &cells,
                  const Form &form, const dealii::Function<dim> &f)
  {
    return right_hand_side(flat, cells, form,
                           at_quadrature_points(cells->space(), f));
  }
} // namespace tessera
