#pragma once

#include <tessera/operators/operator.h>
#include <tessera/study/record.h>

// The parameters that were chosen for a row operator, in the form in which
// records contain them. They are empty for other operators.
namespace tessera::study
{
  /// Returns the parameters of the layout: `width` for hybrid; `C`, `sigma` and
  /// `threshold` or `T` for formats with slices.
  template <class Number>
  std::map<std::string, Value>
  layout_parameters(const Operator<Number> &op);

  /// Returns the parameters of the product on the device: `T` for csr, which is
  /// a number, staged or streamed; `values_per_thread` for csr_mgpu; `block`
  /// for formats with slices, and `read_only` if it is 0. Empty on the host.
  template <class Number>
  std::map<std::string, Value>
  product_parameters(const Operator<Number> &op);
} // namespace tessera::study
