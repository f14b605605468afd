#pragma once

#include <limits>
#include <string>
#include <vector>

namespace tessera
{
  /// The measure of the residual r = b - A x that is compared with the
  /// tolerance; see `stopping_norms.def`.
  enum class StoppingNorm
  {
#define TESSERA_STOPPING_NORM(name, sentence) name,
#include <tessera/solvers/stopping_norms.def>
#undef TESSERA_STOPPING_NORM
  };

  std::vector<std::string>
  stopping_norm_names();

  StoppingNorm
  stopping_norm_from_string(const std::string &name);

  /// Returns true if the residual divided by the diagonal counts, too.
  bool
  is_scaled(StoppingNorm norm);

  /// Returns true if the residual is computed anew from x before it counts.
  bool
  is_true(StoppingNorm norm);

  /// How a solve ended. In all cases x is the best iterate that was found.
  enum class SolveEnd
  {
    converged,
    iteration_limit,
    stagnated,                 ///< the true residual no longer decreases
    operator_indefinite,       ///< p . A p is not positive
    preconditioner_indefinite, ///< r . M^-1 r is not positive
    not_finite,                ///< a sum is infinite or not a number
    interrupted,               ///< `progress` returned false
    no_progress, ///< the residual did not halve for too long (Patience)
  };

  struct CGResult
  {
    SolveEnd end            = SolveEnd::not_finite;
    bool converged          = false; ///< end == SolveEnd::converged
    bool interrupted        = false; ///< end == SolveEnd::interrupted
    int iterations          = 0;
    double initial_residual = 0; ///< |b - A x_0|
    double residual         = 0; ///< |b - A x| according to the recurrence
    /// |b - A x| computed anew from x, by `solve`.
    double true_residual = std::numeric_limits<double>::quiet_NaN();
    /// |D^-1 (b - A x)| / |D^-1 b|, computed with the true residual if the norm
    /// is a scaled one; D is the diagonal of A.
    double scaled_residual = std::numeric_limits<double>::quiet_NaN();
    /// How often the true residual replaced the recurred one.
    int replacements = 0;
    /// Set with SolveEnd::no_progress: why the solve ended, and what may help.
    std::string reason, advice;
    /// The norm of the recurrence's residual after each iteration, [iterations
    /// + 1], by `solve`.
    std::vector<double> history;
  };

  /// Returns one sentence that says how the solve ended and, unless it
  /// converged, what may help.
  std::string
  describe(const CGResult &result);
} // namespace tessera
