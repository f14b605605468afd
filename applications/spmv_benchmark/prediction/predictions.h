#pragma once

#include "formats.h"

#include <tessera/matrix/sparse_matrix.h>

#include "product_work.h"

#include <optional>

namespace tessera::spmv
{
  /// How the kernel of an operator of rows goes through its matrix; nothing
  /// where no work is counted: where there are two kernels (hybrid), where the
  /// matrix decides (csr on the device, as it suits rows), or where an option
  /// has no part in the model.
  std::optional<Product>
  product_of(const std::string &operator_name, const StorageOptions &options,
             Backend backend);

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

  /// The quickest by that of those that the operator `auto` times
  /// (format_candidates), of all where none of these is among them.
  const Variant &
  chosen_of(const std::vector<Prediction> &predictions, Backend backend,
            int number_bytes);

  /// Adds those of what `auto` times.
  void
  add_thresholds_looked_at(std::vector<int> &thresholds, Backend backend,
                           int number_bytes);
} // namespace tessera::spmv
