#include <tessera/forms/advection_diffusion.h>
#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/operators/packed_matrices.h>

#include "../../source/operators/packed_matrices_kernels.h"
#include "../operators/cases.h"
#include "linked.h"

#include <set>

// Cell matrices in other layouts, and products that go over nodes. That their
// products are those of the oracle is tested with all operators.
namespace tessera
{
  using namespace test;

  TEST(PackedMatrices, ATournamentHasEveryPairOnce)
  {
    for (int n = 2; n <= 125; ++n)
      {
        const Tournament rounds{n};
        std::set<std::pair<int, int>> met;
        for (int round = 0; round < rounds.n_rounds(); ++round)
          {
            std::set<int> pairs;
            for (int k = 0; k < n; ++k)
              {
                const int other = rounds.partner(round, k);
                ASSERT_EQ(rounds.partner(round, other), k);
                if (other <= k)
                  continue;
                ASSERT_TRUE(met.insert({k, other}).second);
                ASSERT_EQ(rounds.round(k, other), round);
                ASSERT_EQ(rounds.pair(round, k), rounds.pair(round, other));
                ASSERT_TRUE(pairs.insert(rounds.pair(round, k)).second);
                ASSERT_LT(rounds.pair(round, k), rounds.n_pairs());
                ASSERT_GE(rounds.pair(round, k), 0);
              }
          }
        ASSERT_EQ(int(met.size()), n * (n - 1) / 2);
      }
  }

  // No two entries share a place, and no place is left empty.
  TEST(PackedMatrices, EveryEntryHasItsPlace)
  {
    for (const CellLayout layout : {CellLayout::cells, CellLayout::off_diagonal,
                                    CellLayout::rows, CellLayout::pairs})
      for (const int nodes : {3, 4, 6, 8, 9, 10, 27, 35, 64})
        for (int m = 1; m <= (nodes < 30 ? 3 : 1); ++m)
          {
            const int n = nodes * m;
            const bool halves =
              layout == CellLayout::pairs || layout == CellLayout::off_diagonal;
            const int stored = layout == CellLayout::off_diagonal
                                 ? n_off_diagonal(nodes, m)
                                 : n_local_entries(halves, n);
            const CellPlaces places{layout, halves, nodes, m, stored, 32};
            const std::int64_t n_cells = 2 * team_block;
            std::vector<char> taken(n_cells * stored, 0);
            for (std::int64_t cell = 0; cell < n_cells; ++cell)
              for (int i = 0; i < n; ++i)
                for (int j = halves ? i : 0; j < n; ++j)
                  {
                    const std::int64_t place = places(cell, i, j);
                    if (layout == CellLayout::off_diagonal &&
                        i % nodes == j % nodes)
                      {
                        ASSERT_EQ(place, -1);
                        continue;
                      }
                    ASSERT_GE(place, 0);
                    ASSERT_LT(place, n_cells * stored);
                    ASSERT_EQ(taken[place]++, 0);
                  }
            ASSERT_EQ(std::count(taken.begin(), taken.end(), 1),
                      n_cells * stored)
              << int(layout) << " " << nodes << " " << m;
          }
  }

  namespace
  {
    template <class Number>
    std::vector<Number>
    product(const std::string &name,
            const std::shared_ptr<const CellData<Number>> &cells,
            const Form &form, const AssemblyOptions &options = {})
    {
      const auto A = make_operator<Number>(name, cells, form, options);
      const auto x = random_vector(*A, 3);
      auto y       = A->make_vector();
      A->vmult(y, x);
      return owned_values(y);
    }

    std::string
    sentence_of(const std::function<void()> &work)
    {
      try
        {
          work();
        }
      catch (const Error &error)
        {
          return error.what();
        }
      return "no error";
    }

    std::shared_ptr<const Space>
    small_space(const CellType type, const int degree)
    {
      return std::make_shared<const Space>(
        build_space(generated_mesh(type, degree, 5, 7, 2, true, 0.2)));
    }
  } // namespace

  // With one component the two are the same sums in the same order.
  TEST(PackedMatrices, DofByDofIsNodeByNodeForOneComponent)
  {
    if (!is_linked("node_by_node"))
      GTEST_SKIP() << "needs the study";
    for (const Backend backend : backends())
      for (const CellType type :
           {CellType::quadrilateral, CellType::hexahedron})
        for (const int degree : test::degrees(type, 2))
          {
            const auto cells = std::make_shared<const CellData<double>>(
              small_space(type, degree), backend);
            const Form form = laplace(anisotropic(dimension(type)));
            EXPECT_EQ(product<double>("dof_by_dof", cells, form),
                      product<double>("node_by_node", cells, form));
          }
  }

