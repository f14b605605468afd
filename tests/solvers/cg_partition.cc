#include <tessera/base/communicator.h>
#include <tessera/forms/laplace.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>
#include <tessera/space/partition.h>

#include <omp.h>

#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

#include "exchange.h"
#include "hanging_mesh.h"
#include "problems.h"
#include "test.h"

using namespace tessera;

namespace
{
  /// Holds threads until all of them have arrived.
  class Barrier
  {
  public:
    explicit Barrier(const int n) : n(n)
    {}

    void
    wait()
    {
      std::unique_lock<std::mutex> lock(mutex);
      const int my_round = round;
      if (++arrived == n)
        {
          arrived = 0;
          ++round;
          all_arrived.notify_all();
        }
      else
        all_arrived.wait(lock, [&]() { return round != my_round; });
    }

  private:
    const int n;
    int arrived = 0, round = 0;
    std::mutex mutex;
    std::condition_variable all_arrived;
  };

  /// The data that the parts of a process exchange.
  struct Exchange
  {
    explicit Exchange(const std::vector<Part> &parts)
      : parts(parts), barrier(parts.size()), vectors(parts.size()),
        sums(parts.size())
    {}

    const std::vector<Part> &parts;
    Barrier barrier;
    std::vector<std::vector<double>> vectors, sums;
  };

  /// Imports ghosts from their owners, and adds ghosts' values to their owners.
  class GhostTail : public Tail<double>
  {
  public:
    GhostTail(Exchange &exchange, const int self)
      : exchange(exchange), self(self)
    {}

    void
    import(const Vector<double> &x, Stream) const override
    {
      exchange.vectors[self] = x.to_vector();
      exchange.barrier.wait();
      test::fill_ghosts(exchange.parts, self, x, exchange.vectors);
      exchange.barrier.wait();
    }

    void
    export_add(Vector<double> &y, Stream) const override
    {
      exchange.vectors[self] = y.to_vector();
      exchange.barrier.wait();
      test::add_ghosts(exchange.parts, self, y, exchange.vectors);
      exchange.barrier.wait();
    }

  private:
    Exchange &exchange;
    const int self;
  };

  class SumOverParts : public Communicator
  {
  public:
    SumOverParts(Exchange &exchange, const int self)
      : exchange(exchange), self(self)
    {}

    void
    sum(double *values, const int n, Stream) const override
    {
      exchange.sums[self].assign(values, values + n);
      exchange.barrier.wait();
      for (int k = 0; k < n; ++k)
        {
          values[k] = 0;
          for (const std::vector<double> &part : exchange.sums)
            values[k] += part[k];
        }
      exchange.barrier.wait();
    }

  private:
    Exchange &exchange;
    const int self;
  };

  struct Solution
  {
    CGResult result;
    std::vector<double> x; ///< by degree of freedom of the mesh
  };

  std::vector<double>
  restrict_to(const Space &space, const std::vector<double> &global)
  {
    std::vector<double> local(space.n_owned);
    for (int i = 0; i < space.n_owned; ++i)
      local[i] = global[space.mesh_dof[i]];
    return local;
  }

  Solution
  solve_divided(const std::string &name, const Connectivity &mesh,
                const std::vector<int> &part, const int n_parts,
                const std::vector<double> &b)
  {
    const std::vector<Part> parts = partition(mesh, part, n_parts);
    Exchange exchange(parts);
    Solution solution{{}, std::vector<double>(mesh.n_dofs, 0.)};
    std::vector<CGResult> results(n_parts);
    const auto work = [&](const int self) {
      omp_set_num_threads(1);
      const auto space = std::make_shared<const Space>(parts[self].space);
      AssemblyOptions options;
      options.conflict = Conflict::coloring;
      const Problem<double> problem(
        space, Backend::host,
        {std::make_shared<SumOverParts>(exchange, self),
         std::make_shared<GhostTail>(exchange, self)},
        options);
      const auto A =
        problem.make_operator(name, laplace(Coefficient::scalar(7)));
      problem.update(*A, laplace(test::anisotropic()));
      const auto jacobi = problem.make_preconditioner("jacobi", *A);
      CG<double> cg(*A, *jacobi);
      Vector<double> x = problem.make_vector();
      results[self] =
        cg.solve(x, test::make_vector(*A, restrict_to(*space, b)), {});
      for (int i = 0; i < space->n_owned; ++i)
        solution.x[space->mesh_dof[i]] = x.data()[i];
    };
    std::vector<std::thread> threads;
    for (int self = 0; self < n_parts; ++self)
      threads.emplace_back(work, self);
    for (std::thread &thread : threads)
      thread.join();

    solution.result = results[0];
    for (const CGResult &result : results)
      {
        EXPECT_EQ(result.converged, solution.result.converged);
        EXPECT_EQ(result.iterations, solution.result.iterations);
        EXPECT_EQ(result.residual, solution.result.residual);
      }
    return solution;
  }
} // namespace

TEST(CGPartition, PartsSolveTheUndividedProblem)
{
  for (const std::string name :
       {"matrix_free", "local_matrices", "local_matrices_symmetric", "csr"})
    for (int degree = 1; degree <= 3; ++degree)
      for (const bool hanging : {false, true})
        {
          const Connectivity mesh =
            hanging
              ? test::hanging_mesh(CellType::quadrilateral, degree, 3).mesh
              : test::unstructured_mesh(degree, 1);
          const std::vector<double> b =
            test::random_values<double>(mesh.n_dofs);
          const Space space = build_space(mesh);
          const auto A =
            test::make_operator_on<double>(Backend::host, name, mesh);
          const Jacobi<double> jacobi(*A);
          Vector<double> x = A->make_vector();
          const CGResult result =
            CG<double>(*A, jacobi)
              .solve(x, test::make_vector(*A, restrict_to(space, b)), {});
          EXPECT_TRUE(result.converged);

          // Both stop at the same iterate. The rounding of the steps reaches x
          // through A^-1.
          const std::vector<double> whole = test::owned_values(x);
          const test::DenseMatrix matrix(*A);
          const double tolerance =
            matrix.inverse().norm() * matrix.norm() * result.iterations *
            std::numeric_limits<double>::epsilon() * test::norm(whole);
          for (const int n_parts : {1, 2, 3})
            {
              SCOPED_TRACE(name + ", degree " + std::to_string(degree) +
                           ", parts " + std::to_string(n_parts) +
                           (hanging ? ", hanging nodes" : ""));
              std::vector<int> part(mesh.n_cells());
              for (std::size_t c = 0; c < part.size(); ++c)
                part[c] = (c / 3 + c % 2) % n_parts;
              const Solution divided =
                solve_divided(name, mesh, part, n_parts, b);
              EXPECT_TRUE(divided.result.converged);
              EXPECT_EQ(divided.result.iterations, result.iterations);
              EXPECT_LE(test::distance(whole, restrict_to(space, divided.x)),
                        tolerance);
            }
        }
}
