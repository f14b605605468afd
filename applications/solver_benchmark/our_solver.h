#pragma once

#include <solver.h>

#include <memory>
#include <string>

/// What a solver of ours is asked for.
struct SolverChoice
{
  std::string preconditioner;
  int polynomial_degree = 0;
  std::string method;
};

/// Makes our conjugate gradients for `A`, whose product moves `product_bytes`.
/// Both must outlive it. Throws what the preconditioner throws.
template <class Number>
std::unique_ptr<tessera::benchmarks::Solver<Number>>
make_our_solver(const tessera::Operator<Number> &A, double product_bytes,
                const SolverChoice &choice);
