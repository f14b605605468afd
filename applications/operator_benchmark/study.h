#pragma once

#include <tessera/dealii/parameters.h>

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

/// What a study varies, in the order of its loops: factors before `numbering`
/// make another mesh, backend or number of threads.
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
  preconditioner,
  threads_per_row,
  hybrid_width,
  slices,
  values_per_thread,
  block_size
};

constexpr int n_factors = static_cast<int>(Factor::block_size) + 1;

/// One measurement: a kind, and a value of each factor; empty where the
/// measurement does not depend on it.
struct Variant
{
  std::string kind; ///< application, assembly, preconditioner or cg
  std::array<std::string, n_factors> values;

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
  std::array<std::vector<std::string>, n_factors> values;
  std::vector<std::string> kinds;
  bool full = false;           ///< else one factor at a time
  std::vector<Factor> crossed; ///< varied together with every other one
  std::vector<std::string> peers;
  bool pin_threads        = true;
  int n_samples           = 20;
  std::uint64_t seed      = 1;
  double error_limit      = 0;
  double peer_error_limit = 0;
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

/// Puts what they stand for in the place of the route and the conflict handling
/// `default` and of threads 0, and empties what the measurement does not depend
/// on.
Variant
canonical(Variant variant);

/// The variants with the same values of the factors, in the order in which
/// these values come first.
std::vector<std::vector<Variant>>
group_by(const std::vector<Variant> &variants,
         const std::vector<Factor> &factors);

/// The values of a factor that the variants have, in their order, empty ones
/// left out.
std::vector<std::string>
values_of(const std::vector<Variant> &variants, Factor factor);
