#pragma once

#include "report.h"

#include <tessera/operators/operator.h>

#include <algorithm>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace tessera::benchmarks
{
  /// Multiplies once and sets the error that `error(y)` returns, the largest of
  /// all processes of the report, in roundings
  /// of Number, or of float for an operator that stores its values in float. If
  /// the operator is called repeatable, multiplies again and compares bits.
  template <class Number, class ErrorOf>
  void
  verify(program::Row &row, const Report &report, const Operator<Number> &A,
         Vector<Number> &y, const Vector<Number> &x, const ErrorOf &error)
  {
    A.vmult(y, x);
    const std::vector<Number> first = y.to_vector();
    row.error         = report.team.processes.largest(error(first));
    const auto layout = A.layout_parameters();
    const auto stored = layout.find("stored_number");
    if (stored != layout.end() &&
        std::get<std::string>(stored->second) == "float")
      row.error *= std::numeric_limits<Number>::epsilon() /
                   std::numeric_limits<float>::epsilon();
    row.repeatable = A.repeatable();
    if (!A.repeatable())
      return;
    A.vmult(y, x);
    const std::vector<Number> second = y.to_vector();
    if (report.team.processes.any(!std::equal(
          first.begin(), first.begin() + A.n_owned(), second.begin())))
      report.reject(row, "The second application gave other bits.");
  }
} // namespace tessera::benchmarks
