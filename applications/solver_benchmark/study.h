#pragma once

#include <combinations.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tessera
{
  class Parameters;
}

/// What a study varies, in the order of its loops: factors before `backend`
/// make another system.
enum class Factor
{
  cell_type,
  degree,
  dofs,
  backend,
  number,
  op,
  preconditioner,
  polynomial_degree,
  method
};

constexpr int n_factors = static_cast<int>(Factor::method) + 1;

/// One solve: a value of each factor, empty where it does not depend on it.
struct Variant
{
  std::vector<std::string> values = std::vector<std::string>(n_factors);

  std::string &
  operator[](const Factor factor)
  {
    return values[static_cast<int>(factor)];
  }

  const std::string &
  operator[](const Factor factor) const
  {
    return values[static_cast<int>(factor)];
  }
};

/// The entries of a parameter file.
struct Study
{
  /// Values of each factor, the baseline first; `all` is spelt out.
  std::vector<std::vector<std::string>> values{std::size_t(n_factors)};
  bool full = false; ///< else one factor at a time
  std::vector<std::string> peers;
  bool elasticity = false; ///< else Laplace's form
  /// Files of a Matrix Market system; without a matrix, meshes are generated.
  std::string matrix, right_hand_side, solution;
  int n_samples             = 3;
  std::uint64_t seed        = 1;
  double relative_tolerance = 1e-8;
  int max_iterations        = 10000;
  double error_limit        = 300; ///< in rounding errors
  double largest_condition  = 1e9;

  bool
  of_file() const
  {
    return !matrix.empty();
  }
};

void
declare_parameters(tessera::Parameters &parameters);

/// Backend `auto` becomes what it stands for on `device`. Throws
/// ParameterError.
Study
read_study(const tessera::Parameters &parameters, int device);

/// All variants of the study, those that are the same once, in the order of
/// the parameter file.
std::vector<Variant>
variants(const Study &study);

using tessera::benchmarks::group_by;
