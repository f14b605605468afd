#include <tessera/base/error.h>
#include <tessera/base/random.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/algebraic_levels.h>
#include <tessera/solvers/cg.h>

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>

#include "grid_matrices.h"
#include "preconditioner_checks.h"

namespace tessera
{
  using namespace test;

  namespace
  {
    using Rows = std::vector<std::vector<double>>;

    Rows
    dense(const SparseMatrix &A)
    {
      Rows rows(A.n_rows(), std::vector<double>(A.n_columns, 0.));
      for (int i = 0; i < A.n_rows(); ++i)
        for (auto k = A.pattern.row_start[i]; k < A.pattern.row_start[i + 1];
             ++k)
          rows[i][A.pattern.columns[k]] += A.values[k];
      return rows;
    }

    AlgebraicLevelsOptions
    few_rows()
    {
      AlgebraicLevelsOptions options;
      options.max_coarsest = 40;
      return options;
    }

    AlgebraicLevelsOptions
    elastic(const Grid &grid)
    {
      AlgebraicLevelsOptions options = few_rows();
      options.n_components           = grid.dim;
      options.near_null_space = rigid_body_modes(positions(grid), grid.dim);
      return options;
    }

    void
    expect_same(const MultigridLevels &a, const MultigridLevels &b)
    {
      ASSERT_EQ(a.matrices.size(), b.matrices.size());
      for (std::size_t l = 0; l < a.matrices.size(); ++l)
        for (const auto &[x, y] :
             {std::make_pair(&a.matrices[l], &b.matrices[l]),
              std::make_pair(&a.prolongations[l], &b.prolongations[l])})
          {
            EXPECT_EQ(x->pattern.row_start, y->pattern.row_start);
            EXPECT_EQ(x->pattern.columns, y->pattern.columns);
            EXPECT_EQ(x->values, y->values);
          }
    }

