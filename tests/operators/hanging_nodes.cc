#include "../constrained_oracle.h"
#include "../hanging_mesh.h"
#include "cases.h"

#include <tessera/operators/lift.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>

// Every operator on meshes with hanging nodes is C^T A C, where C computes the
// values of hanging nodes from others and A is the matrix of all nodes.
namespace tessera
{
  using namespace test;

  namespace
  {
    /// Checks operators, of which one of n has its turn.
    template <class Number>
    void
    check(const std::shared_ptr<const Space> &space, const Backend backend,
          std::size_t &turn, const std::size_t n)
    {
      std::vector<std::pair<std::string, Conflict>> chosen;
      for (const std::string &name : operator_names())
        for (const Conflict conflict : conflicts(backend, name))
          if (in_turn(turn++, n))
            chosen.push_back({name, conflict});
      if (chosen.empty())
        return;
      const Oracle oracle(
        *space, varying(*space, Coefficient::Kind::per_quadrature_point));
      const auto x = random_values<Number>(space->n_owned, 3);
      const ConstrainedOracle constrained(oracle);
      std::vector<double> y, scale, diagonal, diagonal_scale;
      constrained.vmult(as_double(x), y, scale);
      constrained.diagonal(diagonal, diagonal_scale);
      const auto cells =
        std::make_shared<const CellData<Number>>(space, backend);
      for (const auto &[name, conflict] : chosen)
        {
          SCOPED_TRACE(name + ", " + to_string(backend) + ", " +
                       to_string(conflict));
          AssemblyOptions options;
          options.conflict = conflict;
          const auto A =
            make_operator<Number>(name, cells, laplace(oracle.kappa), options);
          ASSERT_EQ(A->n_owned(), space->n_owned);
          ASSERT_EQ(A->n_owned() + A->n_tail(), space->n_local());
          const auto from = make_vector(*A, x);
          auto to         = random_vector(*A, 5);
          A->vmult(to, from);
          EXPECT_LT(rounding_units(owned_values(to), y, scale), rounding_limit);
          // Added to itself, whatever is in the tail of y by now.
          A->vmult(to, from, Epilogue<Number>::add());
          std::vector<double> twice = y, twice_scale = scale;
          for (std::size_t i = 0; i < y.size(); ++i)
            {
              twice[i] *= 2;
              twice_scale[i] *= 2;
            }
          EXPECT_LT(rounding_units(owned_values(to), twice, twice_scale),
                    rounding_limit);

          Array<double> energy(backend, 1);
          A->vmult(to, from, Epilogue<Number>::dot(energy.data()));
          double expected = 0, size = 0;
          for (std::size_t i = 0; i < y.size(); ++i)
            {
              expected += x[i] * y[i];
              size += std::abs(x[i]) * scale[i];
            }
          EXPECT_LT(
            rounding_units(std::vector<Number>{Number(energy.to_vector()[0])},
                           {expected}, {size}),
            rounding_limit);

          auto d = A->make_vector();
          A->diagonal(d);
          EXPECT_LT(rounding_units(owned_values(d), diagonal, diagonal_scale),
                    rounding_limit);
        }
    }
  } // namespace

