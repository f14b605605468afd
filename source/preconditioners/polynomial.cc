#include <tessera/base/error.h>
#include <tessera/preconditioners/descriptor.h>
#include <tessera/preconditioners/polynomial.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "jacobi.cuh"
#include "polynomial.cuh"

namespace tessera
{
  namespace
  {
    using Steps = std::vector<PolynomialStep>;

    /// The residual is Chebyshev's polynomial T_{m+1} of the interval, divided
    /// by its value at 0.
    Steps
    chebyshev_steps(const int degree, const double lower, const double upper)
    {
      const double middle = (upper + lower) / 2, half = (upper - lower) / 2;
      Steps steps = {{0., 1 / middle}};
      double rho  = half / middle;
      for (int k = 0; k < degree; ++k)
        {
          const double next = 1 / (2 * middle / half - rho);
          steps.push_back({next * rho, 2 * next / half});
          rho = next;
        }
      return steps;
    }

    /// Conjugate gradients on the matrix diag(t_j), of which t_j are the points
    /// of the quadrature, minimise sum_j r_j^2 / t_j; with r_j^2 = t_j at the
    /// start this is the sum of the squares of the residual polynomial.
    Steps
    least_squares_steps(const int degree, const double lower,
                        const double upper)
    {
      const double middle = (upper + lower) / 2, half = (upper - lower) / 2;
      const int n = degree + 8;
      std::vector<double> t(n), r(n), p(n);
      const double pi = std::acos(-1.);
      for (int j = 0; j < n; ++j)
        {
          t[j] = middle + half * std::cos((j + 0.5) * pi / n);
          p[j] = r[j] = std::sqrt(t[j]);
        }
      const auto squares = [&]() {
        double sum = 0;
        for (const double value : r)
          sum += value * value;
        return sum;
      };
      Steps steps;
      double r_r = squares(), ratio = 0, before = 1;
      const double first = r_r;
      for (int k = 0; k <= degree; ++k)
        {
          double p_q = 0;
          for (int j = 0; j < n; ++j)
            p_q += p[j] * t[j] * p[j];
          // On a narrow spectrum the residual vanishes early.
          if (k > 0 && !(r_r > 1e-30 * first))
            {
              steps.push_back({0., 0.});
              continue;
            }
          const double alpha = r_r / p_q;
          steps.push_back({k > 0 ? alpha * ratio / before : 0., alpha});
          for (int j = 0; j < n; ++j)
            r[j] -= alpha * t[j] * p[j];
          const double next = squares();
          ratio             = next / r_r;
          r_r               = next;
          before            = alpha;
          for (int j = 0; j < n; ++j)
            p[j] = r[j] + ratio * p[j];
        }
      return steps;
    }
  } // namespace

  std::vector<PolynomialStep>
  polynomial_steps(const PolynomialKind kind, const int degree, double lower,
                   const double upper)
  {
    if (degree < 0 || degree > 100)
      throw ParameterError("The degree of a polynomial preconditioner is " +
                           std::to_string(degree) +
                           "; legal are whole numbers from 0 to 100.");
    if (!(lower > 0 && lower <= upper && std::isfinite(upper)))
      throw ParameterError("The bounds of the spectrum are " +
                           std::to_string(lower) + " and " +
                           std::to_string(upper) +
                           "; legal are positive ones in increasing order.");
    lower = std::min(lower, 0.999 * upper); // an interval and not a point
    switch (kind)
      {
        case PolynomialKind::neumann:
          return Steps(degree + 1, {0., 1 / upper});
        case PolynomialKind::least_squares:
          return least_squares_steps(degree, lower, upper);
        default:
          return chebyshev_steps(degree, lower, upper);
      }
  }

  template <class Number>
  Polynomial<Number>::Polynomial(const Operator<Number> &A,
                                 const PolynomialOptions &options,
                                 const SpectrumBounds *const known,
                                 const Stream stream)
    : A(A), options(options), inverse_diagonal(A.make_vector()),
      direction(A.make_vector()), product(A.make_vector())
  {
    A.require_symmetry("Preconditioners that are polynomials");
    A.diagonal(inverse_diagonal, stream);
    for_each(A.backend(), A.n_owned(),
             Inversion<Number>{inverse_diagonal.data()}, stream);
    spectrum =
      known != nullptr
        ? *known
        : estimate_spectrum(A, inverse_diagonal, options.lanczos_steps, stream);
    const double lower = options.smoothing_range > 0
                           ? spectrum.upper / options.smoothing_range
                           : spectrum.lower;
    steps =
      polynomial_steps(options.kind, options.degree, lower, spectrum.upper);
  }

  template <class Number>
  Polynomial<Number>::Polynomial(const Operator<Number> &A,
                                 const PolynomialOptions &options,
                                 const Stream stream)
    : Polynomial(A, options, nullptr, stream)
  {}

  template <class Number>
  Polynomial<Number>::Polynomial(const Operator<Number> &A,
                                 const PolynomialOptions &options,
                                 const SpectrumBounds &bounds,
                                 const Stream stream)
    : Polynomial(A, options, &bounds, stream)
  {}

