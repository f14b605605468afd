#include <tessera/base/names.h>
#include <tessera/base/runtime.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/csr.h>
#include <tessera/preconditioners/ssor.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>

#include <limits>

#include "boundary.h"
#include "operators/each_case.h"
#include "ssor_oracle.h"

namespace tessera
{
  using namespace test;

  namespace
  {
    const std::vector<std::string> operators =
      operators_of_preconditioner("ssor");

    /// Returns the operators that a case has. Among them are three of the twins
    /// of csr, others in each turn: SSOR sees their addressing alone.
    std::vector<std::string>
    operators_in_turn(int &turn)
    {
      std::vector<std::string> result, twins;
      for (const std::string &name : operators)
        (is_twin(name) ? twins : result).push_back(name);
      for (std::size_t i = 0; i < 3 && !twins.empty(); ++i)
        result.push_back(twins[n_turns(turn++) % twins.size()]);
      return result;
    }

    template <class Number>
    std::vector<Number>
    apply(const Preconditioner<Number> &M, const Operator<Number> &A,
          const std::vector<Number> &r)
    {
      // Old values of the vectors must not matter, in their tails neither.
      Vector<Number> z = A.make_vector(), from = A.make_vector();
      z.copy_from(std::vector<Number>(z.size(), Number(7)));
      std::vector<Number> values = r;
      values.resize(from.size(), Number(5));
      from.copy_from(values);
      M.apply(z, from, {});
      return owned_values(z);
    }

    template <class Number>
    std::unique_ptr<Operator<Number>>
    make_operator(const Backend backend, const std::string &name,
                  const PreparedCase &c, const Oracle &oracle)
    {
      AssemblyOptions options;
      options.conflict = Conflict::coloring;
      return Problem<Number>(c.space, backend, {}, options)
        .make_operator(name, laplace(oracle.kappa));
    }

    /// Compares every entry with the serial loop, and expects a symmetric M.
    template <class Number>
    void
    expect_textbook(const Operator<Number> &A, const SsorOracle &oracle,
                    const double relaxation)
    {
      const Ssor<Number> M(A, relaxation);
      oracle.expect_valid(M.colors(), M.n_colors());
      const auto a  = random_values<Number>(A.n_owned(), 3);
      const auto b  = random_values<Number>(A.n_owned(), 4);
      const auto Ma = apply(M, A, a), Mb = apply(M, A, b);
      const auto of = [&](const std::vector<Number> &r) {
        return oracle.apply(M.colors(), relaxation, as_double(r),
                            std::numeric_limits<Number>::epsilon());
      };
      const SsorOracle::Result expected = of(a), other = of(b);
      double left = 0, right = 0, bound = 0;
      for (int i = 0; i < A.n_owned(); ++i)
        {
          EXPECT_NEAR(Ma[i], expected.z[i], expected.bound[i]) << i;
          left += double(Ma[i]) * double(b[i]);
          right += double(a[i]) * double(Mb[i]);
          bound += std::abs(b[i]) * expected.bound[i] +
                   std::abs(a[i]) * other.bound[i];
        }
      EXPECT_NEAR(left, right, bound);
      EXPECT_EQ(apply(M, A, a), Ma);
      EXPECT_EQ(apply(Ssor<Number>(A, relaxation), A, a), Ma);
    }

    /// Returns a square of equal cells, to which iteration counts refer.
    Connectivity
    model_mesh(const int degree)
    {
      GeneratedMesh mesh;
      mesh.n_x = mesh.n_y = 48 / degree;
      mesh.degree         = degree;
      mesh.distortion     = 0;
      return generate(mesh);
    }

    int
    n_iterations(const Operator<double> &A, const Preconditioner<double> &M)
    {
      CG<double> cg(A, M);
      Vector<double> x = A.make_vector();
      CGControl control;
      control.relative_tolerance = 1e-8;
      const CGResult result      = cg.solve(
             x, make_vector(A, random_values<double>(A.n_owned(), 7)), control);
      EXPECT_TRUE(result.converged);
      return result.iterations;
    }