    /// Expects A_(l+1) = P^T A_l P, with ones on empty diagonals.
    void
    expect_galerkin(const SparseMatrix &A, const MultigridLevels &levels)
    {
      Rows finer = dense(A);
      for (std::size_t l = 0; l < levels.matrices.size(); ++l)
        {
          const Rows p        = dense(levels.prolongations[l]),
                     c        = dense(levels.matrices[l]);
          const std::size_t n = p.size(), m = c.size();
          ASSERT_EQ(n, finer.size());
          Rows ap(n, std::vector<double>(m, 0.));
          for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < n; ++k)
              for (std::size_t j = 0; finer[i][k] != 0 && j < m; ++j)
                ap[i][j] += finer[i][k] * p[k][j];
          double largest = 0;
          for (const auto &row : finer)
            for (const double value : row)
              largest = std::max(largest, std::abs(value));
          for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < m; ++j)
              {
                double sum = 0;
                for (std::size_t k = 0; k < n; ++k)
                  sum += p[k][i] * ap[k][j];
                if (i == j && sum == 0)
                  sum = 1;
                EXPECT_NEAR(c[i][j], sum, 1e-13 * largest);
              }
          finer = c;
        }
    }

    template <class Number>
    int
    iterations(const SparseMatrix &matrix, const AlgebraicLevels &levels,
               const double tolerance = 1e-9)
    {
      const auto A = make_row_operator<Number>("csr", matrix, levels.backend());
      const Multigrid<Number> M(*A, levels);
      CG<Number> cg(*A, M);
      Vector<Number> x = A->make_vector();
      CGControl control;
      control.relative_tolerance = tolerance;
      const auto result          = cg.solve(
                 x, make_vector(*A, random_values<Number>(A->n_owned())), control);
      EXPECT_TRUE(result.converged);
      return result.iterations;
    }

    int
    iterations(const SparseMatrix &A, const AlgebraicLevelsOptions &options)
    {
      return iterations<double>(A, AlgebraicLevels(A, Backend::host, options));
    }

    std::string
    error_of(const SparseMatrix &A, const AlgebraicLevelsOptions &options = {})
    {
      try
        {
          AlgebraicLevels(A, Backend::host, options);
        }
      catch (const Error &error)
        {
          return error.what();
        }
      return "no error";
    }
  } // namespace

  TEST(AlgebraicLevels, AreGalerkinProductsAndTheSameOnBothBackends)
  {
    const Grid plane{2, is_watched() ? 11 : 17}, space{3, 5};
    const auto given = [](const int i) { return i % 5 == 1 || i < 4; };
    const std::pair<SparseMatrix, AlgebraicLevelsOptions> cases[] = {
      {grid_laplace(plane), few_rows()},
      {grid_laplace(space), few_rows()},
      {with_given(grid_laplace(plane), given), few_rows()},
      {grid_elasticity(plane), elastic(plane)},
      {with_given(grid_elasticity(space), given), elastic(space)},
      {line(1), {}},
      {line(31), {}},
      {line(33), {}},
      {line(301), few_rows()},
      {diagonal_matrix(33), {}},
      {diagonal_matrix(50), few_rows()}};
    for (const auto &[A, options] : cases)
      {
        const auto on_host =
          AlgebraicLevels(A, Backend::host, options).to_host();
        expect_galerkin(A, on_host);
        for (const Backend backend : backends())
          for (const int n_threads : {1, 2, 5})
            if (n_threads == 1 || backend == Backend::host)
              {
                const int before = omp_get_max_threads();
                omp_set_num_threads(n_threads);
                const AlgebraicLevels levels(A, backend, options);
                omp_set_num_threads(before);
                expect_same(levels.to_host(), on_host);
              }
      }
  }

  TEST(AlgebraicLevels, LeaveOutGivenRows)
  {
    const auto given = [](const int i) { return i % 5 == 1 || i < 4; };
    const Grid grid{2, 17};
    const SparseMatrix A = with_given(grid_laplace(grid), given);
    const auto levels = AlgebraicLevels(A, Backend::host, few_rows()).to_host();
    const SparseMatrix &P = levels.prolongations[0];
    for (int i = 0; i < A.n_rows(); ++i)
      EXPECT_EQ(P.pattern.row_start[i] == P.pattern.row_start[i + 1], given(i));
    EXPECT_LE(iterations(A, few_rows()), 15);
  }

  TEST(AlgebraicLevels, UpdateIsANewSetUp)
  {
    for (const Backend backend : backends())
      for (const bool keeps : {false, true})
        for (const int n_components : {1, 2})
          {
            const Grid grid{2, is_watched() ? 9 : 13};
            auto options = n_components == 1 ? few_rows() : elastic(grid);
            options.keeps_patterns = keeps;
            const SparseMatrix A =
              n_components == 1 ? grid_laplace(grid) : grid_elasticity(grid);
            SparseMatrix twice = A;
            for (double &value : twice.values)
              value *= 2;
            AlgebraicLevels levels(A, backend, options);
            const auto before = levels.to_host();
            levels.update(twice);
            expect_same(levels.to_host(),
                        AlgebraicLevels(twice, backend, options).to_host());
            levels.update(A);
            expect_same(levels.to_host(), before);
          }
  }

  TEST(AlgebraicLevels, TakeAGivenFirstLevel)
  {
    const SparseMatrix A = line(401);
    SparseMatrix P;
    P.n_columns = 200;
    P.pattern.row_start.push_back(0);
    for (int i = 0; i < 401; ++i)
      {
        for (const int j : {i / 2 - 1, i / 2})
          if (j >= 0 && j < 200 && (i % 2 == 0 || j == i / 2))
            {
              P.pattern.columns.push_back(j);
              P.values.push_back(i % 2 == 0 ? 0.5 : 1);
            }
        P.pattern.row_start.push_back(std::int64_t(P.values.size()));
      }
    auto options = few_rows();
    SparseRows first(P, Backend::host);
    options.first = &first;
    AlgebraicLevels levels(A, Backend::host, options);
    const auto on_host = levels.to_host();
    EXPECT_EQ(on_host.prolongations[0].values, P.values);
    EXPECT_GE(on_host.n_levels(), 4);
    expect_galerkin(A, on_host);
    levels.update(A);
    expect_same(levels.to_host(), on_host);
    EXPECT_LE(iterations<double>(A, levels), 12);
  }

  struct Expected
  {
    std::string name;
    SparseMatrix A;
    AlgebraicLevelsOptions options;
    int most; ///< iterations
  };

  double
  random_coefficient(const std::array<int, 3> &cell)
  {
    return std::pow(
      10., 8 * RandomSequence(1, (cell[2] * 1000 + cell[1]) * 1000 + cell[0])
                 .uniform());
  }

  /// Adds a stiff layer to the nodes next to one side: the mass matrix of
  /// linear functions on it, as a Robin coefficient does.
  SparseMatrix
  with_penalty(const Grid &grid, const double size)
  {
    SparseMatrix A = grid_laplace(grid);
    for (int i = 0; i < A.n_rows(); ++i)
      for (auto k = A.pattern.row_start[i]; k < A.pattern.row_start[i + 1]; ++k)
        {
          const auto a = grid.place(i), b = grid.place(A.pattern.columns[k]);
          if (a[0] == 0 && b[0] == 0)
            A.values[k] += size * (a[1] == b[1] ? 2. / 3 : 1. / 6) *
                           (a[2] == b[2] ? 2. / 3 : 1. / 6);
        }
    return A;
  }

  /// The bounds are what was measured and one more.
  TEST(AlgebraicLevels, NeedFewIterations)
  {
    const Grid plane{2, is_watched() ? 20 : 100},
      space{3, is_watched() ? 7 : 24};
    const auto jumps = [](const std::array<int, 3> &cell) {
      const double k = (cell[0] / 5 + cell[1] / 5 + cell[2] / 5) % 2 ? 1e6 : 1;
      return std::array<double, 3>{k, k, k};
    };
    const auto random = [](const std::array<int, 3> &cell) {
      const double k = random_coefficient(cell);
      return std::array<double, 3>{k, k, k};
    };
    const auto stretched = [](const auto &) {
      return std::array<double, 3>{1, 1e-3, 1};
    };
    const auto very_stretched = [](const auto &) {
      return std::array<double, 3>{1e-4, 1, 1e-4};
    };
    const Grid small_plane{2, plane.n / 2}, small_space{3, space.n / 2};
    const Expected cases[] = {
      {"plane", grid_laplace(plane), few_rows(), 8},
      {"space", grid_laplace(space), few_rows(), 7},
      {"jumps in the plane", grid_laplace(plane, jumps), few_rows(), 12},
      {"jumps in space", grid_laplace(space, jumps), few_rows(), 9},
      {"random plane", grid_laplace(plane, random), few_rows(), 18},
      {"random space", grid_laplace(space, random), few_rows(), 9},
      {"stretched plane", grid_laplace(plane, stretched), few_rows(), 13},
      {"stretched space", grid_laplace(space, stretched), few_rows(), 11},
      {"very stretched plane", grid_laplace(plane, very_stretched), few_rows(),
       14},
      {"very stretched space", grid_laplace(space, very_stretched), few_rows(),
       20},
      {"turned plane", grid_turned(plane), few_rows(), 21},
      {"penalty in the plane", with_penalty(plane, 1e12), few_rows(), 9},
      {"penalty in space", with_penalty(space, 1e12), few_rows(), 9},
      {"elastic plane", grid_elasticity(small_plane), elastic(small_plane), 11},
      {"elastic space", grid_elasticity(small_space), elastic(small_space), 9}};
    for (const Expected &one : cases)
      {
        SCOPED_TRACE(one.name);
        const AlgebraicLevels levels(one.A, Backend::host, one.options);
        const int n = iterations<double>(one.A, levels);
        EXPECT_LE(n, one.most);
        EXPECT_LE(iterations<float>(one.A, levels, 1e-4), n);
        EXPECT_LT(levels.operator_complexity(), 1.8);
        const auto A = make_row_operator<double>("csr", one.A, Backend::host);
        expect_symmetric_and_positive(Multigrid<double>(*A, levels), *A);
        std::printf("%s: %d iterations, complexity %.2f, %zu levels\n",
                    one.name.c_str(), n, levels.operator_complexity(),
                    levels.levels().size() + 1);
      }
  }

  TEST(AlgebraicLevels, SolveOnBothBackends)
  {
    const SparseMatrix A = grid_laplace({2, is_watched() ? 9 : 40});
    const int on_host    = iterations(A, few_rows());
    for (const Backend backend : backends())
      {
        const AlgebraicLevels levels(A, backend, few_rows());
        EXPECT_EQ(iterations<double>(A, levels), on_host);
        EXPECT_LE(iterations<float>(A, levels, 1e-4), on_host);
      }
  }

  TEST(AlgebraicLevels, RefuseWhatTheyCannotDo)
  {
    EXPECT_EQ(
      error_of({{{0}, {}}, 0, {}}),
      "The matrix cannot be aggregated for multigrid: it has 0 rows "
      "and 0 columns, of which there must be as many and one at least.");
    SparseMatrix A = diagonal_matrix(5);
    A.values[3]    = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(error_of(A).find("entry of row 3 is "), std::string::npos);
    A.values[3] = -1;
    EXPECT_NE(error_of(A).find("the diagonal entry of row 3 is -1;"),
              std::string::npos);
    for (const double asymmetry : {1e-2, 1e-9})
      {
        SparseMatrix B = grid_laplace({2, 30});
        for (int i = 0; i < B.n_rows(); ++i)
          for (auto k = B.pattern.row_start[i]; k < B.pattern.row_start[i + 1];
               ++k)
            B.values[k] *= B.pattern.columns[k] < i ? 1 + asymmetry : 1.;
        EXPECT_EQ(error_of(B).find("it is not symmetric") != std::string::npos,
                  asymmetry > 1e-6);
      }
    EXPECT_EQ(error_of(diagonal_matrix(1000)), "no error");
    EXPECT_NE(error_of(diagonal_matrix(5000)).find("of its 5000 rows none"),
              std::string::npos);
    AlgebraicLevelsOptions options;
    options.n_components = 2;
    EXPECT_EQ(error_of(diagonal_matrix(5), options),
              "Aggregation was given 2 components of a node, but a matrix of 5 "
              "rows.");
    options.n_components    = 1;
    options.near_null_space = constant_modes(4, 1);
    EXPECT_EQ(error_of(diagonal_matrix(5), options),
              "Aggregation was given 4 entries of 1 modes, but a matrix of 5 "
              "rows.");
    AlgebraicLevels levels(line(50), Backend::host, few_rows());
    EXPECT_THROW(levels.update(line(49)), ParameterError);
  }
} // namespace tessera
