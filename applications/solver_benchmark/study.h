#pragma once

#include <combinations.h>

#include <tessera/operators/options.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tessera
{
  class Parameters;
}

/// What a study varies, in the order of its loops: factors before `backend`
/// make another system. The sets of options of preconditioners that are varied
/// stand behind these, see `varied_sets`.
enum class Factor
{
  cell_type,
  degree,
  dofs,
  backend,
  number,
  op,
  preconditioner,
  method
};

constexpr int n_fixed_factors = static_cast<int>(Factor::method) + 1;

/// The sets of options of preconditioners that a study varies.
const std::vector<const tessera::OptionSet *> &
varied_sets();

/// The other sets, which are the same for all solves.
std::vector<const tessera::OptionSet *>
common_sets();

/// The factor of the i-th of `varied_sets`.
constexpr Factor
option_factor(const std::size_t i)
{
  return static_cast<Factor>(n_fixed_factors + static_cast<int>(i));
}

/// One solve.
using Variant = tessera::benchmarks::ValuesOf<Factor>;

/// The entries of a parameter file.
struct Study
{
  /// Values of each factor, the baseline first; `all` is spelt out.
  tessera::benchmarks::Lists values;
  tessera::benchmarks::Lists combinations; ///< of the values
  std::vector<std::string> peers;
  bool elasticity = false; ///< else Laplace's form
  /// Files of a Matrix Market system; without a matrix, meshes are generated.
  std::string matrix, right_hand_side, solution;
  int n_samples      = 3;
  std::uint64_t seed = 1;
  tessera::OptionValues options; ///< of preconditioners, of `common_sets`
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

/// The options of the preconditioner of a variant.
tessera::OptionValues
options_of(const Study &study, const Variant &variant);

using tessera::benchmarks::group_by;