    template <class Make>
    std::string
    error_of(const Make &make)
    {
      try
        {
          make();
        }
      catch (const ParameterError &error)
        {
          return error.what();
        }
      return "";
    }
  } // namespace

  TEST_P(EachCase, SsorIsTheSerialLoopInTheOrderOfTheColours)
  {
    int turn = 7 * static_cast<int>(GetParam());
    if (is_watched() && c.space->n_owned > 200)
      GTEST_SKIP() << "fibers would take long";
    const SsorOracle oracle(c.oracles.back());
    const auto check = [&](const auto number) {
      using Number = std::remove_const_t<decltype(number)>;
      for (const Backend backend : backends())
        for (const std::string &name : operators_in_turn(turn))
          {
            SCOPED_TRACE(to_string(backend) + ", " + name);
            const auto A =
              make_operator<Number>(backend, name, c, c.oracles.back());
            expect_textbook(*A, oracle, c.space->degree == 1 ? 1.3 : 0.8);
          }
    };
    check(double());
    check(float());
  }

  TEST(Ssor, MatricesOfFacesAreEntriesToo)
  {
    int turn = 0;
    for (const BoundaryCase &c : boundary_cases())
      {
        const auto space = std::make_shared<const Space>(build_space(c.mesh));
        if (c.faces.n_faces() < 33 || space->n_owned > 400)
          continue;
        SCOPED_TRACE(c.name);
        const Oracle cells(*space, anisotropic(space->dim()));
        SsorOracle oracle(cells);
        BoundaryOracle(*space, c.faces)
          .for_each_entry([&](const int row, const int column, const double m) {
            oracle.add(row, column, m);
          });
        for (const Backend backend : backends())
          for (const std::string &name : operators_in_turn(turn))
            {
              SCOPED_TRACE(to_string(backend) + ", " + name);
              AssemblyOptions options;
              options.conflict = Conflict::coloring;
              const Problem<double> problem(space, backend, {}, options,
                                            c.faces);
              expect_textbook(
                *problem.make_operator(name, laplace(cells.kappa)), oracle,
                1.1);
            }
      }
  }

  TEST(Ssor, ReferenceOfASmallMatrix)
  {
    // Two cells in a row couple through the two vertices that they share, and
    // each of the six vertices is a row. With relaxation 1, M = (D + L) D^-1 (D
    // + U) gives M x = A x + L D^-1 U x.
    for (const Backend backend : backends())
      for (const std::string &name : operators)
        {
          SCOPED_TRACE(to_string(backend) + ", " + name);
          const auto A = make_operator_on<double>(
            backend, name, generated_mesh(1, 2, 1, false));
          const Ssor<double> M(*A);
          ASSERT_EQ(A->n_owned(), 6);
          EXPECT_EQ(M.n_colors(), 4);
          const DenseMatrix a(*A);
          const std::vector<int> color = M.colors();
          const auto x                 = random_values<double>(6, 2);
          std::vector<double> r        = a.times(x);
          for (int i = 0; i < 6; ++i)
            for (int k = 0; k < 6; ++k)
              for (int j = 0; j < 6; ++j)
                if (color[k] < color[i] && color[k] < color[j])
                  r[i] += a(i, k) * a(k, j) / a(k, k) * x[j];
          const std::vector<double> z = apply(M, *A, r);
          for (int i = 0; i < 6; ++i)
            EXPECT_NEAR(z[i], x[i], 1e-13);
        }
  }

  TEST(Ssor, RowStartsOf64Bits)
  {
    for (const Backend backend : backends())
      {
        const auto space =
          std::make_shared<const Space>(build_space(unstructured_mesh(2, 2)));
        const auto A =
          make_operator_on<double>(backend, "csr", unstructured_mesh(2, 2));
        CsrMatrix<double> matrix(
          CsrPattern(make_sparsity_pattern(*space), backend), true);
        matrix.values().copy_from(
          dynamic_cast<Csr<double> &>(*A).matrix().values().to_vector());
        ASSERT_NE(matrix.row_start_64(), nullptr);
        const Csr<double> B(std::move(matrix), space->n_tail());
        const auto r = random_values<double>(A->n_owned());
        EXPECT_EQ(apply(Ssor<double>(*A), *A, r), apply(Ssor<double>(B), B, r));
      }
  }

