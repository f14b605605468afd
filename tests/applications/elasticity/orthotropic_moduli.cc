#include "../../../applications/elasticity/orthotropic_moduli.h"

#include <gtest/gtest.h>

// The stiffness of materials that differ between their axes.
namespace tessera
{
  namespace
  {
    constexpr OrthotropicModuli wood = {
      {11, 0.9, 0.5}, {0.37, 0.45, 0.4}, {0.7, 0.15, 0.6}};

    /// sigma_xx = 1 strains the axes by 1 / E_x, -nu_xy / E_x and -nu_xz / E_x,
    /// and so on.
    TEST(Orthotropic, UniaxialStresses)
    {
      const auto c          = orthotropic_stiffness(wood);
      const double E[]      = {11, 0.9, 0.5};
      const double eps[][3] = {{1 / E[0], -0.37 / E[0], -0.4 / E[0]},
                               {-0.37 / E[0], 1 / E[1], -0.45 / E[1]},
                               {-0.4 / E[0], -0.45 / E[1], 1 / E[2]}};
      const int entry[][3]  = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
      for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < 3; ++i)
          {
            double sigma = 0;
            for (int j = 0; j < 3; ++j)
              sigma += c[entry[i][j]] * eps[axis][j];
            EXPECT_NEAR(sigma, i == axis ? 1 : 0, 1e-14);
          }
      EXPECT_EQ(c[6], 0.15); // yz
      EXPECT_EQ(c[7], 0.6);  // xz
      EXPECT_EQ(c[8], 0.7);  // xy
    }

    TEST(Orthotropic, PlaneModels)
    {
      // Plane stress is the inverse of the compliance in the plane.
      const auto c    = orthotropic_stiffness(2, wood, Plane::stress).values;
      const double yx = 0.37 * 0.9 / 11, part = 1 - 0.37 * yx;
      EXPECT_NEAR(c[0], 11 / part, 1e-13);
      EXPECT_NEAR(c[1], 0.9 * 0.37 / part, 1e-14);
      EXPECT_NEAR(c[2], 0.9 / part, 1e-14);
      EXPECT_EQ(c[3], 0.7);
      const auto across = orthotropic_across(wood, Plane::stress).values;
      // eps_zz = -nu_xz / E_x sigma_xx - nu_yz / E_y sigma_yy
      EXPECT_NEAR(across[3], -0.4 / 11 * c[0] - 0.45 / 0.9 * c[1], 1e-14);
      EXPECT_NEAR(across[4], -0.4 / 11 * c[1] - 0.45 / 0.9 * c[2], 1e-14);

      const auto solid  = orthotropic_stiffness(3, wood).values;
      const auto strain = orthotropic_stiffness(2, wood).values;
      EXPECT_EQ(strain,
                (std::vector<double>{solid[0], solid[1], solid[3], solid[8]}));
      EXPECT_EQ(orthotropic_across(wood, Plane::strain).values,
                (std::vector<double>{solid[2], solid[4], solid[5], 0, 0}));
    }

    TEST(Orthotropic, EqualAxesAreIsotropic)
    {
      const double young = 7, nu = 0.3, shear = young / (2 * (1 + nu));
      const OrthotropicModuli m = {
        {young, young, young}, {nu, nu, nu}, {shear, shear, shear}};
      for (const int dim : {2, 3})
        for (const Plane plane : {Plane::strain, Plane::stress})
          {
            const auto is     = orthotropic_stiffness(dim, m, plane).values;
            const auto should = isotropic_stiffness(dim, young, nu, plane);
            ASSERT_EQ(is.size(), should.values.size());
            for (std::size_t i = 0; i < is.size(); ++i)
              EXPECT_NEAR(is[i], should.values[i], 1e-13);
          }
    }

    TEST(Orthotropic, NotPositiveDefinite)
    {
      const auto with = [](const int modulus, const int axis,
                           const double value) {
        OrthotropicModuli m              = wood;
        (modulus == 0   ? m.young
         : modulus == 1 ? m.poisson
                        : m.shear)[axis] = value;
        return m;
      };
      EXPECT_NO_THROW(orthotropic_stiffness(with(1, 0, 3)));
      // sqrt(E_x / E_y) = 3.496
      EXPECT_THROW(orthotropic_stiffness(with(1, 0, 3.6)), std::domain_error);
      EXPECT_THROW(orthotropic_stiffness(with(1, 1, 1.4)), std::domain_error);
      EXPECT_THROW(orthotropic_stiffness(with(0, 2, -1)), std::domain_error);
      EXPECT_THROW(orthotropic_stiffness(with(0, 0, 0)), std::domain_error);
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_THROW(orthotropic_stiffness(with(2, axis, 0)),
                     std::domain_error);
    }
  } // namespace
} // namespace tessera
