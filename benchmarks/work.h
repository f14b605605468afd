#pragma once

#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/models.h>
#include <tessera/study/record.h>

#include <cmath>

namespace tessera::benchmarks
{
  inline bool
  is_quadrilateral(const Space &space)
  {
    return space.cell_type == CellType::quadrilateral;
  }

  /// Returns the operations of a product, or NaN if they are not known.
  inline double
  flops(const std::string &name, const Space &space)
  {
    const int p    = space.degree;
    const double n = space.dofs_per_cell();
    if (name == "matrix_free")
      return is_quadrilateral(space)
               ? models::matrix_free_flops(p) * space.n_cells()
               : study::not_measured;
    const OperatorDescriptor &d = descriptor(name);
    if (d.assembles_in_products)
      return study::not_measured;
    if (d.stores_rows() && !d.repeats_columns)
      return is_quadrilateral(space) ? 2. * (p + 2) * (p + 2) * space.n_owned
                                     : study::not_measured;
    return 2 * n * n * space.n_cells();
  }

  /// Returns the bytes that the paper counts for the row, see
  /// operators/models.h, or NaN except on quadrilaterals.
  inline double
  paper_bytes(const study::Row &row, const CellType type)
  {
    return type == CellType::quadrilateral
             ? models::paper_bytes(row.kind, row.op, row.degree,
                                   row.number == "float" ? 4 : 8, row.dofs,
                                   row.cells)
             : study::not_measured;
  }

  /// Returns the bytes of a product by the model, or without one (and except on
  /// quadrilaterals) what the operator says; a scatter reads and writes y.
  template <class Number>
  double
  model_bytes(const Operator<Number> &A, const Space &space)
  {
    const double of_row =
      models::application(A.name(), space.degree, sizeof(Number));
    if (!is_quadrilateral(space) || std::isnan(of_row))
      return A.traffic().compulsory +
             (stores_rows(A.name()) ? 0. : 2. * sizeof(Number)) * space.n_owned;
    return of_row * space.n_owned;
  }
} // namespace tessera::benchmarks