  TEST(Ssor, TakesFewerIterationsThanJacobi)
  {
    for (const Backend backend : backends())
      for (const std::string &name : operators)
        for (const int degree : test::degrees(CellType::quadrilateral))
          {
            // Fibers are slow, and rows of twins give the same M.
            if (is_watched() &&
                (is_twin(name) || (backend == Backend::cuda && degree > 1)))
              continue;
            SCOPED_TRACE(to_string(backend) + ", " + name + ", degree " +
                         std::to_string(degree));
            const auto A = make_operator_on<double>(
              backend, name, model_mesh(degree), Coefficient::scalar(1));
            const int jacobi =
              n_iterations(*A, *make_preconditioner("jacobi", *A));
            const Ssor<double> ssor(*A);
            EXPECT_EQ(ssor.n_colors(), (degree + 1) * (degree + 1));
            const int with_ssor = n_iterations(*A, ssor);
            EXPECT_LE(with_ssor, 0.6 * jacobi);
            RecordProperty("jacobi_" + name + std::to_string(degree), jacobi);
            RecordProperty("ssor_" + name + std::to_string(degree), with_ssor);
          }
  }

  TEST(Ssor, ReplaysFromAGraph)
  {
    if (backends().back() == Backend::host)
      GTEST_SKIP() << "graphs are a device's";
    for (const std::string &name : operators)
      {
        SCOPED_TRACE(name);
        const auto A =
          make_operator_on<float>(Backend::cuda, name, unstructured_mesh(2, 2));
        const Ssor<float> M(*A, 1.2);
        const auto r           = random_vector(*A, 3);
        const Stream stream    = runtime::create_stream();
        Vector<float> replayed = A->make_vector();
        {
          const runtime::Graph graph(stream,
                                     [&]() { M.apply(replayed, r, stream); });
          for (int i = 0; i < 2; ++i)
            graph.replay(stream);
          runtime::synchronize(stream);
        }
        EXPECT_EQ(owned_values(replayed), apply(M, *A, owned_values(r)));
        runtime::destroy_stream(stream);
      }
  }

  TEST(Ssor, RefusesWhatItCannotDo)
  {
    const Connectivity mesh = unstructured_mesh(1, 1);
    const auto csr = make_operator_on<double>(Backend::host, "csr", mesh);
    for (const double relaxation :
         {0., 2., -1., std::numeric_limits<double>::quiet_NaN()})
      EXPECT_NE(error_of([&]() {
                  Ssor<double>(*csr, relaxation);
                }).find("; legal are numbers between 0 and 2, without these."),
                std::string::npos);
    EXPECT_EQ(error_of([&]() { Ssor<double>(*csr, 2); }).substr(0, 31),
              "The relaxation of ssor is 2; le");
    EXPECT_EQ(error_of([&]() {
                make_preconditioner("ssor", *csr, {{{"Relaxation", "2.0"}}});
              }),
              "The option 'Relaxation' was given as 2; legal are numbers "
              "between 0 and 2, without these.");
    const auto free =
      make_operator_on<double>(Backend::host, "matrix_free", mesh);
    const std::string sentence =
      "The preconditioner ssor needs the entries of a matrix, which the "
      "operator matrix_free does not have; legal with it are " +
      list_of(operators) + ".";
    EXPECT_EQ(error_of([&]() { Ssor<double>{*free}; }), sentence);
    EXPECT_EQ(error_of([&]() { make_preconditioner("ssor", *free); }),
              sentence);
    AssemblyOptions in_float;
    in_float.storage["Cell matrix values"] = "float";
    for (const Backend backend : backends())
      if (backend == Backend::cuda) // the host has none
        {
          const Problem<double> problem(
            std::make_shared<const Space>(build_space(mesh)), backend, {},
            in_float);
          const auto A =
            problem.make_operator("local_matrices_symmetric", laplace());
          EXPECT_NE(error_of([&]() {
                      Ssor<double>{*A};
                    }).find("does not have with 'Cell matrix values' = float"),
                    std::string::npos);
        }
  }
} // namespace tessera
