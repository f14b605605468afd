#include <tessera/base/vector_operations.h>
#include <tessera/forms/elasticity.h>
#include <tessera/operators/convert_rows.h>
#include <tessera/preconditioners/block_jacobi.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/preconditioners/ssor.h>
#include <tessera/solvers/defect_correction.h>
#include <tessera/solvers/problem.h>

#include <algorithm>
#include <cmath>

#include "meshes.h"
#include "parts.h"
#include "problems.h"
#include "test.h"

// These tests run in several processes (mpirun), each of which has the whole
// mesh and works on its own part of it.
namespace tessera
{
  using namespace test;

  namespace
  {
    Connectivity
    mesh_of_components()
    {
      Connectivity mesh = unstructured_mesh(2, 1);
      mesh.n_components = 2;
      mesh.constrained.assign(2 * mesh.n_dofs, 0);
      for (int i = 0; i < 10; ++i) // x is given at some nodes, y at others
        mesh.constrained[2 * i + i % 2] = 1;
      return mesh;
    }

    /// An operator of elasticity, of the whole mesh or of this part.
    template <class Number>
    std::unique_ptr<Operator<Number>>
    make(const std::string &name, const std::shared_ptr<const Space> &space,
         const Parts<Number> &parts)
    {
      return Problem<Number>(space, Backend::host, parts)
        .make_operator(name, elasticity(isotropic_stiffness(2, 1.3, 0.28)));
    }

    /// Returns M^-1 r for the entries of a mesh's vector, at owned entries.
    template <class Number>
    std::vector<Number>
    apply(const Piece &piece, const Space &space, const Operator<Number> &A,
          const Preconditioner<Number> &M, const std::vector<Number> &r)
    {
      Vector<Number> local = A.make_vector(), z = A.make_vector();
      local.copy_from(piece.restrict_to(space, r));
      M.apply(z, local, {});
      auto values = z.to_vector();
      values.resize(A.n_owned());
      return values;
    }
  } // namespace

  TEST(DividedPreconditioners, BlocksOfNodesAreThoseOfTheWhole)
  {
    const Connectivity mesh = mesh_of_components();
    const Piece piece(mesh);
    const auto parts = piece.parts<double>();
    const auto whole = std::make_shared<const Space>(build_space(mesh));
    const auto r     = random_values<double>(2 * mesh.n_dofs, 3);
    for (const std::string &name : row_operator_names())
      {
        SCOPED_TRACE(name);
        const auto A    = make<double>(name, whole, {});
        const auto part = make<double>(name, piece.space, parts);
        const auto of_whole =
          apply<double>(piece, *whole, *A, BlockJacobi<double>(*A, 2), r);
        std::vector<double> of_mesh(2 * mesh.n_dofs);
        for (int i = 0; i < A->n_owned(); ++i)
          of_mesh[whole->mesh_dof[i / 2] * 2 + i % 2] = of_whole[i];
        const auto expected = piece.restrict_to(*piece.space, of_mesh);
        const auto z        = apply<double>(piece, *piece.space, *part,
                                     BlockJacobi<double>(*part, 2), r);
        for (int i = 0; i < part->n_owned(); ++i)
          EXPECT_NEAR(z[i], expected[i], 1e-12 * (1 + std::abs(expected[i])));
        if (processes().size() > 1)
          EXPECT_THROW(BlockJacobi<double>(*part, 32), ParameterError);
      }
  }

  /// M is symmetric and positive over all parts, and M of one part is the usual
  /// preconditioner.
  TEST(DividedPreconditioners, SweepsOfPartsAreSymmetric)
  {
    const Connectivity mesh = mesh_of_components();
    const Piece piece(mesh);
    const auto parts = piece.parts<double>();
    for (const std::string name : {"csr", "sell", "lazy_ell"})
      {
        SCOPED_TRACE(name);
        const auto A = make<double>(name, piece.space, parts);
        const Ssor<double> M(*A, 1.3);
        const VectorOperations<double> on(Backend::host, A->n_owned(),
                                          *transport());
        std::vector<Vector<double>> r, z;
        for (const int seed : {3, 4})
          {
            r.push_back(A->make_vector());
            z.push_back(A->make_vector());
            r.back().copy_from(piece.restrict_to(
              *piece.space, random_values<double>(2 * mesh.n_dofs, seed)));
            M.apply(z.back(), r.back(), {});
          }
        const double size = on.dot(r[0], z[0]);
        EXPECT_GT(size, 0);
        EXPECT_NEAR(on.dot(r[0], z[1]), on.dot(r[1], z[0]), 1e-12 * size);
        EXPECT_EQ(std::get<std::string>(M.parameters().at("preconditioner")),
                  "ssor by process");
        if (processes().size() == 1)
          {
            const auto alone  = make<double>(name, piece.space, {});
            const auto values = apply<double>(
              piece, *piece.space, *alone, Ssor<double>(*alone, 1.3),
              random_values<double>(2 * mesh.n_dofs, 3));
            for (int i = 0; i < A->n_owned(); ++i)
              EXPECT_NEAR(z[0].data()[i], values[i],
                          1e-12 * (1 + std::abs(values[i])));
          }
      }
    EXPECT_THROW(
      Ssor<double>(*make<double>("local_matrices", piece.space, parts)),
      ParameterError);
  }

