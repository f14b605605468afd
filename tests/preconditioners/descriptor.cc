#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/preconditioners/none.h>
#include <tessera/solvers/cg.h>

#include <algorithm>

#include "hanging_mesh.h"
#include "preconditioner_checks.h"
#include "problems.h"
#include "test.h"

// Tests what preconditioners say about themselves: it must agree with what
// they do.
namespace tessera
{
  using namespace test;

  namespace
  {
    const OptionSet &
    options_of_this_test()
    {
      static const OptionSet set = {
        {{"Trace", "whether the trace is computed", "no", {"no", "yes"}}}};
      return set;
    }

    double trace = 0; // of the matrix that the preconditioner below was given

    /// A program brings a preconditioner of its own, which needs a matrix and
    /// works in one process without hanging nodes, in double.
    PreconditionerDescriptor
    describe_of_a_program()
    {
      PreconditionerDescriptor d{"of_a_program", "M = 1", ""};
      d.options                      = {&options_of_this_test()};
      d.works_with.several_processes = false;
      d.works_with.hanging_nodes     = false;
      d.works_with.device            = false;
      d.is_diagonal                  = true;
      d.needs_matrix                 = true;
      std::get<PreconditionerDescriptor::Maker<double>>(
        d.makers) = [](const Operator<double> &A,
                       const PreconditionerProblem &problem, Stream) {
        trace                     = 0;
        const SparseMatrix matrix = problem.matrix();
        if (options_of_this_test().options[0].value(problem.options) == "yes")
          for (int row = 0; row < matrix.n_rows(); ++row)
            for (auto k = matrix.pattern.row_start[row];
                 k < matrix.pattern.row_start[row + 1]; ++k)
              trace += matrix.pattern.columns[k] == row ? matrix.values[k] : 0.;
        return std::make_unique<None<double>>(A);
      };
      return d;
    }

    const Registration<PreconditionerDescriptor> registration(
      describe_of_a_program);

    template <class Work>
    std::string
    refusal(const Work &work)
    {
      try
        {
          work();
        }
      catch (const ParameterError &error)
        {
          return error.what();
        }
      return "";
    }

    SparseMatrix
    two_by_two()
    {
      SparseMatrix matrix;
      matrix.pattern   = {{0, 2, 4}, {0, 1, 0, 1}};
      matrix.values    = {3, -1, -1, 4};
      matrix.n_columns = 2;
      return matrix;
    }

    std::string
    all_but_it()
    {
      return list_of(preconditioners_where(
        [](const auto &d) { return d.name != "of_a_program"; }));
    }
  } // namespace

  TEST(PreconditionerDescriptor, DescribesWhatIsMade)
  {
    const auto A =
      make_operator_on<double>(Backend::host, "csr", unstructured_mesh(2, 1));
    for (const std::string &name : plain_preconditioner_names())
      {
        SCOPED_TRACE(name);
        const PreconditionerDescriptor &d = preconditioner_descriptor(name);
        EXPECT_EQ(d.name, name);
        EXPECT_NE(d.sentence, "");
        EXPECT_TRUE(d.memory);
        EXPECT_EQ(d.works_with.operators != nullptr, d.works_with.needs != "");
        EXPECT_EQ(d.works_with.operators_of_parts != nullptr,
                  d.works_with.needs_of_parts != "");
        EXPECT_EQ(make_preconditioner(name, *A)->inverse_diagonal() != nullptr,
                  d.is_diagonal);
        for (const OptionSet *const set : d.options)
          for (const Option &option : set->options)
            EXPECT_TRUE(option.is_legal(option.default_value)) << option.name;
      }
  }

  TEST(PreconditionerDescriptor, OperatorsThatItReadsAreThoseThatWork)
  {
    const Connectivity mesh = unstructured_mesh(1, 1);
    for (const std::string &op : operator_names())
      {
        const auto A = make_operator_on<double>(Backend::host, op, mesh);
        for (const std::string &name : plain_preconditioner_names())
          {
            SCOPED_TRACE(name + " of " + op);
            const auto legal = operators_of_preconditioner(name);
            if (std::count(legal.begin(), legal.end(), op) > 0)
              EXPECT_EQ(make_preconditioner(name, *A)->name(), name);
            else
              EXPECT_EQ(refusal([&]() { make_preconditioner(name, *A); }),
                        refusal_of_operator(name, op));
          }
      }
  }

