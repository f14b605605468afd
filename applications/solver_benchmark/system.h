#pragma once

#include <work.h>

#include <tessera/matrix/sparse_matrix.h>
#include <tessera/program/record.h>
#include <tessera/solvers/problem.h>

#include <memory>
#include <string>
#include <vector>

/// One linear system A x = b in the memory of one backend, from which all
/// operators are made. Its solution and the reachable accuracy are measured in
/// double, with a separate operator.
class System
{
public:
  template <class Number>
  using Made = std::unique_ptr<tessera::Operator<Number>>;

  virtual ~System() = default;

  /// Makes the operator of that name. `single_entries` asks for rows without
  /// blocks. Throws ParameterError where the system has no such operator.
  virtual void
  make(Made<double> &A, const std::string &name,
       bool single_entries = false) const = 0;
  virtual void
  make(Made<float> &A, const std::string &name,
       bool single_entries = false) const = 0;

  /// Makes the preconditioner of that name for an operator of the system, which
  /// must outlive it.
  template <class Number>
  std::unique_ptr<tessera::Preconditioner<Number>>
  make_preconditioner(const std::string &name,
                      const tessera::Operator<Number> &A,
                      const tessera::OptionValues &options) const;

  /// Returns the bytes of a product by the model.
  template <class Number>
  double
  product_bytes(const tessera::Operator<Number> &A) const
  {
    return problem ? tessera::benchmarks::model_bytes(A, problem->space())
                   : static_cast<double>(A.traffic().compulsory);
  }

  /// Returns the part of a row that all rows of the system share.
  virtual tessera::program::Row
  row() const = 0;

  /// Returns a vector that the operators take, with zeros in the tail.
  template <class Number>
  tessera::Vector<Number>
  upload(const std::vector<double> &values) const;

  /// A residual b - A x, whose norms are relative to the norms of b.
  struct Residual
  {
    double plain  = 0; ///< |b - A x| / |b|
    double scaled = 0; ///< |D^-1 (b - A x)| / |D^-1 b|, D being A's diagonal

    double
    largest() const
    {
      return scaled > plain ? scaled : plain;
    }
  };

  /// Computes a residual by the operator of the reference.
  Residual
  residual(const std::vector<double> &x) const;

  /// Returns |x - x*| / |x*|, or NaN if x* is not known.
  double
  error(const std::vector<double> &x) const;

  /// Returns the largest norm of the residual of x* by an operator in another
  /// format or number type, or NaN if x* is not known.
  template <class Number>
  double
  deviation(const tessera::Operator<Number> &A) const;

  tessera::Backend backend = tessera::Backend::host;
  /// The discrete problem, if the system belongs to a mesh; null for a file.
  std::unique_ptr<const tessera::Problem<double>> problem;
  std::vector<double> x;           ///< x*, [n]; empty if it is not known
  std::vector<double> b;           ///< [n]
  double residual_of_solution = 0; ///< the largest norm of the residual of x*
  /// A bound of the rounding errors of a product, in units of eps:
  /// longest row * largest entry * |x*| / |b|, or the same with D^-1 A and
  /// D^-1 b if it is larger.
  double rounding_scale = 0;

protected:
  /// Sets x* and b, [n]. Where b is empty it becomes A x*. `longest_row` counts
  /// entries.
  void
  set(Made<double> reference, std::vector<double> solution,
      std::vector<double> right_hand_side, double longest_row);

private:
  /// The norms of b - y, relative to the norms of b.
  template <class Number>
  Residual
  residual_of(const std::vector<Number> &y) const;

  Made<double> reference;
  std::vector<double> diagonal; ///< D, [n]
};

/// A smooth solution with a little seeded noise, at the nodes of a generated
/// mesh, of Laplace's form or elasticity. b = A x*, so that x* is the solution
/// of the discrete system. The mesh must outlive it.
std::unique_ptr<System>
make_mesh_system(const tessera::Connectivity &mesh, tessera::Backend backend,
                 std::uint64_t seed);

/// Throws ParameterError if that operator cannot multiply elasticity in
/// float.
void
check_float_elasticity(const std::string &operator_name);

/// Matrix, right-hand side and solution from files; the vectors may be
/// empty.
struct FileSystem
{
  std::string name;
  tessera::SparseMatrix matrix;
  std::vector<double> right_hand_side, solution;
};

/// Reads the files; the names of vectors may be empty. Throws MatrixError
/// for a matrix that is not square, has no rows, is not symmetric or has
/// a diagonal entry that is not positive, and for vectors of another
/// length.
FileSystem
read_system(const std::string &matrix, const std::string &right_hand_side,
            const std::string &solution);

/// The system of files, which must outlive it.
std::unique_ptr<System>
make_file_system(const FileSystem &files, tessera::Backend backend,
                 std::uint64_t seed);
