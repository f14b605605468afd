#pragma once

#include <tessera/matrix/csr_pattern.h>
#include <tessera/operators/descriptor.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

// The operator `auto`: it times the products of a few row formats when it is
// made, and keeps the fastest format.
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
    std::string skipped        = {}; ///< why it was not timed; empty if it was
  };

  struct FormatChoice
  {
    /// The fastest first; skipped candidates come last.
    std::vector<FormatCandidate> candidates;
    double seconds = 0; ///< the time of making and timing all of them
    /// Returns the largest of the times that the parts of a divided problem
    /// measured for a candidate, so that all choose the same; infinity if a
    /// part skipped the candidate. Empty if there is one part.
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
  /// fastest. Its values are zero, which does not change the time of a product.
  /// Besides the pattern and a copy of it, at most two operators exist at a
  /// time. A candidate is skipped if its options are not legal, if there is not
  /// enough memory for it, or if it is ELLPACK that would mostly be padding.
  /// Throws the error of the first candidate if all are skipped, and
  /// ParameterError for an empty list and for an unknown name. Times differ
  /// from run to run, so the choice between formats that are about equally fast
  /// may differ, too.
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
