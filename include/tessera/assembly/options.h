#pragma once

#include <tessera/matrix/sell_shape.h>
#include <tessera/space/cell_data.h>

#include <optional>
#include <vector>

namespace tessera
{
  /// The ways to compute the entries of a cell matrix; see `strategies.def`.
  enum class Strategy
  {
#define TESSERA_STRATEGY(name, sentence, paper) name,
#include <tessera/assembly/strategies.def>
#undef TESSERA_STRATEGY
  };

  std::string
  to_string(Strategy strategy);

  /// Returns the strategy with this name. Throws ParameterError naming the
  /// legal values.
  Strategy
  strategy_from_string(const std::string &name);

  /// Who writes the entries of a matrix of rows or of a load vector; see
  /// `routes.def`. An operator whose rows are appended to has the route
  /// `append` and no other; other operators of rows are scattered or gathered.
  /// What adds cell by cell, such as a matrix-free product, scatters.
  enum class Route
  {
#define TESSERA_ROUTE(name, sentence, paper) name,
#include <tessera/assembly/routes.def>
#undef TESSERA_ROUTE
  };

  std::string
  to_string(Route route);

  /// Returns the route with this name. Throws ParameterError naming the legal
  /// values.
  Route
  route_from_string(const std::string &name);

  /// Throws ParameterError, with a sentence that names the legal ones, if the
  /// entries of `what` cannot be written by that route.
  void
  check_route(Route route, const std::string &what,
              const std::vector<Route> &legal);

  struct AssemblyTiming
  {
    double pattern = 0; ///< seconds: sparsity pattern, slots and upload
    double values  = 0; ///< seconds: computing and writing the entries
  };

  /// Says how an operator that stores rows keeps its matrix and multiplies by
  /// it. Every option belongs to certain operators only; `check_options` throws
  /// if it is set for another one.
  struct StorageOptions
  {
    /// Selects how `csr` multiplies on the device; see `ThreadsPerRow`.
    std::optional<int> threads_per_row = {};
    /// The number of entries per row that `hybrid` stores in ELLPACK. Without a
    /// value, it is the largest width that a third of the rows fill.
    std::optional<int> hybrid_width = {};
    /// Selects how `csr_mgpu` multiplies on the device; see `ValuesPerThread`.
    std::optional<int> values_per_thread = {};
    /// The slices of the operators `sell`, `sell_packed` and `sell_short`.
    SellShape sell = {};
    /// The threads per block when `sell` multiplies on the device; see
    /// SellLaunch. Without a value, the tuned block size is used.
    std::optional<int> block = {};
    /// True if `sell` reads x through the read-only data path of the device;
    /// see SellLaunch.
    bool read_only = true;
    /// The type in which `sell_packed` and `sell_short` store values.
    SliceValues slice_values = SliceValues::number;

    bool
    operator==(const StorageOptions &other) const
    {
      return threads_per_row == other.threads_per_row &&
             hybrid_width == other.hybrid_width &&
             values_per_thread == other.values_per_thread &&
             sell == other.sell && block == other.block &&
             read_only == other.read_only && slice_values == other.slice_values;
    }
  };

  struct FormatChoice;

  struct AssemblyOptions : StorageOptions
  {
    Strategy strategy = Strategy::local_reuse;
    /// Conflict handling of assembly, also of what is added beside rows that
    /// are gathered, and of cell operators. Without a value, the default of the
    /// backend is used.
    std::optional<Conflict> conflict = {};
    /// The route of assembly into rows. Without a value, it is the
    /// `default_route` of the operator, the cell type and the backend, which
    /// scatters if conflict handling was asked for.
    std::optional<Route> route = {};
    AssemblyTiming *timing     = nullptr;
    /// If not null, the operator `auto` stores here the candidates of its
    /// choice and their times (format_choice.h).
    FormatChoice *choice = nullptr;
  };
} // namespace tessera
