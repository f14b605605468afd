#include "boundary.h"
#include "cases.h"
#include "entries.h"
#include "linked.h"

#include <tessera/base/error.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/assembler.h>
#include <tessera/operators/descriptor.h>
#include <tessera/solvers/problem.h>

#include <cmath>
#include <limits>
#include <optional>

// New values by a kept assembler must equal the values of a new operator.
namespace tessera
{
  using namespace test;

  namespace
  {
    template <class Number>
    std::vector<Number>
    product(const Operator<Number> &A)
    {
      auto x = random_vector(A, 5), y = A.make_vector();
      A.vmult(y, x);
      return owned_values(y);
    }

    template <class Number>
    void
    check(const PreparedCase &c, const std::string &name, const Backend backend,
          const std::string &strategy, const Way &way)
    {
      SCOPED_TRACE(name + ", " + to_string(backend) + ", " + strategy + ", " +
                   to_string(way));
      const auto cells =
        std::make_shared<const CellData<Number>>(c.space, backend);
      AssemblyOptions options;
      options.strategy = strategy;
      options.route    = way.route;
      options.conflict = way.conflict;
      Assembler<Number> assembler(name, cells, options);
      std::unique_ptr<RowOperator<Number>> A;
      for (const Oracle &oracle : c.oracles)
        {
          const FormData<Number> kappa(laplace(oracle.kappa), *cells);
          if (!A)
            A = assembler.make_operator(kappa);
          else
            assembler.assemble(*A, kappa);
          std::vector<double> expected, scale;
          auto x = random_values<Number>(A->n_owned(), 5);
          x.resize(c.space->n_local(), Number(0));
          oracle.vmult(as_double(x), expected, scale);
          const std::vector<Number> y = product(*A);
          EXPECT_LT(rounding_units(y, expected, scale), rounding_limit);
          if (!way.repeats())
            continue;
          const auto anew =
            make_operator<Number>(name, cells, laplace(oracle.kappa), options);
          EXPECT_EQ(y, product(*anew));
        }
    }
  } // namespace

  TEST(Assembler, GivesNewValuesAgainAndAgain)
  {
    int turn = 0;
    for (const Backend backend : backends())
      for (const PreparedCase &c : prepared_cases())
        {
          SCOPED_TRACE(c.name);
          for (const std::string &name : row_operator_names())
            {
              if (!in_turn(++turn, 10))
                continue;
              const auto all            = ways(legal_routes(name), backend);
              const auto how            = strategies(*c.space);
              const std::size_t n       = n_turns(turn, 10);
              const Way by              = all[n / 2 % all.size()];
              const std::string &chosen = how[n / 2 / all.size() % how.size()];
              if (n % 2 == 0)
                check<double>(c, name, backend, chosen, by);
              else
                check<float>(c, name, backend, chosen, by);
            }
        }
  }

  /// Threads that share a row have different columns of a cell.
  TEST(Assembler, CellsThatRepeatARowAreScattered)
  {
    const PreparedCase &c = prepared_cases()[3];
    const auto space      = std::make_shared<Space>(*c.space);
    space->cell_dofs[1]   = space->cell_dofs[0];
    ASSERT_LT(space->cell_dofs[0], space->n_owned);
    for (const Backend backend : backends())
      {
        const auto cells =
          std::make_shared<const CellData<double>>(space, backend);
        const FormData<double> kappa(laplace(c.oracles.front().kappa), *cells);
        const auto values = [&](const std::optional<Route> route) {
          AssemblyOptions options;
          options.route = route;
          return product(
            *Assembler<double>("csr", cells, options).make_operator(kappa));
        };
        EXPECT_THROW(values(Route::gather), MeshError);
        const auto expected = values(Route::scatter), by_default = values({});
        for (std::size_t k = 0; k < expected.size(); ++k)
          EXPECT_NEAR(by_default[k], expected[k],
                      rounding_limit * std::numeric_limits<double>::epsilon() *
                        std::abs(expected[k]));
      }
  }

  TEST(Assembler, ChangesHowValuesAreComputed)
  {
    const PreparedCase &c = prepared_cases()[3];
    for (const Backend backend : backends())
      {
        const auto cells =
          std::make_shared<const CellData<double>>(c.space, backend);
        const FormData<double> kappa(laplace(c.oracles.back().kappa), *cells);
        Assembler<double> assembler("csr", cells);
        const auto A                 = assembler.make_operator(kappa);
        const std::size_t slots_only = [&]() {
          assembler.choose("local_reuse", Route::scatter, Conflict::coloring);
          return assembler.bytes();
        }();
        const Entries expected(make_sparsity_pattern(*c.space),
                               c.oracles.back());
        for (const Way &way : ways(backend))
          for (const std::string &strategy : strategies(*c.space))
            {
              assembler.choose(strategy, way.route, way.conflict);
              assembler.assemble(*A, kappa);
              EXPECT_EQ(assembler.bytes() > slots_only,
                        way.route == Route::gather);
              EXPECT_LT(rounding_units(A->matrix().values().to_vector(),
                                       expected.values, expected.scale),
                        rounding_limit)
                << to_string(way) << " " << strategy;
            }
      }
  }

