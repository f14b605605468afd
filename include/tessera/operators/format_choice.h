#pragma once

#include <tessera/assembly/options.h>
#include <tessera/matrix/csr_pattern.h>
#include <tessera/operators/product_work.h>

#include <optional>
#include <string>
#include <vector>

// Chooses the format of an assembled matrix from its sparsity pattern, before
// anything is measured; WongKuhlDarve2015, section 9, names this as an open
// question.
namespace tessera
{
  /// The operator name that asks for this choice.
  constexpr const char *auto_operator = "auto";

  /// Returns how the kernel of a row operator traverses its matrix. The result
  /// is empty if the model does not cover the operator: it has two kernels
  /// (hybrid), the kernel depends on the matrix (csr on the device with
  /// automatic threads), or an option is set that the model does not know.
  std::optional<Product>
  product_of(const std::string &operator_name, const StorageOptions &options,
             Backend backend);

  /// An operator with its options, and the predicted cost of its product.
  struct FormatCandidate
  {
    std::string name;
    StorageOptions options;
    Product product;
    ProductWork work;
    double seconds;
  };

  /// Returns the formats that are considered on a backend for numbers of 8 or 4
  /// bytes. Their work and seconds are not filled in.
  std::vector<FormatCandidate>
  format_candidates(Backend backend, int number_bytes);

  /// Returns these formats with predictions for that pattern, the fastest
  /// first. Counting runs on the host and looks at no more than 2^18 rows,
  /// which are copied from the device if the pattern is there.
  std::vector<FormatCandidate>
  rank_formats(const CsrPattern &pattern, int number_bytes);

  /// Returns a table of the candidates with their predicted times and the
  /// counts behind them, one line each, and a sentence on why the first is
  /// faster than the next one of another format.
  std::string
  describe(const std::vector<FormatCandidate> &ranking);
} // namespace tessera
