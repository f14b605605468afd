#pragma once

#include <tessera/operators/operator.h>
#include <tessera/study/record.h>

// What was chosen for a matrix of rows, as records have it; nothing for other
// operators.
namespace tessera::study
{
  /// How it is laid out: `width` of hybrid; `C`, `sigma` and `threshold` or `T`
  /// of slices.
  template <class Number>
  std::map<std::string, Value>
  layout_parameters(const Operator<Number> &op);

  /// How the device multiplies with it: `T` of csr, a number or how rows go
  /// through the chip; `values_per_thread` of csr_mgpu; `block` of slices, and
  /// `read_only` where that is 0. Nothing on the host.
  template <class Number>
  std::map<std::string, Value>
  product_parameters(const Operator<Number> &op);
} // namespace tessera::study
