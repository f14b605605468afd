#include "../../source/preconditioners/level_source.h"

#include <tessera/base/error.h>
#include <tessera/base/vector_operations.h>
#include <tessera/matrix/sparse_product.h>
#include <tessera/parallel/messages.h>
#include <tessera/solvers/cg.h>

#include <cmath>
#include <limits>

#include "grid_matrices.h"
#include "parts.h"
#include "problems.h"
#include "test.h"

// These tests run in several processes (mpirun), each of which has the whole
// matrix and works on its own rows.
namespace tessera
{
  using namespace test;

  namespace
  {
    const std::shared_ptr<const Messages> &
    messages()
    {
      static const auto result = make_messages(processes());
      return result;
    }

    /// A matrix of which the processes have strips of nodes, the second one of
    /// three or more none.
    struct Divided
    {
      Divided(SparseMatrix matrix, const int n_components,
              NearNullSpace of_whole = {})
        : whole(std::move(matrix)), n_components(n_components),
          modes(std::move(of_whole))
      {
        const std::int64_t n = whole.n_rows() / n_components,
                           p = processes().size();
        for (std::int64_t k = 0; k <= p; ++k)
          first.push_back(n * k / p * n_components);
        if (p > 2)
          first[2] = first[1];
        begin = first[processes().rank()];
        end   = first[processes().rank() + 1];
      }

      DividedRows
      rows() const
      {
        NumberedRows owned;
        for (auto row = begin; row < end; ++row)
          {
            const auto &start = whole.pattern.row_start;
            owned.columns.insert(
              owned.columns.end(), whole.pattern.columns.begin() + start[row],
              whole.pattern.columns.begin() + start[row + 1]);
            owned.values.insert(owned.values.end(),
                                whole.values.begin() + start[row],
                                whole.values.begin() + start[row + 1]);
            owned.row_start.push_back(std::int64_t(owned.values.size()));
          }
        return divide_rows(*messages(), owned, first, n_components);
      }

      AlgebraicLevelsOptions
      options(const int max_gathered) const
      {
        AlgebraicLevelsOptions result;
        result.max_gathered    = max_gathered;
        result.max_coarsest    = 20;
        result.n_components    = n_components;
        result.near_null_space = {modes.n, {}};
        const std::size_t n    = whole.n_rows();
        for (int l = 0; l < modes.n; ++l)
          result.near_null_space.modes.insert(
            result.near_null_space.modes.end(),
            modes.modes.begin() + n * l + begin,
            modes.modes.begin() + n * l + end);
        return result;
      }

      AlgebraicLevels
      levels(const int max_gathered) const
      {
        return {rows(),
                {messages(), transport(), {}},
                Backend::host,
                options(max_gathered)};
      }

      AlgebraicLevels
      levels_of_one() const
      {
        AlgebraicLevelsOptions result = options(1);
        result.near_null_space        = modes;
        return {whole, Backend::host, result};
      }

      SparseMatrix whole;
      int n_components;
      NearNullSpace modes;
      std::vector<std::int64_t> first;
      std::int64_t begin, end;
    };

    Divided
    laplace_on_grid(const int n)
    {
      // It jumps from cell to cell.
      return {
        grid_laplace({2, n},
                     [](const std::array<int, 3> &cell) {
                       const double kappa = 1 + (cell[0] * 7 + cell[1] * 3) % 5;
                       return std::array<double, 3>{kappa, 1.5 * kappa, 1.};
                     }),
        1};
    }

    Divided
    elasticity_on_grid(const Grid &grid)
    {
      return {grid_elasticity(grid), grid.dim,
              rigid_body_modes(positions(grid), grid.dim)};
    }

    /// Returns the rows of all parts with single entries. Columns are [owned |
    /// ghosts] of a level.
    SparseRows
    gather(const SparseRows &rows, const DividedNodes &nodes)
    {
      return {
        to_host(gather_rows(*messages(), number_columns(rows.view(), nodes),
                            nodes.n_all())),
        Backend::host};
    }

    std::vector<double>
    dense(const SparseRows &A)
    {
      const SparseMatrix a = to_host(A);
      std::vector<double> result(std::size_t(a.n_rows()) * a.n_columns, 0.);
      for (int i = 0; i < a.n_rows(); ++i)
        for (auto k = a.pattern.row_start[i]; k < a.pattern.row_start[i + 1];
             ++k)
          result[std::size_t(i) * a.n_columns + a.pattern.columns[k]] =
            a.values[k];
      return result;
    }

