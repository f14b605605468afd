#include "diffusion_stages.h"

#include <tessera/base/error.h>

#include <cmath>
#include <string>
#include <utility>

#include "diffusion_stages.cuh"

namespace tessera
{
  /// T_s, T_s' and T_s'' at w_0 = cosh(a) are hyperbolic functions of s a.
  StageSteps::StageSteps(const int order, const double z)
  {
    constexpr int most = 100;
    for (int s = order; s <= most; ++s)
      {
        const double damping = order == 1 ? 0.05 : 2. / 13,
                     w_0 = 1 + damping / (s * s), a = std::acosh(w_0),
                     T      = std::cosh(s * a),
                     first  = s * std::sinh(s * a) / std::sinh(a),
                     second = (s * s * T - w_0 * first) / (w_0 * w_0 - 1),
                     w_1    = order == 1 ? T / first : first / second;
        reach               = (w_0 + 1) / w_1;
        if (!(reach >= z))
          continue;
        factor = order == 1 ? 1 : T * second / (first * first);
        steps  = polynomial_steps(PolynomialKind::chebyshev, s - 1,
                                  (w_0 - 1) / w_1, reach);
        return;
      }
    throw ParameterError("'Time/Step' is " + std::to_string(z / reach) +
                         " times as long as " + std::to_string(most) +
                         " stages of 'Time/Diffusion' = stages are stable for; "
                         "take shorter steps or 'Time/Diffusion' = solve.");
  }


  template <class Number>
  DiffusionStages<Number>::DiffusionStages(const Operator<Number> &K,
                                           Vector<Number> inverse)
    : K(K), inverse_mass(std::move(inverse)),
      spectrum(estimate_spectrum(K, inverse_mass)),
      operations(K.backend(), K.n_owned(), *K.parts().communicator()),
      product(K.make_vector()), direction(K.make_vector()),
      iterate(K.make_vector())
  {}


  template <class Number>
  void
  DiffusionStages<Number>::advance(Vector<Number> &V, const StageSteps &step,
                                   const double dt, const Stream stream)
  {
    const Vector<Number> *from = &V;
    const std::size_t n        = step.steps.size();
    for (std::size_t k = 0; k < n; ++k)
      {
        const PolynomialStep &stage = step.steps[k];
        const bool last             = k + 1 == n;
        K.vmult(product, *from, Epilogue<Number>::store(), stream);
        for_each(K.backend(), K.n_owned(),
                 DiffusionStage<Number>{
                   static_cast<Number>(stage.before),
                   static_cast<Number>(dt * stage.residual),
                   static_cast<Number>(step.factor), inverse_mass.data(),
                   product.data(), from->data(), last ? V.data() : nullptr,
                   direction.data(), last ? V.data() : iterate.data()},
                 stream);
        from = &iterate;
      }
  }


  template <class Number>
  bool
  DiffusionStages<Number>::is_finite() const
  {
    return std::isfinite(operations.dot(product, product));
  }


  template class DiffusionStages<double>;
} // namespace tessera