  TEST(Assembler, FacesOfABoundaryAreAssembledAgain)
  {
    for (const BoundaryCase &c : boundary_cases())
      for (const Backend backend : backends())
        for (const std::string &name : linked({"csr", "ell", "lazy_ell"}))
          {
            SCOPED_TRACE(c.name + " " + name + " " + to_string(backend));
            const auto space =
              std::make_shared<const Space>(build_space(c.mesh));
            AssemblyOptions options;
            options.conflict = Conflict::coloring;
            const Problem<double> problem(space, backend, {}, options, c.faces);
            const Form form =
              laplace(varying(*space, Coefficient::Kind::per_cell));
            const FormData<double> data(form, *problem.cells());
            auto assembler     = problem.make_assembler(name);
            const auto A       = assembler.make_operator(data);
            const auto at_once = product(*A);
            assembler.assemble(*A, data);
            EXPECT_EQ(product(*A), at_once);
            EXPECT_EQ(product(*problem.make_operator(name, form)), at_once);
          }
  }

  TEST(Assembler, RefusesWhatItCannotDo)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(1, 4, 5)));
    for (const Backend backend : backends())
      {
        const auto cells =
          std::make_shared<const CellData<double>>(space, backend);
        const FormData<double> kappa(laplace(anisotropic()), *cells);
        EXPECT_THROW(Assembler<double>("matrix_free", cells), ParameterError);
        EXPECT_THROW(Assembler<double>("local_matrices", cells),
                     ParameterError);
        EXPECT_THROW(Assembler<double>("no_such_name", cells), ParameterError);
        Assembler<double> assembler("csr", cells);
        const auto A = assembler.make_operator(kappa);
        EXPECT_THROW(assembler.make_operator(kappa), std::logic_error);
        const auto other_cells = std::make_shared<const CellData<double>>(
          std::make_shared<const Space>(build_space(generated_mesh(1, 3, 5))),
          backend);
        Assembler<double> other("csr", other_cells);
        EXPECT_THROW(other.assemble(*A, kappa), std::logic_error);
        if (is_linked("lazy_ell"))
          {
            Assembler<double> lazy("lazy_ell", cells);
            EXPECT_THROW(
              lazy.choose("local_reuse", Route::gather, Conflict::coloring),
              ParameterError);
            EXPECT_THROW(lazy.sink(A->matrix()), std::logic_error);
          }
        EXPECT_THROW(
          assembler.choose("local_reuse", Route::append, Conflict::coloring),
          ParameterError);
        if (backend == Backend::cuda)
          {
            EXPECT_THROW(
              assembler.choose("local_reuse", Route::scatter, Conflict::none),
              ParameterError);
          }
      }
  }

  TEST(Routes, ThoseThatDoNotSuitTheOperatorAreRefusedInASentence)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(1, 2, 2)));
    for (const Backend backend : backends())
      {
        const auto cells =
          std::make_shared<const CellData<double>>(space, backend);
        for (const auto &[name, bad, legal] :
             {std::make_tuple("csr", Route::append, "scatter or gather"),
              std::make_tuple("auto", Route::append, "scatter or gather"),
              std::make_tuple("lazy_ell", Route::gather, "append"),
              std::make_tuple("lazy_ell_consolidated", Route::scatter,
                              "append"),
              std::make_tuple("matrix_free", Route::gather, "scatter"),
              std::make_tuple("local_matrices", Route::append, "scatter")})
          if (is_linked(name))
            try
              {
                AssemblyOptions options;
                options.route = bad;
                make_operator<double>(name, cells, laplace(anisotropic()),
                                      options);
                ADD_FAILURE() << name << ": no error";
              }
            catch (const ParameterError &error)
              {
                EXPECT_EQ(std::string(error.what()),
                          "The route '" + to_string(bad) +
                            "' does not suit the operator " + name +
                            "; legal is " + legal + '.');
              }
      }
  }

  /// Gathering is a default; who asks for conflict handling scatters.
  TEST(Routes, DefaultsGoByOperatorCellsAndBackend)
  {
    for (const std::string &name : operator_choices())
      for (const Backend backend : {Backend::host, Backend::cuda})
        for (const CellType type :
             {CellType::quadrilateral, CellType::hexahedron,
              CellType::tetrahedron})
          {
            const Route by_default = default_route(name, type, 1, 1, backend);
            const auto legal       = legal_routes(name);
            EXPECT_EQ(std::count(legal.begin(), legal.end(), by_default), 1);
            EXPECT_EQ(by_default == Route::append,
                      descriptor(name).is_appended());
            EXPECT_EQ(by_default == Route::gather,
                      backend == Backend::cuda &&
                        type != CellType::tetrahedron && stores_rows(name) &&
                        !descriptor(name).is_appended());
            EXPECT_EQ(
              default_route(name, type, 1, 1, backend, Conflict::atomics),
              descriptor(name).is_appended() ? Route::append : Route::scatter);
          }
  }
} // namespace tessera