  /// On a mesh with hanging nodes M is symmetric and positive, and a solve
  /// converges, or the preconditioner says that it is not for such meshes.
  TEST(PreconditionerDescriptor, HangingNodesWorkWhereItSaysSo)
  {
    const auto space = std::make_shared<const Space>(
      build_space(hanging_mesh(CellType::quadrilateral, 2).mesh));
    ASSERT_GT(space->n_hanging, 0);
    PreconditionerProblem problem;
    problem.space = space;
    for (const Backend backend : backends())
      {
        const auto A = make_operator<double>(
          "csr", std::make_shared<const CellData<double>>(space, backend),
          laplace(Coefficient::scalar(1)));
        for (const std::string &name : plain_preconditioner_names())
          {
            SCOPED_TRACE(to_string(backend) + ", " + name);
            if (!preconditioner_descriptor(name).works_with.hanging_nodes)
              {
                EXPECT_THROW(make_preconditioner(name, *A, problem),
                             ParameterError);
                continue;
              }
            const auto M = make_preconditioner(name, *A, problem);
            expect_symmetric_and_positive(*M, *A);
            Vector<double> x = A->make_vector();
            EXPECT_TRUE(
              CG<double>(*A, *M)
                .solve(x, make_vector(*A, random_values<double>(A->n_owned())),
                       CGControl())
                .converged);
          }
      }
  }

  TEST(PreconditionerDescriptor, EstimatesWhatIsStoredAndMoved)
  {
    const int degree = 2;
    const auto mesh  = generated_mesh(degree, 60, 60);
    for (const std::string op : {"csr", "local_matrices", "matrix_free"})
      {
        const auto A   = make_operator_on<double>(Backend::host, op, mesh);
        const auto &of = descriptor(op);
        for (const std::string &name : plain_preconditioner_names())
          {
            const PreconditionerDescriptor &d = preconditioner_descriptor(name);
            if (!d.works_with.reads(of))
              continue;
            SCOPED_TRACE(name + " of " + op);
            const auto M                 = make_preconditioner(name, *A);
            const PreconditionerCounts n = {
              {CellType::quadrilateral, degree, Geometry::vertices, 8, 9, 4, 64,
               25, 4},
              {CellType::quadrilateral, 1, Geometry::vertices, 8, 4, 1, 9, 9,
               4},
              1,
              of,
              of.stores_rows(),
              {}};
            const double n_cells = mesh.n_cells();
            const double stored  = static_cast<double>(M->traffic().stored);
            EXPECT_GT(n_cells * d.memory(n).stored, 0.7 * stored);
            EXPECT_LT(n_cells * d.memory(n).stored, 1.5 * stored);
            if (!d.moved)
              continue;
            const auto parameters = M->parameters();
            const auto found      = parameters.find("polynomial_degree");
            const double products =
              found == parameters.end()
                ? 0.
                : static_cast<double>(std::get<std::int64_t>(found->second));
            EXPECT_NEAR(
              (n_cells * d.moved(n) +
               products * static_cast<double>(A->traffic().compulsory)) /
                static_cast<double>(M->traffic().compulsory),
              1, 0.1);
          }
      }
  }

  TEST(PreconditionerDescriptor, OptionsOfOthersAreRefused)
  {
    const auto A =
      make_operator_on<double>(Backend::host, "csr", unstructured_mesh(1, 1));
    const auto given = [&](const std::string &name, OptionValues options) {
      return refusal([&]() { make_preconditioner(name, *A, {options}); });
    };
    EXPECT_EQ(given("ssor", {{"Relaxation", "1.9"}}), "");
    EXPECT_EQ(given("ssor", {{"Block rows", "2"}}),
              "The option of the preconditioner ssor 'Block rows' does not "
              "exist; it is Relaxation.");
    EXPECT_EQ(given("jacobi", {{"Block rows", "2"}}),
              "The option 'Block rows' was given to the preconditioner jacobi, "
              "which has none.");
    EXPECT_EQ(given("block_jacobi", {{"Block rows", "many"}}),
              "The option 'Block rows' was given as many; legal is an integer "
              "n such that 0 <= n <= 32.");
    EXPECT_EQ(given("chebyshev", {{"Polynomial degree", "101"}}),
              "The option 'Polynomial degree' was given as 101; legal is an "
              "integer n such that 0 <= n <= 100.");
  }

