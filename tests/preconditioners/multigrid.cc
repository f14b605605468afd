#include <tessera/base/error.h>
#include <tessera/base/runtime.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/matrix/vertex_prolongation.h>
#include <tessera/preconditioners/multigrid.h>
#include <tessera/solvers/cg.h>

#include <limits>

#include "cell_meshes.h"
#include "preconditioner_checks.h"

namespace tessera
{
  using namespace test;

  namespace
  {
    /// Returns a matrix with all of its entries.
    template <class Entry>
    SparseMatrix
    make_matrix(const int n_rows, const int n_columns, const Entry &entry)
    {
      SparseMatrix result;
      result.n_columns = n_columns;
      result.pattern.row_start.push_back(0);
      for (int i = 0; i < n_rows; ++i)
        {
          for (int j = 0; j < n_columns; ++j)
            {
              result.pattern.columns.push_back(j);
              result.values.push_back(entry(i, j));
            }
          result.pattern.row_start.push_back(
            static_cast<std::int64_t>(result.values.size()));
        }
      return result;
    }

    std::vector<std::vector<double>>
    rows_of(const SparseMatrix &A)
    {
      std::vector<std::vector<double>> rows(
        A.n_rows(), std::vector<double>(A.n_columns, 0.));
      for (int i = 0; i < A.n_rows(); ++i)
        for (auto k = A.pattern.row_start[i]; k < A.pattern.row_start[i + 1];
             ++k)
          rows[i][A.pattern.columns[k]] += A.values[k];
      return rows;
    }

    SparseMatrix
    galerkin(const SparseMatrix &P, const SparseMatrix &A)
    {
      const auto p = rows_of(P), a = rows_of(A);
      const int n = P.n_rows(), m = P.n_columns;
      std::vector<std::vector<double>> ap(n, std::vector<double>(m, 0.)),
        pap(m, std::vector<double>(m, 0.));
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
          for (int j = 0; j < m; ++j)
            ap[i][j] += a[i][k] * p[k][j];
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < m; ++j)
            pap[i][j] += p[k][i] * ap[k][j];
      return make_matrix(m, m,
                         [&](const int i, const int j) { return pap[i][j]; });
    }

    /// Joins rows in threes; weights differ, and there are rows without any.
    SparseMatrix
    joins_in_threes(const int n)
    {
      SparseMatrix P;
      P.n_columns = (n + 2) / 3;
      P.pattern.row_start.push_back(0);
      for (int i = 0; i < n; ++i)
        {
          if (i % 7 != 5 || i % 3 == 0)
            {
              P.pattern.columns.push_back(i / 3);
              P.values.push_back(1 + 0.1 * (i % 4));
            }
          P.pattern.row_start.push_back(
            static_cast<std::int64_t>(P.values.size()));
        }
      return P;
    }

    template <class Number>
    SparseMatrix
    matrix_of(const Operator<Number> &A)
    {
      const DenseMatrix dense(A);
      return make_matrix(A.n_owned(), A.n_owned(),
                         [&](const int i, const int j) { return dense(i, j); });
    }

    /// Returns the levels of a problem on quadrilaterals of degree 2: degree 1,
    /// and below it joined rows.
    template <class Number>
    MultigridLevels
    make_levels(const Operator<Number> &A, const Space &space,
                const int n_coarser)
    {
      MultigridLevels levels;
      SparseMatrix finer     = matrix_of(A);
      levels.finest_nonzeros = finer.n_nonzeros();
      for (int l = 0; l < n_coarser; ++l)
        {
          levels.prolongations.push_back(
            l == 0 ? to_host(make_vertex_space(
                               space, Array<char>(Backend::host, space.n_owned))
                               .prolongation)
                   : joins_in_threes(finer.n_rows()));
          finer = galerkin(levels.prolongations.back(), finer);
          levels.matrices.push_back(finer);
        }
      return levels;
    }

    const Connectivity &
    mesh()
    {
      static const Connectivity grid =
        generated_mesh(CellType::quadrilateral, 2, 7, 5, 1);
      return grid;
    }

    template <class Number>
    struct Problem
    {
      std::unique_ptr<Operator<Number>> A;
      MultigridLevels levels;

      Problem(const Backend backend, const std::string &name,
              const int n_coarser)
        : A(make_operator_on<Number>(backend, name, mesh())),
          levels(make_levels(*A, build_space(mesh()), n_coarser))
      {}
    };

    template <class Number>
    Multigrid<Number>
    make(const Problem<Number> &problem, const MultigridCycle cycle,
         const std::string &level_operator = {})
    {
      MultigridOptions options;
      options.cycle          = cycle;
      options.level_operator = level_operator;
      return {*problem.A, problem.levels, options};
    }

