#include <tessera/base/symmetric.h>
#include <tessera/fem/fields/coefficients.h>

// Makes coefficients of others.
namespace tessera
{
  Coefficient
  with_reaction(
    const Coefficient &k,
    const std::vector<std::pair<const Coefficient *, double>> &reactions,
    const Space &space)
  {
    std::vector<CoefficientTerm> terms;
    const int dim = space.dim();
    // A number k is the tensor k 1, of which forms have the upper half.
    const bool expands = k.n_components == 1;
    for (int c = 0; c < (expands ? dim : k.n_components); ++c)
      terms.push_back(expands
                        ? CoefficientTerm{symmetric_entry(dim, c, c), 1., &k}
                        : CoefficientTerm{c, 1., &k, c});
    const int n_k = expands ? n_symmetric(dim) : k.n_components;
    for (const auto &[c, factor] : reactions)
      terms.push_back({n_k, factor, c});
    return sum_of_terms(n_k + 1, terms, space);
  }


  Coefficient
  weighted(const Coefficient &c, const Coefficient &weight, const Space &space)
  {
    std::vector<CoefficientTerm> terms;
    for (int i = 0; i < c.n_components; ++i)
      terms.push_back({i, 1., &weight, 0, &c, i});
    return sum_of_terms(c.n_components, terms, space);
  }
} // namespace tessera