  TEST(PreconditionerDescriptor, OptionsAreUsed)
  {
    const auto A =
      make_operator_on<double>(Backend::host, "csr", unstructured_mesh(1, 1));
    const auto parameters = make_preconditioner("chebyshev", *A,
                                                {{{"Polynomial degree", "3"},
                                                  {"Eigenvalue steps", "5"}}})
                              ->parameters();
    EXPECT_EQ(std::get<std::int64_t>(parameters.at("polynomial_degree")), 3);
    EXPECT_EQ(std::get<std::int64_t>(parameters.at("estimate_products")), 5);
    PreconditionerProblem problem;
    const auto block_rows = [&]() {
      return std::get<std::int64_t>(
        make_preconditioner("block_jacobi", *A, problem)
          ->parameters()
          .at("block_rows"));
    };
    problem.n_components = 3;
    EXPECT_EQ(block_rows(), 3);
    problem.options = {{"Block rows", "7"}};
    EXPECT_EQ(block_rows(), 7);
  }

  TEST(PreconditionerDescriptor, AProgramHasItsOwn)
  {
    const auto A =
      make_operator_on<double>(Backend::host, "csr", unstructured_mesh(1, 1));
    PreconditionerProblem problem;
    problem.matrix  = two_by_two;
    problem.options = {{"Trace", "yes"}};
    EXPECT_EQ(make_preconditioner("of_a_program", *A, problem)->name(), "none");
    EXPECT_EQ(trace, 7);
    const auto names = preconditioner_names();
    EXPECT_EQ(std::count(names.begin(), names.end(), "of_a_program"), 1);
    const auto sets = preconditioner_option_sets();
    EXPECT_EQ(std::count(sets.begin(), sets.end(), &options_of_this_test()), 1);
    EXPECT_EQ(preconditioners_with(options_of_this_test()), "of_a_program");
  }

  TEST(PreconditionerDescriptor, WhatDoesNotWorkIsRefused)
  {
    const auto A =
      make_operator_on<double>(Backend::host, "csr", unstructured_mesh(1, 1));
    PreconditionerProblem problem;
    const auto refused = [&](const auto &of) {
      return refusal(
        [&]() { make_preconditioner("of_a_program", of, problem); });
    };
    EXPECT_EQ(refused(*make_operator_on<double>(Backend::host, "matrix_free",
                                                unstructured_mesh(1, 1))),
              "The preconditioner of_a_program is made from a "
              "matrix, which is not known here; legal is " +
                list_of(plain_preconditioner_names()) + ".");
    EXPECT_EQ(refused(*A), "") << "which stores its rows";
    problem.matrix = two_by_two;
    EXPECT_EQ(refused(*A), "");
    A->set_parts({std::make_shared<const Communicator>(),
                  std::make_shared<const HomogeneousTail<double>>()});
    EXPECT_EQ(refused(*A),
              "The preconditioner of_a_program is for one process; legal is " +
                all_but_it() + ".");
    A->set_parts({});
    Space hanging      = build_space(unstructured_mesh(1, 1));
    hanging.n_hanging  = 1;
    problem.space      = std::make_shared<const Space>(hanging);
    const auto without = refused(*A);
    EXPECT_EQ(without.substr(0, without.find(';')),
              "The preconditioner of_a_program is for meshes without hanging "
              "nodes");
    EXPECT_EQ(without.find("ssor"), std::string::npos);
    problem.space.reset();
    const auto B =
      make_operator_on<float>(Backend::host, "csr", unstructured_mesh(1, 1));
    EXPECT_EQ(refused(*B).find("The preconditioner of_a_program does not exist "
                               "in this number type; legal is "),
              0u);
    if (backends().back() == Backend::cuda)
      {
        const auto on_device = make_operator_on<double>(
          Backend::cuda, "csr", unstructured_mesh(1, 1));
        EXPECT_EQ(refused(*on_device),
                  "The preconditioner of_a_program is for the host; legal "
                  "is " +
                    all_but_it() + ".");
      }
  }
} // namespace tessera
