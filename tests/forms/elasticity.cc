#include <tessera/assembly/assemble.h>
#include <tessera/forms/elasticity.h>
#include <tessera/space/local_entry.h>

#include "../form_oracle.h"
#include "../operators/cases.h"

// What elasticity has that other forms do not; forms.oracle has the rest.
namespace tessera
{
  using namespace test;

  // Plane stress is what a three-dimensional body does whose stress across the
  // plane is zero; a uniaxial stress has Young's modulus.
  TEST(Elasticity, StiffnessOfAnIsotropicBody)
  {
    const double E = 3, nu = 0.25;
    const auto stress = isotropic_stiffness(2, E, nu, Plane::stress).values;
    const auto strain = isotropic_stiffness(2, E, nu, Plane::strain).values;
    const auto solid  = isotropic_stiffness(3, E, nu).values;
    // Strain (1, -nu) of plane stress is uniaxial.
    EXPECT_NEAR(stress[0] - nu * stress[1], E, 1e-14);
    EXPECT_NEAR(stress[1] - nu * stress[2], 0, 1e-14);
    EXPECT_NEAR(solid[0] - 2 * nu * solid[1], E, 1e-14);
    EXPECT_NEAR(solid[1] - nu * (solid[3] + solid[4]), 0, 1e-14);
    EXPECT_EQ(strain[0], solid[0]);
    EXPECT_EQ(strain[1], solid[1]);
    EXPECT_EQ(strain[3], solid[6]);
    EXPECT_NEAR(strain[3], E / (2 * (1 + nu)), 1e-14);
    for (const double bad : {0.5, -1., 0.7})
      EXPECT_THROW(isotropic_stiffness(3, E, bad), std::domain_error);
    EXPECT_THROW(isotropic_stiffness(3, 0, nu), std::domain_error);
  }

  // C = C' + kappa I I^T, where a pressure's strain b is all that C' ignores.
  // Near nu = 1/2 C' keeps its digits.
  TEST(Elasticity, SplitOfAStiffness)
  {
    const double poisson = 0.499999, mu = 1 / (2 * (1 + poisson)),
                 lambda = poisson / ((1 + poisson) * (1 - 2 * poisson));
    double plane[4], solid[9];
    EXPECT_NEAR(Stiffness<2>::split(
                  isotropic_stiffness(2, 1, poisson).values.data(), plane),
                lambda + mu, 1e-10 * lambda);
    EXPECT_NEAR(Stiffness<3>::split(
                  isotropic_stiffness(3, 1, poisson).values.data(), solid),
                lambda + 2 * mu / 3, 1e-10 * lambda);
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(plane[i], (i == 1 ? -1 : 1) * mu, 1e-9);
    for (int i = 0; i < 9; ++i)
      EXPECT_NEAR(solid[i],
                  (i >= 6                       ? 1.
                   : i == 0 || i == 3 || i == 5 ? 4. / 3
                                                : -2. / 3) *
                    mu,
                  1e-9);

    const double c[9] = {10, 2, 3, 12, 4, 15, 5, 6, 7};
    double rest[9], b[3];
    const double kappa = Stiffness<3>::split(c, rest, b);
    EXPECT_NEAR(b[0] + b[1] + b[2], 1, 1e-15);
    for (int i = 0; i < 3; ++i)
      {
        double of_b = 0, of_rest = 0;
        for (int k = 0; k < 3; ++k)
          {
            const int entry = symmetric_entry(3, i, k);
            EXPECT_NEAR(c[entry], rest[entry] + kappa, 1e-14);
            of_b += c[entry] * b[k];
            of_rest += rest[entry] * b[k];
          }
        EXPECT_NEAR(of_b, kappa, 1e-14);
        EXPECT_NEAR(of_rest, 0, 1e-14);
        EXPECT_EQ(rest[6 + i], c[6 + i]);
      }
  }

  // Cell matrices of several components, whole and halves: component c of node
  // k has the index c n + k.
  TEST(Elasticity, CellMatricesOfComponents)
  {
    for (const PreparedCase &c : prepared_cases())
      {
        const Space &space = *c.space;
        const int dim = space.dim(), nodes = space.dofs_per_cell(),
                  n = dim * nodes;
        if (space.degree > 2 || space.n_cells() * n > 400)
          continue;
        SCOPED_TRACE(c.name);
        const double E = 2, nu = 0.3;
        const Coefficient stiffness = isotropic_stiffness(dim, E, nu);
        const auto energy = [&](const FunctionAt &u, const FunctionAt &v) {
          return elastic_energy(dim, E, nu, u, v);
        };
        const FormOracle oracle(
          space, dim, stiffness,
          [&](const PointAt &, const FunctionAt &u, const FunctionAt &v) {
            return energy(u, v);
          });
        for (const Backend backend : backends())
          for (const bool upper : {false, true})
            {
              const CellData<double> cells(c.space, backend);
              const FormData<double> data(elasticity(stiffness), cells);
              const int entries       = n_local_entries(upper, n);
              const std::size_t lanes = cells.lanes();
              Array<double> values(backend,
                                   lanes * cells.n_batches() * entries);
              assemble_local(values.data(), upper, data, "local_reuse");
              const std::vector<double> got = values.to_vector();
              for (int cell = 0; cell < space.n_cells(); ++cell)
                {
                  std::vector<double> mine, expected(entries, 0.),
                    scale(entries, 0.);
                  for (int k = 0; k < entries; ++k)
                    mine.push_back(
                      got[(cell / lanes * entries + k) * lanes + cell % lanes]);
                  oracle.for_each_point(
                    cell, [&](const PointAt &, const double jxw,
                              const std::vector<FunctionAt> &shape) {
                      for (int i = 0; i < n; ++i)
                        for (int j = upper ? i : 0; j < n; ++j)
                          {
                            // The oracle has components fastest.
                            const auto of = [&](const int k) {
                              return shape[k % nodes * dim + k / nodes];
                            };
                            const double a = jxw * energy(of(j), of(i));
                            const int at   = local_entry(upper, n, i, j);
                            expected[at] += a;
                            scale[at] += std::abs(a);
                          }
                    });
                  // Products that cancel in an entry are of the cell's size.
                  const double largest =
                    *std::max_element(scale.begin(), scale.end());
                  for (double &s : scale)
                    s = largest;
                  ASSERT_LT(rounding_units(mine, expected, scale),
                            rounding_limit)
                    << to_string(backend) << " cell " << cell;
                }
            }
      }
  }
} // namespace tessera
