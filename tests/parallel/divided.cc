#include <tessera/base/error.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/parallel/node_exchange.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>

#include <algorithm>

#include "meshes.h"
#include "oracle.h"
#include "parts.h"
#include "problems.h"
#include "test.h"

// These tests run in several processes (mpirun), each of which has the whole
// mesh and works on its own part of it.
namespace tessera
{
  using namespace test;

  TEST(Divided, GhostsAreThoseOfTheirOwners)
  {
    for (const int n_components : {1, 3})
      {
        Connectivity mesh = unstructured_mesh(2, 1);
        mesh.n_components = n_components;
        mesh.constrained.assign(mesh.n_dofs * n_components, 0);
        const Piece piece(mesh);
        const auto tail    = piece.parts<double>().ghosts();
        const Space &space = *piece.space;
        Vector<double> x(Backend::host, space.n_owned * n_components,
                         space.n_tail() * n_components);
        const auto number_of = [&](const int i) {
          return 1. + n_components * space.mesh_dof[i / n_components] +
                 i % n_components;
        };
        for (int i = 0; i < x.n_owned(); ++i)
          x.data()[i] = number_of(i);
        for (int turn = 0; turn < 2; ++turn)
          {
            tail->import(x, {});
            for (int k = 0; k < space.n_ghosts * n_components; ++k)
              ASSERT_EQ(x.tail()[k], number_of(x.n_owned() + k));
          }
        // Every part adds one to each of its nodes.
        Vector<double> y(Backend::host, x.n_owned(), x.n_tail());
        std::fill_n(y.data(), y.size(), 1.);
        tail->export_add(y, {});
        std::vector<double> copies(x.n_owned(), 1.);
        for (const int node : piece.shared.owned)
          for (int c = 0; c < n_components; ++c)
            copies[node * n_components + c] += 1;
        for (int i = 0; i < y.n_owned(); ++i)
          EXPECT_EQ(y.data()[i], copies[i]);
      }
  }

  TEST(Divided, ProductsAreThoseOfTheWhole)
  {
    for (const int degree : {1, 2, 3})
      {
        const Connectivity mesh = unstructured_mesh(degree, 1);
        const Piece piece(mesh);
        auto values = random_values<double>(mesh.n_dofs, 3);
        for (int dof = 0; dof < mesh.n_dofs; ++dof)
          if (mesh.constrained[dof])
            values[dof] = 0;
        const auto whole = std::make_shared<const Space>(build_space(mesh));
        const Oracle oracle(*whole, anisotropic());
        std::vector<double> product, scale;
        oracle.vmult(piece.restrict_to(*whole, values), product, scale);
        std::vector<double> y_of_mesh(mesh.n_dofs), scale_of_mesh(mesh.n_dofs);
        for (int i = 0; i < whole->n_owned; ++i)
          {
            y_of_mesh[whole->mesh_dof[i]]     = product[i];
            scale_of_mesh[whole->mesh_dof[i]] = scale[i];
          }
        const auto expected = piece.restrict_to(*piece.space, y_of_mesh);
        const auto scales   = piece.restrict_to(*piece.space, scale_of_mesh);

        for (const std::string &name : operator_names())
          {
            SCOPED_TRACE(name + ", degree " + std::to_string(degree));
            AssemblyOptions options;
            options.conflict = Conflict::coloring;
            const auto A     = Problem<double>(piece.space, Backend::host,
                                           piece.parts<double>(), options)
                             .make_operator(name, laplace(anisotropic()));
            Vector<double> x = A->make_vector(), y = A->make_vector();
            x.copy_from(piece.restrict_to(*piece.space, values));
            Array<double> dot(Backend::host, 1);
            A->vmult(y, x, Epilogue<double>::dot(dot.data()));
            const auto first = owned_values(y);
            EXPECT_LT(rounding_units(
                        first,
                        {expected.begin(), expected.begin() + A->n_owned()},
                        {scales.begin(), scales.begin() + A->n_owned()}),
                      rounding_limit);
            transport()->sum(dot.data(), 1, {});
            double sum = 0, sum_scale = 0;
            for (int dof = 0; dof < mesh.n_dofs; ++dof)
              {
                sum += values[dof] * y_of_mesh[dof];
                sum_scale += std::abs(values[dof]) * scale_of_mesh[dof];
              }
            EXPECT_LT(rounding_units(std::vector<double>{dot.to_vector()[0]},
                                     {sum}, {sum_scale}),
                      rounding_limit);
            A->vmult(y, x);
            if (A->repeatable())
              EXPECT_EQ(owned_values(y), first);
          }
      }
  }

