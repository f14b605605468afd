#pragma once

#include <tessera/matrix/sell_shape.h>
#include <tessera/space/cell_data.h>

#include <optional>
#include <vector>

namespace tessera
{
  /// How the entries of a cell matrix are computed; see `strategies.def`.
  enum class Strategy
  {
#define TESSERA_STRATEGY(name, sentence, paper) name,
#include <tessera/assembly/strategies.def>
#undef TESSERA_STRATEGY
  };

  std::string
  to_string(Strategy strategy);

  /// Throws ParameterError naming the legal values.
  Strategy
  strategy_from_string(const std::string &name);

  struct AssemblyTiming
  {
    double pattern = 0; ///< seconds: sparsity pattern, slots and their upload
    double values  = 0; ///< seconds: computing and writing the entries
  };

  /// How an operator of rows stores its matrix and multiplies by it; each
  /// option is one of some operators alone (check_options).
  struct StorageOptions
  {
    /// Of the product of `csr` on the device, see `ThreadsPerRow`.
    std::optional<int> threads_per_row = {};
    /// Of `hybrid`: entries of a row in ELLPACK; empty: what a third of the
    /// rows fill.
    std::optional<int> hybrid_width = {};
    /// Of the product of `csr_mgpu` on the device, see `ValuesPerThread`.
    std::optional<int> values_per_thread = {};
    /// Of operators with slices: `sell`, `sell_packed`, `sell_short`.
    SellShape sell = {};
    /// Of the product of `sell` on the device, see SellLaunch; empty: as tuned.
    std::optional<int> block = {};
    bool read_only           = true;
    /// Of `sell_packed` and `sell_short`.
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
    /// Of assembly and of cell operators; empty: what serves the backend best.
    std::optional<Conflict> conflict = {};
    AssemblyTiming *timing           = nullptr;
    /// Of `auto`: where its choice is left (format_choice.h).
    FormatChoice *choice = nullptr;
  };
} // namespace tessera