  TEST(PackedMatrices, FloatUnderDouble)
  {
    for (const Backend backend : backends())
      for (const std::string &name :
           linked({"local_matrices_symmetric", "local_matrices_zero_sums"}))
        for (const CellType type :
             {CellType::quadrilateral, CellType::hexahedron})
          for (const int degree : test::degrees(type, 2))
            {
              const auto cells = std::make_shared<const CellData<double>>(
                small_space(type, degree), backend);
              const Form form = laplace(anisotropic(dimension(type)));
              AssemblyOptions options;
              options.storage["Cell matrix values"] = "float";
              if (backend == Backend::host)
                {
                  EXPECT_NE(sentence_of([&]() {
                              make_operator<double>(name, cells, form, options);
                            }).find("on the host legal is number"),
                            std::string::npos);
                  continue;
                }
              const auto whole  = product<double>(name, cells, form);
              const auto halved = product<double>(name, cells, form, options);
              double difference = 0, size = 0;
              for (std::size_t i = 0; i < whole.size(); ++i)
                {
                  difference =
                    std::max(difference, std::abs(whole[i] - halved[i]));
                  size = std::max(size, std::abs(whole[i]));
                }
              EXPECT_GT(difference, 0) << name;
              EXPECT_LT(difference, 1e-6 * size) << name;
              const auto A = make_operator<double>(name, cells, form, options);
              const auto B = make_operator<double>(name, cells, form);
              EXPECT_EQ(A->precision().eps, precision_of<float>().eps);
              EXPECT_EQ(A->name(), name);
              EXPECT_LT(A->traffic().stored, B->traffic().stored);
              EXPECT_EQ(
                sentence_of([&]() {
                  make_operator<double>(
                    name, cells, laplace(Coefficient::scalar(1e200)), options);
                })
                  .rfind("A cell matrix has a value beyond the largest float",
                         0),
                0u);
            }
  }

  TEST(PackedMatrices, LessIsStored)
  {
    if (!is_linked("node_by_node"))
      GTEST_SKIP() << "needs the study";
    for (const Backend backend : backends())
      {
        const auto cells = std::make_shared<const CellData<double>>(
          small_space(CellType::quadrilateral, 1), backend);
        const auto bytes = [&](const std::string &name) {
          return make_operator<double>(name, cells, laplace())
                   ->traffic()
                   .stored -
                 cells->bytes();
        };
        // 16, 10 and 6 values of a quadrilateral.
        EXPECT_EQ(bytes("ebe_by_dof"), bytes("local_matrices"));
        EXPECT_EQ(10 * bytes("ebe_by_dof"), 16 * bytes("ebe_symmetric"));
        EXPECT_EQ(6 * bytes("ebe_symmetric"),
                  10 * bytes("local_matrices_zero_sums"));
        EXPECT_GT(bytes("node_by_node"), bytes("local_matrices"));
      }
  }

  TEST(PackedMatrices, WhatCannotBeIsSaid)
  {
    for (const Backend backend : backends())
      {
        const auto quadratic = std::make_shared<const CellData<double>>(
          small_space(CellType::quadrilateral, 2), backend);
        const Form advection =
          advection_diffusion({Coefficient::Kind::uniform, 5, {1, 0, 1, 1, 1}});
        for (const std::string &name :
             linked({"ebe_symmetric", "local_matrices_gathered",
                     "local_matrices_symmetric", "local_matrices_zero_sums"}))
          EXPECT_NE(sentence_of([&]() {
                      make_operator<double>(name, quadratic, advection);
                    }).find("not symmetric"),
                    std::string::npos)
            << name;
        if (is_linked("local_matrices_zero_sums"))
          EXPECT_EQ(
            sentence_of([&]() {
              make_operator<double>(
                "local_matrices_zero_sums", quadratic,
                reaction_diffusion(
                  {Coefficient::Kind::uniform, 4, {1, 0, 1, 1}}));
            }),
            "The operator local_matrices_zero_sums is for forms that map "
            "constants to zero, whose cell matrices have rows that add up to "
            "zero. The form reaction_diffusion reads values of the solution.");
        // The library that is watched has no elasticity of degree 3 at all.
        const auto cubic = std::make_shared<const CellData<double>>(
          small_space(CellType::quadrilateral, 3), backend);
        for (const std::string &name :
             names_where([](const auto &d) { return !d.stores_rows(); }))
          if (!descriptor(name).stores_nothing)
            {
              const std::string sentence = sentence_of([&]() {
                make_operator<double>(
                  name, cubic, elasticity(isotropic_stiffness(2, 1, 0.3)));
              });
              EXPECT_NE(sentence.find(is_watched() ? "is not compiled for"
                                                   : "has kernels for one "
                                                     "component"),
                        std::string::npos)
                << name << ": " << sentence;
            }
      }
  }
} // namespace tessera