  TEST(Divided, ConjugateGradientsAreThoseOfTheWhole)
  {
    const Connectivity mesh = unstructured_mesh(2, 1);
    const auto b            = random_values<double>(mesh.n_dofs);
    const auto solve        = [&](const std::shared_ptr<const Space> &space,
                           const Parts<double> &parts, const std::string &name,
                           const std::string &method,
                           std::vector<double> &x_of_mesh) {
      AssemblyOptions options;
      options.conflict = Conflict::coloring;
      const auto A     = Problem<double>(space, Backend::host, parts, options)
                       .make_operator(name, laplace(anisotropic()));
      const Jacobi<double> jacobi(*A);
      Vector<double> x = A->make_vector(), right = A->make_vector();
      std::vector<double> local(right.size(), 0.);
      for (int i = 0; i < space->n_owned; ++i)
        local[i] = b[space->mesh_dof[i]];
      right.copy_from(local);
      const CGResult result =
        CG<double>(*A, jacobi, method).solve(x, right, {});
      x_of_mesh.assign(mesh.n_dofs, 0.);
      for (int i = 0; i < space->n_owned; ++i)
        x_of_mesh[space->mesh_dof[i]] = x.data()[i];
      return result;
    };
    const Piece piece(mesh);
    for (const std::string name : {"matrix_free", "csr"})
      for (const std::string method : {"classical", "single_reduction"})
        {
          SCOPED_TRACE(name + ", " + method);
          std::vector<double> x_whole, x_of_parts, x_again;
          const CGResult whole =
            solve(std::make_shared<const Space>(build_space(mesh)), {}, name,
                  method, x_whole);
          const auto divided = [&](std::vector<double> &x) {
            return solve(piece.space, piece.parts<double>(), name, method, x);
          };
          const CGResult result = divided(x_of_parts);
          EXPECT_TRUE(result.converged);
          EXPECT_NEAR(result.iterations, whole.iterations, 1);
          EXPECT_LT(result.true_residual, 2e-10 * result.initial_residual);
          // Both are as close to the solution as the residual says; the
          // condition of A is far below the factor.
          for (int i = 0; i < piece.space->n_owned; ++i)
            {
              const int dof = piece.space->mesh_dof[i];
              EXPECT_NEAR(x_of_parts[dof], x_whole[dof],
                          1e-7 * std::abs(*std::max_element(x_whole.begin(),
                                                            x_whole.end())));
            }
          divided(x_again);
          EXPECT_EQ(x_of_parts, x_again);
        }
  }

  TEST(Divided, NobodyIsAskedForWhatAnotherOwns)
  {
    const int n = processes().size(), self = processes().rank();
    if (n == 1)
      return;
    const std::int64_t far = std::int64_t(1) << 40;
    const SharedNodes ring =
      processes().agree({{(self + 1) % n, {0}, {far + (self + 1) % n}}},
                        {far + self + n, far + self});
    EXPECT_EQ(ring.to.part, std::vector<int>{(self + n - 1) % n});
    EXPECT_EQ(ring.owned, std::vector<int>{1});
    EXPECT_THROW(processes().agree({{(self + 1) % n, {0}, {self}}}, {far}),
                 MeshError);
  }

  // Node k belongs to process k, and every process knows all but the node
  // before its own.
  TEST(Divided, ValuesAtNodesAreThoseOfTheirOwners)
  {
    const int n = processes().size(), self = processes().rank();
    MeshNodes nodes;
    for (int k = 0; k < n; ++k)
      {
        nodes.owner.push_back(n > 1 && k == (self + n - 1) % n ? -1 : k);
        nodes.id.push_back((std::int64_t(1) << 40) - k);
      }
    const NodeExchange exchange(processes(), nodes);
    std::vector<double> values(2 * n, -1.), sums(n, 1. + self);
    values[2 * self]     = self;
    values[2 * self + 1] = 100. + self;
    exchange.import(values, 2);
    for (int k = 0; k < n; ++k)
      {
        EXPECT_EQ(values[2 * k], nodes.owner[k] < 0 ? -1. : k);
        EXPECT_EQ(values[2 * k + 1], nodes.owner[k] < 0 ? -1. : 100. + k);
      }
    exchange.export_add(sums);
    const double of_all = n * (n + 1) / 2., of_next = 1. + (self + 1) % n;
    EXPECT_EQ(sums[self], n > 1 ? of_all - of_next : of_all);
  }

  TEST(Divided, AnErrorOfOneIsAnErrorOfAll)
  {
    const int last = processes().size() - 1;
    try
      {
        processes().collectively([&]() {
          if (processes().rank() == last)
            throw MeshError("Cell 7 is inverted.");
        });
        ADD_FAILURE() << "no error";
      }
    catch (const Error &error)
      {
        EXPECT_STREQ(error.what(), "Cell 7 is inverted.");
        EXPECT_EQ(error.exit_code(), ExitCode::mesh);
      }
    processes().collectively([]() {});
    const auto singular = [&]() {
      if (processes().rank() == last)
        throw MatrixError("The pivot is 0.");
    };
    EXPECT_THROW(processes().collectively(singular), MatrixError);
  }

  /// What is no Error has the sentence that a program alone would end with.
  TEST(Divided, AnErrorIsOneSentence)
  {
    const auto expect = [](const auto &exception, const std::string &sentence,
                           const ExitCode code) {
      try
        {
          processes().collectively([&]() { throw exception; });
          ADD_FAILURE() << "no error";
        }
      catch (const Error &error)
        {
          EXPECT_EQ(error.what(), sentence);
          EXPECT_EQ(error.exit_code(), code);
        }
    };
    expect(std::runtime_error("\n  The disk is full.\nStack trace:\n#0"),
           "The disk is full.", ExitCode::other);
    expect(std::bad_alloc(),
           "There is not enough memory on the host for this problem.",
           ExitCode::device);
  }
} // namespace tessera
