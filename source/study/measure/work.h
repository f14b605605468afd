#pragma once

#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/models.h>
#include <tessera/program/record.h>

#include <cmath>

#include "paper_models.h"

namespace tessera::benchmarks
{
  /// True where models count bytes and operations: for Laplace's form on
  /// quadrilaterals.
  template <class Mesh>
  bool
  has_models(const Mesh &mesh)
  {
    return mesh.cell_type == CellType::quadrilateral && mesh.n_components == 1;
  }

  /// The entries of the free part of a vector.
  inline int
  n_free_entries(const Space &space)
  {
    return space.n_owned * space.n_components;
  }

  /// Returns the operations of a product, or NaN if they are not known.
  inline double
  flops(const std::string &name, const Space &space)
  {
    const int p                 = space.degree;
    const double n              = space.dofs_per_cell() * space.n_components;
    const OperatorDescriptor &d = descriptor(name);
    const bool stored_once      = d.stores_rows() && !d.repeats_columns;
    if (d.assembles_in_products ||
        ((d.stores_nothing || stored_once) && !has_models(space)))
      return program::not_measured;
    if (d.stores_nothing)
      return models::matrix_free_flops(p) * space.n_cells();
    if (stored_once)
      return 2. * (p + 2) * (p + 2) * space.n_owned;
    return 2 * n * n * space.n_cells();
  }

  /// Returns the bytes that the paper counts for the row (paper_models.h), or
  /// NaN where there are no models.
  template <class Mesh>
  double
  paper_bytes(const program::Row &row, const Mesh &mesh)
  {
    return has_models(mesh)
             ? paper_bytes(row.kind, row.op, row.degree,
                           row.number == "float" ? 4 : 8, row.dofs, row.cells)
             : program::not_measured;
  }

  /// Returns the bytes of a product by the model. Without a model they are what
  /// the operator says, to which a scatter adds that it reads and writes y. The
  /// model has a uniform coefficient, so `coefficient_bytes` are added for
  /// products that compute from the form with another one.
  template <class Number>
  double
  model_bytes(const Operator<Number> &A, const Space &space,
              const double coefficient_bytes = 0)
  {
    const double of_row =
      models::application(A.name(), space.degree, sizeof(Number));
    if (!has_models(space) || std::isnan(of_row))
      return A.traffic().compulsory +
             (stores_rows(A.name()) ? 0. : 2. * sizeof(Number)) *
               n_free_entries(space);
    return of_row * space.n_owned +
           (descriptor(A.name()).stores_nothing ? coefficient_bytes : 0.);
  }
} // namespace tessera::benchmarks