  template <class Number>
  void
  Polynomial<Number>::apply(Vector<Number> &z, const Vector<Number> &r,
                            const Stream stream) const
  {
    for_each(A.backend(), A.n_owned(),
             FirstStep<Number>{static_cast<Number>(steps.front().residual),
                               z.data(), inverse_diagonal.data(), r.data()},
             stream);
    go_on(z, r, z.data(), stream);
  }

  template <class Number>
  void
  Polynomial<Number>::smooth(Vector<Number> &x, const Vector<Number> &b,
                             const Stream stream) const
  {
    step(0, x, b, nullptr, stream);
    go_on(x, b, direction.data(), stream);
  }

  template <class Number>
  void
  Polynomial<Number>::step(const std::size_t k, Vector<Number> &x,
                           const Vector<Number> &b, const Number *const last,
                           const Stream stream) const
  {
    A.vmult(product, x, Epilogue<Number>::store(), stream);
    for_each(A.backend(), A.n_owned(),
             NextStep<Number>{static_cast<Number>(steps[k].before),
                              static_cast<Number>(steps[k].residual), x.data(),
                              k + 1 < steps.size() ? direction.data() : nullptr,
                              last, inverse_diagonal.data(), b.data(),
                              product.data()},
             stream);
  }

  template <class Number>
  void
  Polynomial<Number>::go_on(Vector<Number> &x, const Vector<Number> &b,
                            const Number *last, const Stream stream) const
  {
    for (std::size_t k = 1; k < steps.size(); ++k)
      {
        step(k, x, b, last, stream);
        last = direction.data();
      }
  }

  template <class Number>
  Traffic
  Polynomial<Number>::traffic() const
  {
    const std::uint64_t vector = sizeof(Number) * A.n_owned();
    const std::uint64_t m      = options.degree;
    return {m * A.traffic().compulsory + (m > 0 ? 1 + 7 * m : 3) * vector,
            3 * vector};
  }

  template <class Number>
  std::string
  Polynomial<Number>::name() const
  {
    switch (options.kind)
      {
        case PolynomialKind::neumann:
          return "neumann";
        case PolynomialKind::least_squares:
          return "least_squares";
        default:
          return "chebyshev";
      }
  }

  template <class Number>
  RecordValues
  Polynomial<Number>::parameters() const
  {
    return {{"polynomial_degree", std::int64_t(options.degree)},
            {"spectrum_lower", spectrum.lower},
            {"spectrum_upper", spectrum.upper},
            {"estimate_products", std::int64_t(spectrum.n_products)},
            {"estimate_seconds", spectrum.seconds}};
  }

  template class Polynomial<double>;
  template class Polynomial<float>;


  namespace
  {
    const OptionSet &
    degree_options()
    {
      static const OptionSet set = {{{"Polynomial degree",
                                      "the products that an application takes",
                                      "4",
                                      {},
                                      0,
                                      100}},
                                    false,
                                    "Polynomial degrees"};
      return set;
    }

    const OptionSet &
    spectrum_options()
    {
      static const OptionSet set = {
        {{"Eigenvalue steps",
          "steps of Lanczos's method, which estimates the spectrum",
          "16",
          {},
          1,
          1000}}};
      return set;
    }

    int
    degree_of(const OptionValues &options)
    {
      return *degree_options().options[0].number(options);
    }

    PreconditionerDescriptor
    describe(const std::string &name, const std::string &sentence,
             const std::string &source, const PolynomialKind kind)
    {
      PreconditionerDescriptor d{name, sentence, source};
      d.options = {&degree_options(), &spectrum_options()};
      d.made_by([kind](auto number, const auto &A,
                       const PreconditionerProblem &problem,
                       const Stream stream) {
        const PolynomialOptions options{
          kind, degree_of(problem.options),
          *spectrum_options().options[0].number(problem.options), 0};
        return std::make_unique<Polynomial<decltype(number)>>(A, options,
                                                              stream);
      });
      d.memory = [](const PreconditionerCounts &n) {
        return PreconditionerMemory{n.vectors(3)};
      };
      d.moved = [](const PreconditionerCounts &n) {
        const int m = degree_of(n.options);
        return n.vectors(m > 0 ? 1 + 7 * m : 3);
      };
      return d;
    }

    PreconditionerDescriptor
    describe_neumann()
    {
      return describe("neumann", "polynomial of a truncated Neumann series",
                      "ZhangZhang2013, section 2", PolynomialKind::neumann);
    }

    PreconditionerDescriptor
    describe_least_squares()
    {
      return describe("least_squares",
                      "polynomial with the least mean square of 1 - t p(t) on "
                      "the estimated spectrum",
                      "ZhangZhang2013, section 5.3",
                      PolynomialKind::least_squares);
    }

    PreconditionerDescriptor
    describe_chebyshev()
    {
      return describe("chebyshev",
                      "polynomial with the least maximum magnitude of "
                      "1 - t p(t) on the estimated spectrum",
                      "ZhangZhang2013, section 5.3", PolynomialKind::chebyshev);
    }

    const Registration<PreconditionerDescriptor> neumann_registration(
      describe_neumann);
    const Registration<PreconditionerDescriptor> least_squares_registration(
      describe_least_squares);
    const Registration<PreconditionerDescriptor> chebyshev_registration(
      describe_chebyshev);
  } // namespace
} // namespace tessera
