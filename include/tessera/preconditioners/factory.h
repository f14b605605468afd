#pragma once

#include <tessera/preconditioners/descriptor.h>

namespace tessera
{
  /// Returns the names of the preconditioners of all linked libraries, in
  /// alphabetical order.
  std::vector<std::string>
  preconditioner_names();

  /// Returns the names of the preconditioners that are made from an operator
  /// alone, without a matrix on the host.
  std::vector<std::string>
  plain_preconditioner_names();

  /// True if M is a diagonal matrix.
  bool
  is_diagonal(const std::string &name);

  /// Makes the preconditioner of that name for `A`. A and the data of `problem`
  /// must outlive it. If A is one of several parts, all parts make theirs at
  /// the same time. Throws ParameterError for an unknown name, with the legal
  /// ones, for an option that the preconditioner does not have, if it does not
  /// work with A or the problem, and whatever its constructor throws.
  template <class Number>
  std::unique_ptr<Preconditioner<Number>>
  make_preconditioner(const std::string &name, const Operator<Number> &A,
                      const PreconditionerProblem &problem = {},
                      Stream stream                        = {});
} // namespace tessera
