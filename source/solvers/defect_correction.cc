#include <tessera/base/convert.h>
#include <tessera/base/vector_operations.h>
#include <tessera/solvers/defect_correction.h>

#include <algorithm>
#include <cmath>

namespace tessera
{
  DefectCorrection::DefectCorrection(const Operator<double> &A,
                                     const Operator<float> &A_float,
                                     const Preconditioner<float> &M,
                                     const std::string &method,
                                     const double reduction)
    : A(A), A_float(A_float), inner(A_float, M, method), reduction(reduction),
      jacobi(A), r(A.make_vector()), z(A.make_vector()),
      c(A_float.make_vector()), r_float(A_float.make_vector()),
      best(A.make_vector())
  {}

  CGResult
  DefectCorrection::solve(Vector<double> &x, const Vector<double> &b,
                          const CGControl &control, const Stream stream)
  {
    const VectorOperations<double> on(A.backend(), A.n_owned(),
                                      *A.parts().communicator());
    const double n         = std::max(on.n_of_all_parts(stream), 1.);
    const auto scaled_norm = [&](const Vector<double> &of) {
      jacobi.apply(z, of, stream);
      const double size = on.normalize(z, stream);
      return size * std::sqrt(on.dot(z, z, stream));
    };
    const double norm_of_b = std::sqrt(on.dot(b, b, stream));
    const double relative  = control.relative_tolerance * norm_of_b;
    const double tolerance = std::max(relative, control.absolute_tolerance);
    const bool scaled =
      is_scaled(control.norm) && relative > control.absolute_tolerance;
    const double scaled_norm_of_b = scaled ? scaled_norm(b) : 1.;
    CGResult result;
    // What the tolerance is for: |r| or, in the same unit, |D^-1 r|.
    double measure          = 0;
    const auto set_residual = [&]() {
      A.vmult(r, x, Epilogue<double>::store(), stream);
      on.combine(1., b, -1., r, stream);
      measure = result.residual = std::sqrt(on.dot(r, r, stream));
      if (!scaled)
        return;
      result.scaled_residual = scaled_norm(r) / scaled_norm_of_b;
      measure = std::max(measure, norm_of_b * result.scaled_residual);
    };
    set_residual();
    result.initial_residual = result.residual;
    result.history.push_back(result.residual);

    const auto end_as = [&](const SolveEnd end) {
      result.end           = end;
      result.converged     = end == SolveEnd::converged;
      result.interrupted   = end == SolveEnd::interrupted;
      result.true_residual = result.residual;
      return result;
    };
    for (double before = std::numeric_limits<double>::infinity();;)
      {
        if (!std::isfinite(result.residual))
          return end_as(SolveEnd::not_finite);
        if (measure <= tolerance)
          return end_as(SolveEnd::converged);
        if (result.iterations >= control.max_iterations)
          return end_as(SolveEnd::iteration_limit);
        if (measure > before / 2)
          return end_as(SolveEnd::stagnated);
        before                 = measure;
        const double residual  = result.residual,
                     of_scaled = result.scaled_residual;

        // Entries of D^-1 r, which are about the entries of c, or of r have the
        // mean square 1, so that float has room for both.
        const double factor =
          (scaled ? of_scaled * scaled_norm_of_b : residual) / std::sqrt(n);
        convert(r_float, r, 1 / factor, stream);
        c.zero(stream);
        CGControl of_float = control;
        of_float.norm =
          scaled ? StoppingNorm::scaled_residual : StoppingNorm::residual;
        of_float.absolute_tolerance = 0;
        of_float.relative_tolerance =
          std::max(reduction, 0.5 * tolerance / measure);
        of_float.max_iterations -= result.iterations;
        const int first = result.iterations;
        if (control.progress)
          of_float.progress = [&](const int iteration, const double of_inner) {
            return control.progress(first + iteration, factor * of_inner);
          };
        const CGResult correction = inner.solve(c, r_float, of_float, stream);
        result.iterations += correction.iterations;
        ++result.replacements;
        for (std::size_t i = 1; i < correction.history.size(); ++i)
          result.history.push_back(factor * correction.history[i]);
        on.combine(1., x, 0., best, stream);
        add_converted(x, c, factor, stream);
        set_residual();
        if (!(measure <= before))
          {
            // The correction was none, as one that float could not hold.
            on.combine(1., best, 0., x, stream);
            measure                = before;
            result.residual        = residual;
            result.scaled_residual = of_scaled;
          }
        if (correction.end == SolveEnd::interrupted ||
            correction.end == SolveEnd::operator_indefinite ||
            correction.end == SolveEnd::preconditioner_indefinite ||
            (correction.end == SolveEnd::no_progress && measure > tolerance) ||
            correction.end == SolveEnd::not_finite)
          {
            result.reason = correction.reason;
            result.advice = correction.advice;
            return end_as(correction.end);
          }
      }
  }
} // namespace tessera