  /// What is registered works with parts if it says so: M is symmetric and
  /// positive over all of them, and a solve finds the same as one of the whole.
  TEST(DividedPreconditioners, WorkIfTheySaySo)
  {
    const Connectivity mesh = mesh_of_components();
    const Piece piece(mesh);
    const auto whole = std::make_shared<const Space>(build_space(mesh));
    const auto A     = make<double>("csr", whole, {});
    const auto part  = make<double>("csr", piece.space, piece.parts<double>());
    const VectorOperations<double> on(Backend::host, part->n_owned(),
                                      *transport());
    EXPECT_EQ(on.n_of_all_parts(), A->n_owned());
    PreconditionerProblem problem;
    problem.n_components = 2;
    problem.space        = piece.space;
    const auto random    = [&](const int seed) {
      Vector<double> r = part->make_vector();
      r.copy_from(piece.restrict_to(
           *piece.space, random_values<double>(2 * mesh.n_dofs, seed)));
      return r;
    };
    const auto b = random_values<double>(2 * mesh.n_dofs, 7);
    for (const std::string &name : plain_preconditioner_names())
      {
        SCOPED_TRACE(name);
        if (!preconditioner_descriptor(name).works_with.several_processes)
          {
            EXPECT_THROW(make_preconditioner(name, *part, problem),
                         ParameterError);
            continue;
          }
        const auto M              = make_preconditioner(name, *part, problem);
        const Vector<double> r[2] = {random(3), random(4)};
        Vector<double> z[2]       = {part->make_vector(), part->make_vector()};
        for (int k : {0, 1})
          M->apply(z[k], r[k], {});
        const double size = on.dot(r[0], z[0]);
        EXPECT_GT(size, 0);
        EXPECT_NEAR(on.dot(r[0], z[1]), on.dot(r[1], z[0]), 1e-10 * size);

        Vector<double> x = part->make_vector(), right = part->make_vector(),
                       x_of_whole     = A->make_vector(),
                       right_of_whole = A->make_vector();
        right.copy_from(piece.restrict_to(*piece.space, b));
        right_of_whole.copy_from(piece.restrict_to(*whole, b));
        const CGControl control;
        EXPECT_TRUE(CG<double>(*part, *M).solve(x, right, control).converged);
        EXPECT_TRUE(CG<double>(*A, Jacobi<double>(*A))
                      .solve(x_of_whole, right_of_whole, control)
                      .converged);
        std::vector<double> of_mesh(2 * mesh.n_dofs);
        for (int i = 0; i < A->n_owned(); ++i)
          of_mesh[whole->mesh_dof[i / 2] * 2 + i % 2] = x_of_whole.data()[i];
        const auto expected = piece.restrict_to(*piece.space, of_mesh);
        for (int i = 0; i < part->n_owned(); ++i)
          EXPECT_NEAR(x.data()[i], expected[i], 1e-7 * norm(of_mesh));
      }
  }

  TEST(DividedPreconditioners, CorrectionsAreThoseOfTheWhole)
  {
    const Connectivity mesh = mesh_of_components();
    const Piece piece(mesh);
    auto b = random_values<double>(2 * mesh.n_dofs, 5);
    for (std::size_t i = 0; i < b.size(); ++i)
      if (mesh.constrained[i])
        b[i] = 0;
    const auto solve =
      [&](const std::shared_ptr<const Space> &space, const Parts<double> &parts,
          const Parts<float> &of_float, std::vector<double> &x_of_mesh) {
        const auto A       = make<double>("csr", space, parts);
        const auto A_float = convert_rows<float>(
          dynamic_cast<const RowOperator<double> &>(*A), "sell", {}, of_float);
        const Jacobi<float> M(*A_float);
        Vector<double> x = A->make_vector(), right = A->make_vector();
        right.copy_from(piece.restrict_to(*space, b));
        CGControl control;
        control.relative_tolerance = 1e-10;
        const CGResult result =
          DefectCorrection(*A, *A_float, M).solve(x, right, control);
        x_of_mesh.assign(2 * mesh.n_dofs, 0.);
        for (int i = 0; i < A->n_owned(); ++i)
          x_of_mesh[space->mesh_dof[i / 2] * 2 + i % 2] = x.data()[i];
        return result;
      };
    std::vector<double> x_whole, x_of_parts;
    const CGResult whole =
      solve(std::make_shared<const Space>(build_space(mesh)), {}, {}, x_whole);
    const CGResult result = solve(piece.space, piece.parts<double>(),
                                  piece.parts<float>(), x_of_parts);
    EXPECT_TRUE(whole.converged);
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.replacements, whole.replacements);
    // Rounding in float costs iterations that depend on the order of sums.
    EXPECT_NEAR(result.iterations, whole.iterations, 0.1 * whole.iterations);
    double largest = 0;
    for (const double value : x_whole)
      largest = std::max(largest, std::abs(value));
    for (int i = 0; i < 2 * piece.space->n_owned; ++i)
      {
        const int entry = piece.space->mesh_dof[i / 2] * 2 + i % 2;
        EXPECT_NEAR(x_of_parts[entry], x_whole[entry], 1e-7 * largest);
      }
  }
} // namespace tessera
