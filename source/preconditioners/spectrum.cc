#include <tessera/preconditioners/spectrum.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "spectrum.cuh"

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

  LanczosMatrix
  lanczos_matrix(const std::vector<double> &products)
  {
    const LanczosDots dots{products.data()};
    const int n_steps      = static_cast<int>(products.size()) / 2;
    const auto is_positive = [](const double value) {
      return value > 0 && std::isfinite(value);
    };
    LanczosMatrix result;
    for (int k = 0; k < n_steps && is_positive(products[2 * k]) &&
                    products[2 * k] > 1e-24 * products[0] &&
                    is_positive(products[2 * k + 1]);
         ++k)
      {
        const double step = dots.step(k), next = dots.ratio(k + 1);
        const double before = k > 0 ? dots.ratio(k) / dots.step(k - 1) : 0.;
        result.diagonal.push_back(1 / step + before);
        result.off_diagonal.push_back(is_positive(next) ? std::sqrt(next) / step
                                                        : 0.);
      }
    return result;
  }

  /// The first vector of Lanczos's method is D^-1/2 r: with a random one in
  /// place of r, rows of large diagonal entries, such as a penalty's, would
  /// have almost no part in it, and their eigenvalues would be missed.
  template <class Number>
  SpectrumBounds
  estimate_spectrum(const Operator<Number> &A,
                    const Vector<Number> &inverse_diagonal, const int n_steps,
                    const Stream stream)
  {
    const auto start        = std::chrono::steady_clock::now();
    const Communicator &all = *A.parts().communicator();
    const int n_blocks      = pass_blocks(A.backend(), A.n_owned());
    Vector<Number> r = A.make_vector(), p = A.make_vector(),
                   q = A.make_vector();
    Array<double> products(A.backend(), 2 * std::size_t(n_steps) + 1),
      partial(A.backend(), n_blocks);
    Array<unsigned int> counter(A.backend(), 1);
    const auto pass_of = [&](const int k) {
      return SpectrumPass<Number>{
        {},       inverse_diagonal.data(), r.data(), p.data(),
        q.data(), {products.data()},       k};
    };
    const auto run = [&](const auto &work, const int place) {
      pass_over(
        A.backend(), A.n_owned(), work,
        {partial.data(), counter.data(), products.data() + place, n_blocks},
        stream);
    };
    const auto sum = [&](const int place) {
      all.sum(products.data() + place, 1, stream);
    };
    run(SpectrumStart<Number>{pass_of(0), RandomSequence(1, all.part())}, 0);
    sum(0);
    for (int k = 0; k < n_steps; ++k)
      {
        run(SpectrumDirection<Number>{pass_of(k)}, 0);
        A.vmult(q, p, Epilogue<Number>::dot(products.data() + 2 * k + 1),
                stream);
        sum(2 * k + 1);
        run(SpectrumStep<Number>{pass_of(k)}, 2 * k + 2);
        sum(2 * k + 2);
      }
    if (A.backend() == Backend::cuda)
      runtime::synchronize(stream);

    const auto [diagonal, off_diagonal] = lanczos_matrix(products.to_vector());
    const int n                         = static_cast<int>(diagonal.size());
    SpectrumBounds bounds;
    bounds.n_products = n;
    if (n == 0)
      bounds.lower = bounds.upper = 1;
    else
      {
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
