#pragma once

#include "formats.h"

#include <tessera/matrix/sparse_matrix.h>
#include <tessera/operators/product_work.h>

namespace tessera::spmv
{
  /// A variant, what was counted of its product, and the seconds that this
  /// takes.
  struct Prediction
  {
    Variant variant;
    ProductWork work;
    double seconds;
  };

  /// Of those that have a model, quickest first; none that needs an order
  /// which the matrix cannot have.
  std::vector<Prediction>
  predict(const SparseMatrix &A, const std::vector<Variant> &variants,
          int number_bytes, Backend backend);

  /// The quickest of those that `auto` looks at (format_candidates), of all
  /// where none of these is among them.
  const Variant &
  chosen_of(const std::vector<Prediction> &predictions, Backend backend,
            int number_bytes);

  /// Adds those of what `auto` looks at.
  void
  add_thresholds_looked_at(std::vector<int> &thresholds, Backend backend,
                           int number_bytes);
} // namespace tessera::spmv
