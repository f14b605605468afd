#pragma once

#include "formats.h"

#include <tessera/matrix/sparse_matrix.h>

#include "product_work.h"

#include <optional>

namespace tessera::spmv
{
  /// Returns how the kernel of an operator of rows traverses its matrix.
  /// Returns nothing if no work can be counted: for two kernels (hybrid), if
  /// the matrix decides (csr on the device with automatic threads), or if the
  /// model does not know an option.
  std::optional<Product>
  product_of(const std::string &operator_name, const StorageOptions &options,
             Backend backend);

  /// A variant, the counted work of its product, and the seconds that the model
  /// predicts for it.
  struct Prediction
  {
    Variant variant;
    ProductWork work;
    double seconds;
  };

  /// Predicts the variants that have a model, fastest first. Leaves out
  /// variants that need an order which the matrix cannot have.
  std::vector<Prediction>
  predict(const SparseMatrix &A, const std::vector<Variant> &variants,
          int number_bytes, Backend backend);

  /// Returns the variant with the fastest prediction among the
  /// candidates of the operator `auto` (format_candidates), or among all if
  /// none of these is there.
  const Variant &
  chosen_of(const std::vector<Prediction> &predictions, Backend backend,
            int number_bytes);

  /// Adds the thresholds of the variants that `auto` times.
  void
  add_thresholds_looked_at(std::vector<int> &thresholds, Backend backend,
                           int number_bytes);
} // namespace tessera::spmv
