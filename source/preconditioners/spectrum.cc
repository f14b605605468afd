#include <tessera/base/vector_operations.h>
#include <tessera/preconditioners/spectrum.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "jacobi.cuh"

namespace tessera
{
  namespace
  {
    /// Counts the eigenvalues below x by Sturm's sequence.
    int
    n_eigenvalues_below(const std::vector<double> &a,
                        const std::vector<double> &b, const double x)
    {
      int n        = 0;
      double pivot = 1;
      for (std::size_t i = 0; i < a.size(); ++i)
        {
          pivot = a[i] - x - (i > 0 ? b[i - 1] * b[i - 1] / pivot : 0.);
          if (pivot == 0)
            pivot = -1e-300;
          n += pivot < 0;
        }
      return n;
    }

    /// Returns the magnitude of the last entry of the eigenvector of length 1.
    /// Goes from the last entry to the first, in which direction the entries
    /// of an extreme eigenvalue that has converged grow.
    double
    last_entry(const std::vector<double> &a, const std::vector<double> &b,
               const double eigenvalue)
    {
      double behind = 0, entry = 1, sum = 1;
      for (std::size_t i = a.size() - 1; i > 0 && std::isfinite(sum); --i)
        {
          const double next = ((eigenvalue - a[i]) * entry -
                               (i + 1 < a.size() ? b[i] * behind : 0.)) /
                              b[i - 1];
          behind = entry;
          entry  = next;
          sum += entry * entry;
        }
      return 1 / std::sqrt(sum);
    }
  } // namespace

  double
  tridiagonal_eigenvalue(const std::vector<double> &diagonal,
                         const std::vector<double> &off_diagonal,
                         const int index)
  {
    double low = diagonal.front(), high = low;
    for (std::size_t i = 0; i < diagonal.size(); ++i)
      {
        const double radius =
          (i > 0 ? std::abs(off_diagonal[i - 1]) : 0.) +
          (i + 1 < diagonal.size() ? std::abs(off_diagonal[i]) : 0.);
        low  = std::min(low, diagonal[i] - radius);
        high = std::max(high, diagonal[i] + radius);
      }
    for (int halving = 0; halving < 100; ++halving)
      {
        const double middle = (low + high) / 2;
        (n_eigenvalues_below(diagonal, off_diagonal, middle) > index ? high
                                                                     : low) =
          middle;
      }
    return (low + high) / 2;
  }

  /// The coefficients of conjugate gradients with M = D are the ones of
  /// Lanczos's method for D^-1/2 A D^-1/2. Its first vector is D^-1/2 r: with a
  /// random one in place of r, rows of large diagonal entries, such as a
  /// penalty's, would have almost no part in it, and their eigenvalues would be
  /// missed.
  template <class Number>
  SpectrumBounds
  estimate_spectrum(const Operator<Number> &A,
                    const Vector<Number> &inverse_diagonal, const int n_steps,
                    const Stream stream)
  {
    const auto start        = std::chrono::steady_clock::now();
    const Communicator &all = *A.parts().communicator();
    const VectorOperations<Number> on(A.backend(), A.n_owned(), all);
    Vector<Number> r = A.make_vector(), z = A.make_vector(),
                   p = A.make_vector(), q = A.make_vector();
    for_each(A.backend(), A.n_owned(),
             RandomOverRoot<Number>{RandomSequence(1, all.part()), r.data(),
                                    inverse_diagonal.data()},
             stream);
    const auto precondition = [&]() {
      for_each(A.backend(), A.n_owned(),
               Scaling<Number>{z.data(), inverse_diagonal.data(), r.data()},
               stream);
      return on.dot(r, z, stream);
    };
    const auto is_positive = [](const double value) {
      return value > 0 && std::isfinite(value);
    };

    SpectrumBounds bounds;
    std::vector<double> diagonal, off_diagonal;
    double r_z = precondition(), first_r_z = r_z, ratio = 0, step = 1;
    for (int k = 0; k < n_steps && is_positive(r_z) && r_z > 1e-24 * first_r_z;
         ++k)
      {
        on.combine(Number(1), z, static_cast<Number>(ratio), p, stream);
        A.vmult(q, p, Epilogue<Number>::store(), stream);
        ++bounds.n_products;
        const double p_q = on.dot(p, q, stream);
        if (!is_positive(p_q))
          break;
        const double before = k > 0 ? ratio / step : 0.;
        step                = r_z / p_q;
        diagonal.push_back(1 / step + before);
        on.combine(static_cast<Number>(-step), q, Number(1), r, stream);
        const double next = precondition();
        ratio             = next / r_z;
        r_z               = next;
        off_diagonal.push_back(is_positive(ratio) ? std::sqrt(ratio) / step
                                                  : 0.);
      }
    if (diagonal.empty())
      bounds.lower = bounds.upper = 1;
    else
      {
        const int n = static_cast<int>(diagonal.size());
        const double largest =
          tridiagonal_eigenvalue(diagonal, off_diagonal, n - 1);
        bounds.lower = std::max(
          tridiagonal_eigenvalue(diagonal, off_diagonal, 0), 1e-14 * largest);
        bounds.upper =
          1.05 * (largest + off_diagonal[n - 1] *
                              last_entry(diagonal, off_diagonal, largest));
      }
    bounds.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
        .count();
    return bounds;
  }

  template SpectrumBounds
  estimate_spectrum<double>(const Operator<double> &, const Vector<double> &,
                            int, Stream);
  template SpectrumBounds
  estimate_spectrum<float>(const Operator<float> &, const Vector<float> &, int,
                           Stream);
} // namespace tessera