    void
    expect_galerkin(const SparseRows &A, const SparseRows &P,
                    const SparseRows &coarse)
    {
      SparseRows half, expected;
      galerkin_product(A.view(), P, transpose(P), half, expected);
      const auto a = dense(coarse), b = dense(expected);
      ASSERT_EQ(a.size(), b.size());
      double largest = 0, difference = 0;
      for (std::size_t k = 0; k < a.size(); ++k)
        {
          largest    = std::max(largest, std::abs(b[k]));
          difference = std::max(difference, std::abs(a[k] - b[k]));
        }
      EXPECT_LT(difference,
                100 * std::numeric_limits<double>::epsilon() * largest);
    }

    template <class Number>
    std::unique_ptr<Operator<Number>>
    make_operator(const Divided &problem)
    {
      const DividedRows A = problem.rows();
      Space nodes;
      nodes.n_owned     = A.nodes.n_owned();
      const auto ghosts = std::make_shared<const GhostTail<Number>>(
        nodes, A.nodes.shared, *transport(), Backend::host);
      auto result =
        LevelsOfBackend<Number>::store(A.rows, "csr", A.nodes.n_ghosts());
      result->set_tail(std::make_shared<const ImportedGhosts<Number>>(ghosts),
                       0, nullptr, nullptr);
      result->set_parts({transport(), ghosts});
      return result;
    }

    template <class Number>
    std::vector<Number>
    own_part(const Divided &problem, const Operator<Number> &A, const int seed)
    {
      const auto values = random_values<Number>(problem.whole.n_rows(), seed);
      std::vector<Number> result(values.begin() + problem.begin,
                                 values.begin() + problem.end);
      result.resize(A.n_owned() + A.n_tail());
      return result;
    }

    template <class Number>
    void
    expect_symmetric(const Divided &problem, const int max_gathered)
    {
      const auto A = make_operator<Number>(problem);
      const Multigrid<Number> M(*A, problem.levels(max_gathered));
      const VectorOperations<Number> on(Backend::host, A->n_owned(),
                                        *transport());
      std::vector<Vector<Number>> r, z;
      for (const int seed : {3, 4})
        {
          r.push_back(A->make_vector());
          z.push_back(A->make_vector());
          r.back().copy_from(own_part(problem, *A, seed));
          M.apply(z.back(), r.back(), {});
        }
      const double size = std::sqrt(on.dot(r[0], z[0]) * on.dot(r[1], z[1]));
      EXPECT_GT(on.dot(r[0], z[0]), 0);
      EXPECT_NEAR(on.dot(r[0], z[1]), on.dot(r[1], z[0]),
                  1000 * std::numeric_limits<Number>::epsilon() * size);
      Vector<Number> second_z = A->make_vector();
      Multigrid<Number>(*A, problem.levels(max_gathered))
        .apply(second_z, r[0], {});
      EXPECT_EQ(owned_values(second_z), owned_values(z[0]));
    }

    CGResult
    solve(const Divided &problem, const int max_gathered)
    {
      const auto A = make_operator<double>(problem);
      const Multigrid<double> M(*A, problem.levels(max_gathered));
      Vector<double> x = A->make_vector(), b = A->make_vector();
      b.copy_from(own_part(problem, *A, 5));
      return CG<double>(*A, M).solve(x, b, {});
    }

    CGResult
    solve_by_one(const Divided &problem)
    {
      const auto A =
        make_row_operator<double>("csr", problem.whole, Backend::host);
      const Multigrid<double> M(*A, problem.levels_of_one());
      Vector<double> x = A->make_vector(), b = A->make_vector();
      b.copy_from(random_values<double>(problem.whole.n_rows(), 5));
      return CG<double>(*A, M).solve(x, b, {});
    }

    std::vector<Divided>
    problems()
    {
      std::vector<Divided> result;
      result.push_back(laplace_on_grid(40));
      result.push_back(elasticity_on_grid({2, 24}));
      result.push_back(elasticity_on_grid({3, 8}));
      return result;
    }
  } // namespace

