#include "boundary.h"
#include "linked.h"
#include "operators/cases.h"

#include <tessera/assembly/load_vector.h>
#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/format_choice.h>
#include <tessera/operators/lift.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>

// A problem must make the same as the functions that it calls, and new values
// must equal the values of a new operator. cg_partition.cc tests problems of
// several parts.
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

    Form
    form_of(const Space &space, const Coefficient::Kind kind,
            const double factor)
    {
      Coefficient kappa = varying(space, kind);
      for (double &value : kappa.values)
        value *= factor;
      return laplace(kappa);
    }

    /// An operator must have the values of the last form, whatever kind of
    /// coefficient the forms have.
    template <class Number>
    void
    check_updates(const Problem<Number> &problem, const std::string &name,
                  const bool keeps_assembler)
    {
      SCOPED_TRACE(name + ", " + to_string(problem.backend()) +
                   (keeps_assembler ? ", with an assembler" : ""));
      AssemblyOptions options = problem.options();
      options.keeps_assembler = keeps_assembler;
      using Kind              = Coefficient::Kind;
      const auto A            = problem.make_operator(
                   name, form_of(problem.space(), Kind::uniform, 1), options);
      double factor = 2;
      for (const Kind kind :
           {Kind::uniform, Kind::per_cell, Kind::per_quadrature_point})
        {
          const Form form = form_of(problem.space(), kind, factor++);
          problem.update(*A, form);
          // Kernels add up in the order of the cells.
          EXPECT_EQ(product(*A),
                    product(*problem.make_operator(A->name(), form)))
            << static_cast<int>(kind);
        }
    }

    AssemblyOptions
    in_fixed_order()
    {
      AssemblyOptions options;
      options.conflict = Conflict::coloring;
      return options;
    }
  } // namespace

  TEST(ProblemTest, UpdatesEveryOperator)
  {
    const auto cases = boundary_cases();
    std::size_t turn = 0;
    for (const Backend backend : backends())
      for (const std::string &name : operator_choices())
        for (const bool keeps_assembler : {false, true})
          {
            // The format that is chosen on a device has options of its own.
            if (name == auto_operator && backend == Backend::cuda)
              continue;
            const BoundaryCase &c = cases[turn++ % cases.size()];
            SCOPED_TRACE(c.name);
            const Problem<double> problem(
              std::make_shared<const Space>(build_space(c.mesh)), backend, {},
              in_fixed_order(), c.faces);
            if (turn % 3 == 0)
              check_updates(Problem<float>(problem), name, keeps_assembler);
            else
              check_updates(problem, name, keeps_assembler);
          }
  }

  TEST(ProblemTest, RightHandSidesHaveAllLoads)
  {
    for (const Backend backend : backends())
      for (const BoundaryCase &c : boundary_cases())
        {
          SCOPED_TRACE(c.name + ", " + to_string(backend));
          const auto space = std::make_shared<const Space>(build_space(c.mesh));
          const Problem<double> problem(space, backend, {}, in_fixed_order(),
                                        c.faces);
          const Coefficient f =
            varying_number(*space, Coefficient::Kind::per_quadrature_point);
          const Form form =
            form_of(*space, Coefficient::Kind::per_quadrature_point, 1);
          const Conflict conflict = Conflict::coloring;
          auto b = problem.make_vector(), g = problem.make_vector();
          std::vector<double> given(space->n_local(), 0.);
          const auto values = random_values<double>(space->n_constrained, 6);
          std::copy(values.begin(), values.end(),
                    given.begin() + space->n_owned);
          g.copy_from(given);
          add_load_vector(b, *problem.cells(), f, conflict);
          add_boundary_load(b, *problem.cells(), c.faces, conflict);
          EXPECT_EQ(problem.loads(f, c.faces).to_vector(), b.to_vector());
          EXPECT_EQ(owned_values(problem.right_hand_side(f, c.faces)),
                    owned_values(b));
          const BoundaryMatrices<double> matrices(*space, c.faces, backend);
          lift<double>(b, g, problem.cells(), form, &matrices, conflict);
          EXPECT_EQ(owned_values(problem.right_hand_side(form, f, c.faces, g)),
                    owned_values(b));
          auto without = problem.loads(f), expected = problem.loads(f);
          problem.without_faces().lift(without, form, g);
          lift<double>(expected, g, problem.cells(), form, nullptr, conflict);
          EXPECT_EQ(owned_values(without), owned_values(expected));
        }
  }

  /// Iterations that were recorded as graphs must not go on with the values of
  /// the operator before.
  TEST(ProblemTest, IsSolvedAgainWithNewValues)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(2, 5, 7)));
    for (const Backend backend : backends())
      for (const std::string &name : linked(
             {"matrix_free", "local_matrices", "csr", "lazy_ell_consolidated"}))
        {
          SCOPED_TRACE(name + ", " + to_string(backend));
          const Problem<double> problem(space, backend, {}, in_fixed_order());
          const auto form = [&](const double kappa) {
            return laplace(Coefficient::scalar(kappa));
          };
          const auto b = problem.right_hand_side(Coefficient::scalar(1));
          auto x = problem.make_vector(), y = problem.make_vector();
          const auto A = problem.make_operator(name, form(1));
          const auto M = problem.make_preconditioner("jacobi", *A);
          CG<double> cg(*A, *M);
          EXPECT_TRUE(cg.solve(x, b).converged);
          const auto first = owned_values(x);
          problem.update(*A, form(4));
          x.zero();
          const CGResult result = cg.solve(x, b);
          const auto other      = problem.make_operator(name, form(4));
          EXPECT_TRUE(result.converged);
          EXPECT_EQ(result.history, CG<double>(*other, *M).solve(y, b).history);
          EXPECT_EQ(owned_values(x), owned_values(y));
          for (std::size_t i = 0; i < first.size(); ++i)
            EXPECT_NEAR(owned_values(x)[i], first[i] / 4,
                        1e-8 * std::abs(first[i]));
        }
  }

  /// A temperature, and displacements that its values load, are two problems on
  /// one mesh: nodes have the same numbers, and each problem is the one that
  /// stands alone.
  TEST(ProblemTest, TwoFieldsLiveOnOneMesh)
  {
    Connectivity mesh = generated_mesh(2, 4, 5);
    const auto scalar = std::make_shared<const Space>(build_space(mesh));
    mesh.n_components = 2;
    const auto nodes  = std::exchange(mesh.constrained, {});
    for (const char is_constrained : nodes)
      mesh.constrained.insert(mesh.constrained.end(), 2, is_constrained);
    const auto vectors = std::make_shared<const Space>(build_space(mesh));
    ASSERT_EQ(scalar->mesh_dof, vectors->mesh_dof);
    for (const Backend backend : backends())
      {
        SCOPED_TRACE(to_string(backend));
        const Problem<double> heat(scalar, backend, {}, in_fixed_order()),
          elastic(vectors, backend, {}, in_fixed_order());
        const auto of_heat =
          heat.make_operator("csr", laplace(Coefficient::scalar(2)));
        const auto of_elastic = elastic.make_operator(
          "matrix_free", elasticity(isotropic_stiffness(2, 1, 0.3)));
        auto T = heat.make_vector(), u = elastic.make_vector();
        const auto solve = [](const Problem<double> &problem,
                              const Operator<double> &A, Vector<double> &x,
                              const Vector<double> &b) {
          const auto M = problem.make_preconditioner("jacobi", A);
          return CG<double>(A, *M).solve(x, b);
        };
        EXPECT_TRUE(
          solve(heat, *of_heat, T, heat.right_hand_side(Coefficient::scalar(1)))
            .converged);
        // T pulls in the direction of x.
        std::vector<double> load;
        for (const double value : owned_values(T))
          load.insert(load.end(), {value, 0.});
        load.resize(u.n_owned() + std::size_t(u.n_tail()));
        auto b = elastic.make_vector();
        b.copy_from(load);
        EXPECT_TRUE(solve(elastic, *of_elastic, u, b).converged);
        // The other problem is as it was.
        auto second_T = heat.make_vector();
        solve(heat, *of_heat, second_T,
              heat.right_hand_side(Coefficient::scalar(1)));
        EXPECT_EQ(owned_values(second_T), owned_values(T));
        // Internal forces are in balance with the loads.
        auto forces = elastic.make_vector();
        of_elastic->vmult(forces, u);
        const auto values = owned_values(forces), expected = owned_values(b);
        for (std::size_t i = 0; i < values.size(); ++i)
          EXPECT_NEAR(values[i], expected[i], 1e-8);
        EXPECT_GT(*std::max_element(values.begin(), values.end()), 1e-4);
      }
  }

  /// `auto` is multigrid on hosts where levels pay, and says why; below that it
  /// is the diagonal of A.
  TEST(ProblemTest, ChoosesPreconditioner)
  {
    const auto made_for = [](const int n) {
      const Problem<double> problem(
        std::make_shared<const Space>(build_space(generated_mesh(1, n, n))),
        Backend::host);
      const Form form   = laplace(Coefficient::scalar(1));
      const auto A      = problem.make_operator("csr", form);
      const auto choice = problem.choose_preconditioner(*A);
      EXPECT_NE(choice.reason, "");
      const auto M = problem.make_preconditioner(
        "auto", *A, {{"Smoother degree", "2"}}, &form);
      EXPECT_EQ(M->name(), choice.name);
      const auto without = problem.make_operator("matrix_free", form);
      EXPECT_EQ(problem.make_preconditioner("auto", *without)->name(),
                "jacobi");
      EXPECT_EQ(
        problem.make_preconditioner("auto", *without, {}, &form)->name(),
        choice.name);
      auto x = problem.make_vector();
      return std::pair(choice.name, CG<double>(*A, *M)
                                      .solve(x, problem.right_hand_side(
                                                  Coefficient::scalar(1)))
                                      .iterations);
    };
    const auto small = made_for(8), large = made_for(160);
    EXPECT_EQ(small.first, "jacobi");
    EXPECT_EQ(large.first, "multigrid");
    EXPECT_LT(large.second, 40);
  }

  TEST(ProblemTest, RefusesOtherForms)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(1, 3, 2)));
    const Problem<double> problem(space, Backend::host),
      other(space, Backend::host);
    const Form form = laplace(Coefficient::scalar(2));
    for (const std::string name : {"matrix_free", "csr"})
      {
        const auto A = problem.make_operator(name, form);
        EXPECT_THROW(other.update(*A, form), std::logic_error);
      }
    std::unique_ptr<Operator<double>> rows;
    {
      const Problem<double> gone(space, Backend::host);
      rows = gone.make_operator("csr", form);
    }
    EXPECT_THROW(problem.update(*rows, form), std::logic_error);
    const auto of_matrix =
      make_row_operator<double>("csr", make_csr_pattern(*problem.cells()), 0);
    EXPECT_THROW(problem.update(*of_matrix, form), std::logic_error);
  }
} // namespace tessera