    std::string
    error_of(const std::function<void()> &f)
    {
      try
        {
          f();
        }
      catch (const Error &error)
        {
          return error.what();
        }
      return "no error";
    }
  } // namespace

  /// The error x - z after a cycle for r = A x is S' C S' x with the smoother
  /// S' = 1 - S A and the correction C = 1 - P A_1^-1 P^T A.
  TEST(Multigrid, OfTwoLevelsIsWhatDenseMatricesGive)
  {
    for (const Backend backend : backends())
      for (const std::string name : {"matrix_free", "csr"})
        {
          SCOPED_TRACE(to_string(backend) + ", " + name);
          const Problem<double> problem(backend, name, 1);
          const auto &A = *problem.A;
          const MultigridOptions options;
          const Multigrid<double> M(A, problem.levels, options);
          PolynomialOptions smoother;
          smoother.kind            = PolynomialKind::chebyshev;
          smoother.degree          = 2;
          smoother.lanczos_steps   = options.lanczos_steps;
          smoother.smoothing_range = options.smoothing_range;
          const Polynomial<double> S(A, smoother);

          const SparseMatrix &coarse = problem.levels.matrices[0];
          const auto coarse_operator = make_row_operator<double>(
            "csr", CsrPattern(coarse.pattern, Backend::host), 0);
          place_values(
            coarse_operator->matrix(),
            Array<std::int64_t>(Backend::host, coarse.pattern.row_start),
            Array<double>(Backend::host, coarse.values));
          const DenseMatrix a(A),
            inverse    = DenseMatrix(*coarse_operator).inverse();
          const auto p = rows_of(problem.levels.prolongations[0]);

          const auto x      = random_values<double>(A.n_owned());
          const auto smooth = [&](std::vector<double> e) {
            const auto correction = preconditioned(S, A, a.times(e));
            for (std::size_t i = 0; i < e.size(); ++i)
              e[i] -= correction[i];
            return e;
          };
          auto e       = smooth(x);
          const auto r = a.times(e);
          std::vector<double> restricted(coarse.n_rows(), 0.);
          for (std::size_t i = 0; i < r.size(); ++i)
            for (std::size_t j = 0; j < restricted.size(); ++j)
              restricted[j] += p[i][j] * r[i];
          const auto correction = inverse.times(restricted);
          for (std::size_t i = 0; i < r.size(); ++i)
            for (std::size_t j = 0; j < restricted.size(); ++j)
              e[i] -= p[i][j] * correction[j];
          e            = smooth(e);
          const auto z = preconditioned(M, A, a.times(x));
          for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_NEAR(x[i] - z[i], e[i], 1e-12);
        }
  }

  template <class Number>
  void
  check_symmetry(const Backend backend)
  {
    const Problem<Number> problem(backend, "csr", 3);
    for (const MultigridCycle cycle : {MultigridCycle::V, MultigridCycle::W})
      for (const std::string level_operator : {"csr", "sell", "ell"})
        {
          SCOPED_TRACE(to_string(backend) + ", " + to_string(cycle) + ", " +
                       level_operator);
          expect_symmetric_and_positive(make(problem, cycle, level_operator),
                                        *problem.A);
        }
  }

  TEST(Multigrid, IsSymmetricAndPositive)
  {
    for (const Backend backend : backends())
      {
        check_symmetry<double>(backend);
        check_symmetry<float>(backend);
      }
  }

  TEST(Multigrid, TakesFewerIterationsWithAWThanWithoutLevels)
  {
    for (const Backend backend : backends())
      {
        const Problem<double> problem(backend, "matrix_free", 3);
        const auto &A         = *problem.A;
        const auto iterations = [&](const Preconditioner<double> &M) {
          CG<double> cg(A, M);
          Vector<double> x = A.make_vector();
          const auto result =
            cg.solve(x, make_vector(A, random_values<double>(A.n_owned())), {});
          EXPECT_TRUE(result.converged);
          return result.iterations;
        };
        const int v = iterations(make(problem, MultigridCycle::V));
        const int w = iterations(make(problem, MultigridCycle::W));
        EXPECT_LE(w, v);
        EXPECT_LT(v, iterations(Polynomial<double>(A)));
      }
  }

  template <class Number>
  void
  compare_backends()
  {
    const Problem<Number> on_host(Backend::host, "csr", 3);
    const Problem<Number> on_device(Backend::cuda, "csr", 3);
    const auto r = random_values<Number>(on_host.A->n_owned());
    for (const MultigridCycle cycle : {MultigridCycle::V, MultigridCycle::W})
      {
        const auto a = preconditioned(make(on_host, cycle), *on_host.A, r);
        const auto b = preconditioned(make(on_device, cycle), *on_device.A, r);
        EXPECT_LT(distance(a, b),
                  1000 * std::numeric_limits<Number>::epsilon() * norm(a));
      }
  }

  TEST(Multigrid, IsTheSameOnBothBackends)
  {
    if (backends().size() < 2)
      GTEST_SKIP() << "there is one backend";
    compare_backends<double>();
    compare_backends<float>();
  }

  TEST(Multigrid, Repeats)
  {
    for (const Backend backend : backends())
      {
        const Problem<float> problem(backend, "sell", 2);
        const auto M = make(problem, MultigridCycle::W);
        const auto r = random_values<float>(problem.A->n_owned());
        const auto z = preconditioned(M, *problem.A, r);
        EXPECT_EQ(preconditioned(M, *problem.A, r), z);
        EXPECT_EQ(
          preconditioned(make(problem, MultigridCycle::W), *problem.A, r), z);
      }
  }

  TEST(Multigrid, ReplaysFromAGraph)
  {
    if (backends().back() == Backend::host)
      GTEST_SKIP() << "graphs are a device's";
    const Problem<double> problem(Backend::cuda, "matrix_free", 3);
    const auto &A       = *problem.A;
    const auto M        = make(problem, MultigridCycle::W);
    const auto r        = random_values<double>(A.n_owned());
    const auto from     = make_vector(A, r);
    const Stream stream = runtime::create_stream();
    auto replayed       = A.make_vector();
    {
      const runtime::Graph graph(stream,
                                 [&]() { M.apply(replayed, from, stream); });
      for (int i = 0; i < 2; ++i)
        graph.replay(stream);
      runtime::synchronize(stream);
    }
    EXPECT_EQ(owned_values(replayed), preconditioned(M, A, r));
    runtime::destroy_stream(stream);
  }

  TEST(Multigrid, TellsWhatItIs)
  {
    const Problem<double> problem(Backend::host, "csr", 3);
    const auto M      = make(problem, MultigridCycle::W);
    const auto values = M.parameters();
    EXPECT_EQ(M.name(), "multigrid");
    EXPECT_EQ(M.patience().iterations, 250);
    EXPECT_NE(M.patience().advice.find("'Solver/Smoother degree'"),
              std::string::npos);
    EXPECT_EQ(std::get<std::int64_t>(values.at("multigrid_levels")), 4);
    EXPECT_EQ(std::get<std::int64_t>(values.at("multigrid_coarsest")),
              problem.levels.matrices.back().n_rows());
    EXPECT_EQ(std::get<std::string>(values.at("multigrid_cycle")), "W");
    EXPECT_GT(std::get<double>(values.at("multigrid_operator_complexity")), 1);
    EXPECT_LT(std::get<double>(values.at("multigrid_operator_complexity")), 2);
    EXPECT_GT(M.traffic().compulsory,
              make(problem, MultigridCycle::V).traffic().compulsory);
    EXPECT_EQ(std::get<std::int64_t>(values.at("multigrid_bytes")),
              std::int64_t(M.traffic().stored));
  }

  TEST(Multigrid, RefusesWhatItCannotDo)
  {
    const Problem<double> problem(Backend::host, "csr", 2);
    const auto error_with =
      [&](const std::function<void(MultigridLevels &, MultigridOptions &)> &f) {
        MultigridLevels levels = problem.levels;
        MultigridOptions options;
        f(levels, options);
        return error_of(
          [&]() { Multigrid<double>(*problem.A, levels, options); });
      };
    EXPECT_EQ(error_with([](auto &levels, auto &) { levels = {}; }),
              "Multigrid was given 0 prolongations and 0 coarser matrices; "
              "legal is one of each for every coarser level, of which there "
              "must be one at least.");
    EXPECT_NE(error_with([](auto &levels, auto &) {
                std::swap(levels.matrices[0], levels.matrices[1]);
              }).find("but the next finer level has "),
              std::string::npos);
    EXPECT_NE(error_with([](auto &, auto &options) {
                options.smoother_degree = 0;
              }).find("is 0; legal are integers from 1 to 64."),
              std::string::npos);
    EXPECT_NE(error_with([](auto &, auto &options) {
                options.smoothing_range = 1;
              }).find("legal are numbers above 1."),
              std::string::npos);
    for (const double value :
         {-1., 0., std::numeric_limits<double>::quiet_NaN()})
      EXPECT_NE(error_with([&](auto &levels, auto &) {
                  for (double &entry : levels.matrices.back().values)
                    entry = value;
                }).find("is not positive definite: pivot 1 of "),
                std::string::npos);
    EXPECT_EQ(error_of([]() { multigrid_cycle_from_string("F"); }),
              "The multigrid cycle 'F' does not exist; it is V or W.");
  }
} // namespace tessera
