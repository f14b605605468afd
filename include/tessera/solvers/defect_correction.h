#pragma once

#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>

namespace tessera
{
  /// Solves A x = b in double by corrections in float (ZhangZhang2013,
  /// algorithm 5):
  ///   r = b - A x in double, A c = r in float by conjugate gradients,
  ///   x += c in double,
  /// until |r| is small enough and, with a scaled norm, |D^-1 r|, too. The
  /// residual is always the true one. If two corrections in turn reduce it by
  /// less than a half, the solve has stagnated, and x is the best iterate.
  class DefectCorrection
  {
  public:
    /// `A_float` is A rounded to float. All must outlive this object. Each
    /// correction reduces the residual by the factor `reduction`. Throws what
    /// the constructor of CG throws.
    DefectCorrection(const Operator<double> &A, const Operator<float> &A_float,
                     const Preconditioner<float> &M,
                     const std::string &method = "classical",
                     double reduction          = 1e-4);

    /// Solves like CG::solve. `iterations` counts the iterations of all
    /// corrections, and `replacements` the corrections. Tolerances are for the
    /// true residual; only whether the norm of the control is scaled matters.
    CGResult
    solve(Vector<double> &x, const Vector<double> &b, const CGControl &control,
          Stream stream = {});

  private:
    const Operator<double> &A;
    const Operator<float> &A_float;
    CG<float> inner;
    double reduction;
    Jacobi<double> jacobi; ///< D
    Vector<double> r, z;
    Vector<float> c, r_float;
    Vector<double> best; ///< x before a correction
  };
} // namespace tessera