  TEST(HangingNodes, ProductsAreThoseOfTheConstrainedMatrix)
  {
    std::size_t turn = 0;
    for (const CellType type : {CellType::quadrilateral, CellType::hexahedron})
      for (const int degree : degrees(type))
        {
          // High degrees, which take longest, have a tenth of the operators.
          const bool large    = degree > 2 && type == CellType::hexahedron;
          const std::size_t n = large           ? 10
                                : !is_watched() ? 1
                                : degree > 2    ? 10
                                                : 4;
          const auto space    = std::make_shared<const Space>(
            build_space(hanging_mesh(type, degree, large ? 1 : 2).mesh,
                           numberings[n_turns(degree) % n_numberings]));
          ASSERT_GT(space->n_hanging, 0);
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree));
          for (const Backend backend : backends())
            {
              check<double>(space, backend, turn, n);
              check<float>(space, backend, turn,
                           degree == 2 && !is_watched() ? 1 : 10);
            }
        }
  }

  // A linear function solves -div grad u = 0 on any mesh, to round-off, if and
  // only if the finite elements are continuous.
  TEST(HangingNodes, ALinearFunctionIsExact)
  {
    for (const CellType type : {CellType::quadrilateral, CellType::hexahedron})
      for (const Backend backend : backends())
        for (const std::string name : {"matrix_free", "csr", "local_matrices"})
          {
            SCOPED_TRACE(to_string(type) + ", " + to_string(backend) + ", " +
                         name);
            const HangingMesh by_hand =
              hanging_mesh(type, is_watched() ? 1 : 2);
            const auto space =
              std::make_shared<const Space>(build_space(by_hand.mesh));
            const auto u = [&](const int i) {
              const Position &x = by_hand.position[space->mesh_dof[i]];
              return 1 + x[0] - 2 * x[1] + 0.5 * x[2];
            };
            const auto cells =
              std::make_shared<const CellData<double>>(space, backend);
            std::vector<double> given(space->n_local(), 0.);
            for (int i = space->n_stored(); i < space->padding_index(); ++i)
              given[i] = u(i);
            // What given sources contribute to hanging nodes is given, too.
            const LinearConstraints &c = by_hand.mesh.hanging;
            std::vector<int> local(space->mesh_dof.size());
            for (std::size_t i = 0; i < local.size(); ++i)
              local[space->mesh_dof[i]] = int(i);
            for (int k = 0; k < c.size(); ++k)
              for (std::int64_t m = c.start[k]; m < c.start[k + 1]; ++m)
                given[local[c.entry[k]]] +=
                  c.weight[m] * given[local[c.source[m]]];
            auto g = cells->make_vector(), b = cells->make_vector();
            g.copy_from(given);
            const Form form = laplace(Coefficient::scalar(1));
            lift(b, g, cells, form);
            const auto A = make_operator<double>(name, cells, form);
            const auto M = make_preconditioner<double>("jacobi", *A);
            CG<double> cg(*A, *M);
            auto x = A->make_vector();
            CGControl control;
            control.relative_tolerance = 1e-13;
            EXPECT_TRUE(cg.solve(x, b, control).converged);
            cells->tail()->import(x, {});
            std::vector<double> values = x.to_vector();
            for (int i = 0; i < space->n_stored(); ++i)
              EXPECT_NEAR(values[i] + given[i], u(i), 1e-11);
          }
  }

  TEST(HangingNodes, BadConstraintsAreRefused)
  {
    const Connectivity mesh = hanging_mesh(CellType::quadrilateral, 1).mesh;
    ASSERT_GT(mesh.hanging.size(), 1);
    EXPECT_NO_THROW(build_space(mesh));
    Connectivity chain          = mesh;
    chain.hanging.source.back() = chain.hanging.entry.front();
    EXPECT_THROW(build_space(chain), MeshError);
    Connectivity outside          = mesh;
    outside.hanging.source.back() = outside.n_dofs;
    EXPECT_THROW(build_space(outside), MeshError);
    Connectivity twice                       = mesh;
    twice.constrained[mesh.hanging.entry[0]] = 1;
    EXPECT_THROW(build_space(twice), MeshError);
    twice                  = mesh;
    twice.hanging.entry[0] = twice.hanging.entry[1];
    EXPECT_THROW(build_space(twice), MeshError);
    Connectivity starts     = mesh;
    starts.hanging.start[1] = 1000000;
    EXPECT_THROW(build_space(starts), MeshError);
    starts.hanging.start.clear();
    EXPECT_THROW(build_space(starts), MeshError);
    Connectivity cut = mesh;
    cut.hanging.weight.pop_back();
    EXPECT_THROW(build_space(cut), MeshError);
    const Problem<double> problem(
      std::make_shared<const Space>(build_space(mesh)), Backend::host);
    const auto A =
      problem.make_operator("csr", laplace(Coefficient::scalar(1)));
    EXPECT_THROW(problem.make_preconditioner("ssor", *A), ParameterError);
  }
} // namespace tessera
