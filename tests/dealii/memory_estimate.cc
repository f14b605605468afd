#include <tessera/forms/elasticity.h>
#include <tessera/study/memory_estimate.h>

#include <gtest/gtest.h>

#include "multigrid_problem.h"

namespace
{
  using namespace tessera;
  using test::membrane;

  /// Returns the estimate over what multigrid says that it stores.
  double
  ratio(const test::MultigridProblem &problem, const Connectivity &mesh,
        const Coarsening coarsening = Coarsening::degree_first)
  {
    const auto levels =
      make_levels(problem.matrix, *problem.space, coarsening, {});
    const auto values = Multigrid<double>(*problem.A, levels).parameters();
    study::CaseSize size;
    size.cell_type        = mesh.cell_type;
    size.degree           = mesh.degree;
    size.n_components     = mesh.n_components;
    size.n_cells          = mesh.n_cells();
    size.operator_name    = "csr";
    size.preconditioner   = "multigrid";
    size.aggregates_nodes = coarsening == Coarsening::aggregation;
    return study::MemoryEstimate(size).preconditioner /
           std::get<std::int64_t>(values.at("multigrid_bytes"));
  }

  void
  expect_within_two(const double ratio)
  {
    EXPECT_GT(ratio, 0.5);
    EXPECT_LT(ratio, 2);
  }

  TEST(MemoryEstimate, OfLevelsIsWithinAFactorOfTwo)
  {
    for (const CellType type : test::cell_types)
      for (const int degree : {1, 2, 3})
        {
          if (degree > max_degree(type))
            continue;
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree));
          const int n             = (dimension(type) == 3 ? 36 : 240) / degree;
          const Connectivity mesh = membrane(type, degree, n);
          const test::MultigridProblem problem(mesh);
          expect_within_two(ratio(problem, mesh));
          if (degree == 2)
            expect_within_two(ratio(problem, mesh, Coarsening::aggregation));
        }
  }

  TEST(MemoryEstimate, OfLevelsOfElasticBodies)
  {
    for (const CellType type : test::cell_types)
      for (const int degree : {1, 2})
        {
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree));
          const int dim = dimension(type);
          Connectivity mesh =
            membrane(type, degree, (dim == 3 ? 30 : 120) / degree);
          mesh.n_components = dim;
          std::vector<unsigned char> held;
          for (const auto is_held : mesh.constrained)
            held.insert(held.end(), dim, is_held);
          mesh.constrained.assign(held.begin(), held.end());
          expect_within_two(ratio(test::MultigridProblem(mesh), mesh));
        }
  }

  TEST(MemoryEstimate, CountsWhatPreconditionersStore)
  {
    study::CaseSize size;
    size.n_cells       = 1e6;
    size.operator_name = "csr";
    const auto bytes   = [&](const std::string &name) {
      size.preconditioner = name;
      return study::MemoryEstimate(size).preconditioner;
    };
    EXPECT_EQ(bytes("jacobi"), 8e6);
    EXPECT_EQ(bytes("chebyshev"), 24e6);
    EXPECT_EQ(bytes("block_jacobi"), 8e6);
    size.block_rows = 5;
    EXPECT_EQ(bytes("block_jacobi"), 40e6);
    const double in_double = bytes("multigrid");
    size.inner_operator    = "csr";
    // The operator in float and the levels, which have a number less.
    EXPECT_GT(bytes("multigrid"), 9 * 8e6 + in_double / 2);
    EXPECT_LT(bytes("multigrid"), 9 * 8e6 + in_double);
    // Making levels needs two copies of the matrix and the levels, and rows
    // where none are stored.
    const double with_rows = study::MemoryEstimate(size).levels;
    EXPECT_GT(with_rows, 2 * 12 * 9e6);
    EXPECT_LT(with_rows, 4 * 12 * 9e6);
    size.operator_name = "matrix_free";
    EXPECT_NEAR(study::MemoryEstimate(size).levels, with_rows + 12 * 9e6, 1);
  }

  TEST(MemoryEstimate, CountsTheStatesOfAnApplication)
  {
    study::CaseSize size;
    size.n_cells         = 1e6;
    const double without = study::MemoryEstimate(size).on_backend();
    size.state_bytes     = 152;
    EXPECT_EQ(study::MemoryEstimate(size).states, 152e6);
    EXPECT_EQ(study::MemoryEstimate(size).on_backend(), without + 152e6);
  }
} // namespace
