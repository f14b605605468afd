#include "cases.h"

#include <tessera/forms/laplace.h>
#include <tessera/operators/lift.h>
#include <tessera/space/point_evaluator.h>

namespace tessera
{
  using namespace test;

  namespace
  {
    /// Returns a coefficient in the memory of the backend.
    Coefficient
    in_memory_of(const std::shared_ptr<const CellData<double>> &cells,
                 const Coefficient &k)
    {
      std::vector<CoefficientTerm> terms;
      for (int c = 0; c < k.n_components; ++c)
        terms.push_back({c, 1., &k, c});
      return sum_of_terms(k.n_components, terms, cells->space(), cells);
    }
  } // namespace


  TEST(Lift, TakesTheBoundaryValuesFromTheRightHandSide)
  {
    int n_lifted = 0;
    for (const Backend backend : backends())
      for_each_case([&](const auto number, const PreparedCase &c) {
        using Number       = std::remove_const_t<decltype(number)>;
        const Space &space = *c.space;
        const auto cells =
          std::make_shared<const CellData<Number>>(c.space, backend);
        std::vector<Number> values(space.n_local(), Number(0));
        const auto boundary = random_values<Number>(space.n_constrained, 6);
        std::copy(boundary.begin(), boundary.end(),
                  values.begin() + space.n_owned);
        n_lifted += space.n_constrained;
        Vector<Number> g = cells->make_vector(), b = cells->make_vector(),
                       second_b = cells->make_vector();
        g.copy_from(values);

        for (const Oracle &oracle : c.oracles)
          {
            // Only some of a row's columns are lifted: perhaps none whose terms
            // do not cancel, so that the entries themselves are no scale.
            std::vector<double> reference, sizes;
            oracle.vmult(as_double(values), reference, sizes);
            std::vector<double> scale = oracle.size_of_terms(as_double(values));
            const auto before = random_values<Number>(space.n_local(), 8);
            b.copy_from(before);
            for (int i = 0; i < space.n_owned; ++i)
              {
                reference[i] = before[i] - reference[i];
                scale[i] += std::abs(double(before[i]));
              }
            Form form = laplace(oracle.kappa);
            if constexpr (std::is_same_v<Number, double>)
              if (form.coefficient.kind ==
                  Coefficient::Kind::per_quadrature_point)
                form.coefficient = in_memory_of(cells, form.coefficient);
            lift(b, g, cells, form);
            EXPECT_LT(rounding_units(owned_values(b), reference, scale),
                      rounding_limit_of_terms)
              << to_string(backend) << " kind "
              << static_cast<int>(oracle.kappa.kind);
            EXPECT_EQ(g.to_vector(), values);

            // By colours: the same bits twice.
            for (int run = 0; run < 2; ++run)
              {
                auto &of_run = run == 0 ? b : second_b;
                of_run.copy_from(before);
                lift<Number>(of_run, g, cells, laplace(oracle.kappa), nullptr,
                             Conflict::coloring);
              }
            EXPECT_EQ(owned_values(b), owned_values(second_b));
            EXPECT_LT(rounding_units(owned_values(b), reference, scale),
                      rounding_limit_of_terms);
          }
      });
    EXPECT_GT(n_lifted, 0);
  }
} // namespace tessera
