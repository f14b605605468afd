#include <tessera/base/counted.h>
#include <tessera/base/names.h>
#include <tessera/solvers/solve_result.h>

#include <cmath>
#include <iomanip>
#include <sstream>

namespace tessera
{
  std::vector<std::string>
  stopping_norm_names()
  {
    return {
#define TESSERA_STOPPING_NORM(name, sentence) #name,
#include <tessera/solvers/stopping_norms.def>
#undef TESSERA_STOPPING_NORM
    };
  }

  StoppingNorm
  stopping_norm_from_string(const std::string &name)
  {
    return static_cast<StoppingNorm>(
      index_of_name(name, stopping_norm_names(), "stopping norm"));
  }

  bool
  is_scaled(const StoppingNorm norm)
  {
    return norm == StoppingNorm::scaled_residual ||
           norm == StoppingNorm::true_scaled_residual;
  }

  bool
  is_true(const StoppingNorm norm)
  {
    return norm == StoppingNorm::true_residual ||
           norm == StoppingNorm::true_scaled_residual;
  }

  std::string
  describe(const CGResult &result)
  {
    std::ostringstream text;
    text << std::setprecision(3) << "Conjugate gradients ";
    switch (result.end)
      {
        case SolveEnd::converged:
          text << "converged";
          break;
        case SolveEnd::iteration_limit:
          text << "reached the iteration limit";
          break;
        case SolveEnd::stagnated:
          text << "stagnated: the true residual no longer decreases";
          break;
        case SolveEnd::operator_indefinite:
          text << "met a vector p with p . A p <= 0: the operator is not "
                  "positive definite";
          break;
        case SolveEnd::preconditioner_indefinite:
          text << "met a residual r with r . M^-1 r <= 0: the preconditioner "
                  "is not positive definite";
          break;
        case SolveEnd::not_finite:
          text << "met a number that is infinite or not a number";
          break;
        case SolveEnd::interrupted:
          text << "were interrupted";
          break;
        case SolveEnd::no_progress:
          text << "ended because " << result.reason << ',';
          break;
      }
    text << " after " << counted(result.iterations, "iteration")
         << " with a residual of " << std::abs(result.residual)
         << ", at the start "
         << std::abs(result.initial_residual); // never -nan
    if (result.true_residual == result.true_residual)
      text << ", computed anew " << result.true_residual;
    if (result.scaled_residual == result.scaled_residual && !result.converged)
      text << "; divided by the diagonal of the matrix it is "
           << result.scaled_residual << " of the right-hand side";
    switch (result.end)
      {
        case SolveEnd::iteration_limit:
          text << "; more iterations or a better preconditioner may help";
          break;
        case SolveEnd::stagnated:
          text << "; the number type of the iterations allows no smaller one";
          break;
        case SolveEnd::no_progress:
          if (!result.advice.empty())
            text << "; " << result.advice << " may help";
          break;
        case SolveEnd::operator_indefinite:
          text << "; a coefficient that is not positive, a part of the mesh "
                  "without boundary values or rounding may be the reason";
          break;
        case SolveEnd::preconditioner_indefinite:
          text << "; rounding may be the reason, and jacobi is positive "
                  "definite if the operator is";
          break;
        case SolveEnd::not_finite:
          text << "; data that are too large or too small for the number type "
                  "may be the reason";
          break;
        default:
          break;
      }
    text << '.';
    return text.str();
  }
} // namespace tessera
