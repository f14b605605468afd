#pragma once

#include "storage.h"

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

  /// A way to store a matrix, the counted work of its product, and the seconds
  /// that the model predicts for it.
  struct Prediction
  {
    Storage storage;
    ProductWork work;
    double seconds;
  };

  /// Predicts what has a model, fastest first. Leaves out what needs an order
  /// that the matrix cannot have.
  std::vector<Prediction>
  predict(const SparseMatrix &A, const std::vector<Storage> &variants,
          int number_bytes, Backend backend);

  /// Returns the one with the fastest prediction among the
  /// candidates of the operator `auto` (format_candidates), or among all if
  /// none of these is there.
  const Storage &
  chosen_of(const std::vector<Prediction> &predictions, Backend backend,
            int number_bytes);
} // namespace tessera::spmv
