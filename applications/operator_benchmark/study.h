#pragma once

#include <combinations.h>

#include <tessera/operators/descriptor.h>
#include <tessera/program/parameters.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

/// A study varies these factors, in the order of its loops: factors before
/// `numbering` make another mesh, backend or number of threads. The sets of
/// options of operators that are varied stand behind these, see `varied_sets`.
enum class Factor
{
  cell_type,
  degree,
  dofs,
  backend,
  threads,
  numbering,
  cell_order,
  block_side,
  number,
  carveout,
  op,
  strategy,
  route,
  conflict,
  preconditioner
};

constexpr int n_fixed_factors = static_cast<int>(Factor::preconditioner) + 1;

/// The sets of options of operators that can be varied.
const std::vector<const tessera::OptionSet *> &
varied_sets();

/// The factor of the i-th of these sets.
constexpr Factor
option_factor(const std::size_t i)
{
  return static_cast<Factor>(n_fixed_factors + static_cast<int>(i));
}

/// One measurement: a value of each factor, and a kind.
struct Variant : tessera::benchmarks::ValuesOf<Factor>
{
  std::string kind; ///< application, assembly, preconditioner or cg

  bool
  operator<(const Variant &other) const
  {
    return std::tie(kind, values) < std::tie(other.kind, other.values);
  }
};

/// The entries of a parameter file.
struct Study
{
  /// Values of each factor, the baseline first; `all` is spelt out.
  tessera::benchmarks::Lists values;
  std::vector<std::string> kinds;
  tessera::benchmarks::Lists combinations; ///< of the values
  std::vector<std::string> peers;
  bool pin_threads        = true;
  int n_samples           = 20;
  std::uint64_t seed      = 1;
  double error_limit      = 0;
  double peer_error_limit = 0;
};

void
declare_parameters(tessera::Parameters &parameters);

/// Backend `auto` becomes what it stands for on `device`, and the number of
/// threads 0 is `n_threads`. Throws ParameterError.
Study
read_study(const tessera::Parameters &parameters, int device, int n_threads);

/// All variants of the study, those that are the same once, in the order of
/// the parameter file.
std::vector<Variant>
variants(const Study &study);

/// Puts what they stand for in the place of the route and the conflict handling
/// `default`, and empties what the measurement does not depend on.
Variant
canonical(Variant variant);

using tessera::benchmarks::group_by;

/// The values of a factor that the variants have, in their order, empty ones
/// left out.
std::vector<std::string>
values_of(const std::vector<Variant> &variants, Factor factor);
