#pragma once

#include <solver.h>

#include <tessera/preconditioners/preconditioner.h>

#include <memory>
#include <string>

/// The names of methods: all methods of conjugate gradients, `auto` for the one
/// that should be the fastest, and `defect_correction`.
std::vector<std::string>
method_names();

template <class Number>
using SharedPreconditioner =
  std::shared_ptr<const tessera::Preconditioner<Number>>;

/// Makes our conjugate gradients for `A`, whose product moves `product_bytes`.
/// A must outlive them. Throws ParameterError for `defect_correction`, and what
/// the method throws.
template <class Number>
std::unique_ptr<tessera::benchmarks::Solver<Number>>
make_our_solver(const tessera::Operator<Number> &A, double product_bytes,
                const SharedPreconditioner<Number> &M,
                const std::string &method);

/// Makes a solver in double that computes in float: everything except residuals
/// with `defect_correction`, otherwise the preconditioner. Takes ownership of
/// `A_float`, which is A rounded, and of M, which is made for it; `A` must
/// outlive the solver.
std::unique_ptr<tessera::benchmarks::Solver<double>>
make_mixed_solver(const tessera::Operator<double> &A, double product_bytes,
                  std::unique_ptr<const tessera::Operator<float>> A_float,
                  double float_product_bytes,
                  std::unique_ptr<const tessera::Preconditioner<float>> M,
                  const std::string &method);
