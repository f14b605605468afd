#pragma once

#include <tessera/assembly/options.h>
#include <tessera/matrix/csr_pattern.h>
#include <tessera/operators/row_operator.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

// The operator `auto`: the format of rows whose product is the quickest of a
// few, which are timed on the spot.
namespace tessera
{
  /// What stands for the operator that is chosen.
  constexpr const char *auto_operator = "auto";

  /// An operator of `operators.def` with its options, and what its product
  /// took.
  struct FormatCandidate
  {
    std::string name;
    StorageOptions options;
    double seconds             = std::numeric_limits<double>::infinity();
    std::uint64_t stored_bytes = 0;
    std::string skipped        = {}; ///< why it was not timed; empty: it was
  };

  struct FormatChoice
  {
    /// The quickest first, those that were skipped last.
    std::vector<FormatCandidate> candidates;
    double seconds = 0; ///< that making and timing all of them took
  };

  /// The formats in question on a backend for numbers of 8 or 4 bytes.
  std::vector<FormatCandidate>
  format_candidates(Backend backend, int number_bytes);

  /// Makes an operator of each candidate, times it, and keeps the quickest,
  /// with values of zero: no product takes longer for other ones. Beside the
  /// pattern and a copy there are at most two operators at a time. A candidate
  /// with options that are not legal, or without memory for it, is skipped, as
  /// is ELLPACK of mostly padding; throws what the first of them threw where
  /// none is left. Throws ParameterError for an empty list, and for a name that
  /// is none of an operator. Times differ from run to run, and with them the
  /// choice between formats that are about as quick.
  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_quickest_operator(const CsrPattern &pattern, int n_tail,
                         std::vector<FormatCandidate> candidates,
                         FormatChoice *choice = nullptr);

  /// The candidates with their times, or why they were skipped, a line each;
  /// then which was chosen, and how long that took.
  std::string
  describe(const FormatChoice &choice);
} // namespace tessera
