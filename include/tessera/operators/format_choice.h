#pragma once

#include <tessera/assembly/options.h>
#include <tessera/matrix/csr_pattern.h>
#include <tessera/operators/product_work.h>

#include <optional>
#include <string>
#include <vector>

// The format of an assembled matrix, chosen from its pattern before anything is
// measured: the open question of WongKuhlDarve2015, section 9.
namespace tessera
{
  /// What stands for the operator that is chosen.
  constexpr const char *auto_operator = "auto";

  /// How the kernel of an operator of rows goes through its matrix; nothing
  /// where no work is counted: where there are two kernels (hybrid), where the
  /// matrix decides (csr on the device, as it suits rows), or where an option
  /// has no part in the model.
  std::optional<Product>
  product_of(const std::string &operator_name, const StorageOptions &options,
             Backend backend);

  /// An operator of `operators.def` with its options, and what its product is
  /// predicted to take.
  struct FormatCandidate
  {
    std::string name;
    StorageOptions options;
    Product product;
    ProductWork work;
    double seconds;
  };

  /// The formats in question on a backend for numbers of 8 or 4 bytes, not
  /// predicted.
  std::vector<FormatCandidate>
  format_candidates(Backend backend, int number_bytes);

  /// These for rows of that pattern, quickest first. Counts on the host, of at
  /// most 2^18 rows, which a device's pattern sends.
  std::vector<FormatCandidate>
  rank_formats(const CsrPattern &pattern, int number_bytes);

  /// The candidates with predicted times and what they are made of, a line
  /// each, and why the first is before the next of another format.
  std::string
  describe(const std::vector<FormatCandidate> &ranking);
} // namespace tessera
