#pragma once

#include <tessera/preconditioners/preconditioner.h>

#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  /// Names of `preconditioners.def`, in its order.
  std::vector<std::string>
  preconditioner_names();

  /// The preconditioner of that name for `A`, which must live longer. Throws
  /// ParameterError for an unknown name, naming the legal ones.
  template <class Number>
  std::unique_ptr<Preconditioner<Number>>
  make_preconditioner(const std::string &name, const Operator<Number> &A,
                      Stream stream = {});
} // namespace tessera