  TEST(DividedLevels, MatricesAreGalerkinProductsOfTheWhole)
  {
    for (const Divided &problem : problems())
      {
        const AlgebraicLevels levels = problem.levels(200);
        ASSERT_GT(levels.n_divided(), 0);
        SparseRows A(problem.whole, Backend::host);
        for (int l = 0; l < levels.n_divided(); ++l)
          {
            const AlgebraicLevel &level = levels.levels()[l];
            SparseRows coarse           = gather(level.matrix, level.nodes);
            EXPECT_LT(coarse.n_rows, A.n_rows / 2);
            expect_galerkin(A, gather(level.prolongation, level.nodes), coarse);
            A = std::move(coarse);
          }
        const AlgebraicLevel &next = levels.levels()[levels.n_divided()];
        const SparseRows &P        = next.prolongation;
        expect_galerkin(A, gather(P, {{0, P.n_columns}, 0, {}, {}}),
                        SparseRows(to_host(next.matrix), Backend::host));
      }
  }

  TEST(DividedLevels, PreconditionersAreSymmetricAndRepeatTheirBits)
  {
    for (const Divided &problem : problems())
      {
        expect_symmetric<double>(problem, 10000);
        expect_symmetric<double>(problem, 200);
        expect_symmetric<float>(problem, 200);
      }
  }

  TEST(DividedLevels, IterationsAreThoseOfOne)
  {
    for (const Divided &problem : problems())
      {
        const CGResult one = solve_by_one(problem);
        EXPECT_TRUE(one.converged);
        const CGResult gathered = solve(problem, 10000);
        EXPECT_TRUE(gathered.converged);
        EXPECT_NEAR(gathered.iterations, one.iterations, 1);
        const CGResult divided = solve(problem, 200);
        EXPECT_TRUE(divided.converged);
        // Strips of seven parts are three nodes wide.
        EXPECT_NEAR(divided.iterations, one.iterations,
                    processes().size() > 4 ? 5 : 2);
      }
  }

  TEST(DividedLevels, ANodeBetweenThoseOfOthersIsAnAggregate)
  {
    // The last process has one node, whose neighbours belong to others.
    Divided grid         = laplace_on_grid(9);
    const std::int64_t n = grid.first.back();
    const int rank       = processes().rank();
    const int last       = processes().size() - 1;
    for (int k = 1; k <= last; ++k)
      grid.first[k] = k == last ? n - 1 : n * k / (last + 1);
    grid.begin                   = grid.first[rank];
    grid.end                     = grid.first[rank + 1];
    const AlgebraicLevels levels = grid.levels(1);
    ASSERT_GT(levels.n_divided(), 0);
    EXPECT_GT(levels.levels()[0].matrix.n_rows, 0);
  }


  TEST(DividedLevels, MoreProcessesThanRows)
  {
    const Divided problem(line(3), 1);
    EXPECT_LE(solve(problem, 10000).iterations, 4);
    EXPECT_LE(solve(problem, 1).iterations, 4);
  }

  TEST(DividedLevels, BadMatricesAreRefusedInAllProcesses)
  {
    const auto sentence = [](const Divided &problem) -> std::string {
      try
        {
          problem.levels(10);
        }
      catch (const Error &error)
        {
          return error.what();
        }
      return "none";
    };
    const int n     = 60;
    const auto with = [&](const int row, const int column, const double value) {
      SparseMatrix A = line(n);
      for (auto k = A.pattern.row_start[row]; k < A.pattern.row_start[row + 1];
           ++k)
        if (A.pattern.columns[k] == column)
          A.values[k] = value;
      return Divided(std::move(A), 1);
    };
    EXPECT_EQ(sentence(with(57, 56, std::nan(""))),
              "The matrix cannot be aggregated for multigrid: an entry of row "
              "57 is nan.");
    EXPECT_EQ(sentence(with(57, 57, -1)),
              "The matrix cannot be aggregated for multigrid: the diagonal "
              "entry of row 57 is -1; legal are positive ones, and "
              "boundary values or supports may be missing.");
    EXPECT_EQ(sentence(with(57, 56, -5)),
              "The matrix cannot be aggregated for multigrid: it is not "
              "symmetric.");
    EXPECT_EQ(sentence(Divided({{{0}, {}}, 0, {}}, 1)),
              "The matrix cannot be aggregated for multigrid: it has 0 rows "
              "and 0 columns, of which there must be as many and one at "
              "least.");
    // Nothing is coupled.
    EXPECT_EQ(sentence(Divided(diagonal_matrix(4096), 1)), "none");
    EXPECT_NE(sentence(Divided(diagonal_matrix(4097), 1))
                .find("none are coupled strongly enough"),
              std::string::npos);
  }
} // namespace tessera
