#pragma once

#include <tessera/preconditioners/multigrid.h>
#include <tessera/space/tail.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace tessera
{
  /// Names of the preconditioners, in the order of `preconditioners.def`.
  std::vector<std::string>
  preconditioner_names();

  /// Names of those that need an operator and nothing else: all but multigrid,
  /// whose levels are made beforehand.
  std::vector<std::string>
  plain_preconditioner_names();

  /// Names of the operators that the preconditioner can be used with.
  std::vector<std::string>
  operators_of_preconditioner(const std::string &name);

  /// True if M is a diagonal matrix.
  bool
  is_diagonal(const std::string &name);

  struct PreconditionerOptions
  {
    double relaxation    = 1;  ///< for ssor
    int degree           = 4;  ///< of polynomials
    int eigenvalue_steps = 16; ///< of Lanczos's method, for polynomials
    int block_rows       = 0;  ///< for block_jacobi; 0: those of a node
    int n_components     = 1;  ///< rows of a node
    std::shared_ptr<const MultigridLevels> levels = {}; ///< for multigrid
    MultigridOptions multigrid                    = {};
    /// Sums over the parts of a divided problem, or null.
    const Communicator *all = nullptr;
    /// What adds up values at nodes over these parts, by number type; null
    /// where no preconditioner of that type is made.
    std::tuple<std::shared_ptr<const Tail<double>>,
               std::shared_ptr<const Tail<float>>>
      tails = {};
  };

  /// Makes the preconditioner of that name for `A`, which must outlive it.
  /// Throws ParameterError for an unknown name, naming the legal ones, and
  /// whatever the constructor of the preconditioner throws.
  template <class Number>
  std::unique_ptr<Preconditioner<Number>>
  make_preconditioner(const std::string &name, const Operator<Number> &A,
                      const PreconditionerOptions &options = {},
                      Stream stream                        = {});
} // namespace tessera
