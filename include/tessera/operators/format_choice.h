#pragma once

#include <tessera/matrix/csr_pattern.h>
#include <tessera/operators/descriptor.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

// The operator `auto`: the row format whose product is the fastest of a few
// that are timed on the spot.
namespace tessera
{
  /// The operator name that asks for this choice.
  constexpr const char *auto_operator = "auto";

  /// An operator with its options, and the time of its
  /// product.
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
    /// The fastest first; those that were skipped stand last.
    std::vector<FormatCandidate> candidates;
    double seconds = 0; ///< the time of making and timing all of them
    /// Returns the largest of the times that all parts of a divided problem
    /// have for a candidate, so that all choose the same; it is infinity for a
    /// candidate that a part skipped. Empty: there is one part.
    std::function<double(double)> largest = {};
  };

  /// Returns the descriptor of the operator `auto`.
  OperatorDescriptor
  describe_auto();

  /// Returns the formats that are considered on a backend for numbers of 8 or 4
  /// bytes. Their times are not filled in.
  std::vector<FormatCandidate>
  format_candidates(Backend backend, int number_bytes);

  /// Makes an operator of each candidate, times its product, and returns the
  /// fastest. Its values are zero, which changes no product's time. Beside the
  /// pattern and a copy of it there are at most two operators at a time. A
  /// candidate is skipped if its options are not legal, if there is not enough
  /// memory for it, or if it is ELLPACK that would mostly be padding. Throws
  /// the error of the first candidate if all are skipped, and ParameterError
  /// for an empty list and for a name that is no operator's. Times differ from
  /// run to run, and so may the choice between formats that are about equally
  /// fast.
  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_quickest_operator(const CsrPattern &pattern, int n_tail,
                         std::vector<FormatCandidate> candidates,
                         FormatChoice *choice = nullptr);

  /// Returns a table of the candidates, one line each, with their times or the
  /// reason why they were skipped; then the choice, and how long it took.
  std::string
  describe(const FormatChoice &choice);
} // namespace tessera
