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

  /// Names of the operators that it goes with.
  std::vector<std::string>
  operators_of_preconditioner(const std::string &name);

  struct PreconditionerOptions
  {
    double relaxation = 1; ///< of ssor
  };

  /// The preconditioner of that name for `A`, which must live longer. Throws
  /// ParameterError for an unknown name, naming the legal ones, and what the
  /// preconditioner throws.
  template <class Number>
  std::unique_ptr<Preconditioner<Number>>
  make_preconditioner(const std::string &name, const Operator<Number> &A,
                      const PreconditionerOptions &options = {},
                      Stream stream                        = {});
} // namespace tessera
