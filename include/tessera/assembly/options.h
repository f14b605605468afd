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

  struct FormatCandidate;

  struct AssemblyOptions
  {
    Strategy strategy = Strategy::local_reuse;
    /// Of assembly and of cell operators; empty: what serves the backend best.
    std::optional<Conflict> conflict = {};
    AssemblyTiming *timing           = nullptr;
    /// Of the product of `csr` on the device, see `ThreadsPerRow`.
    std::optional<int> threads_per_row = {};
    /// Of `hybrid`: entries of a row in ELLPACK; empty: what a third of the
    /// rows fill.
    std::optional<int> hybrid_width = {};
    /// Of the product of `csr_mgpu` on the device, see `ValuesPerThread`.
    std::optional<int> values_per_thread = {};
    /// Of `sell` and `sell_packed`.
    SellShape sell = {};
    /// Of the product of `sell` on the device, see SellLaunch; empty: as tuned.
    std::optional<int> block = {};
    /// Of `sell_packed`.
    SliceValues slice_values = SliceValues::number;
    /// Of `auto`: where its choice is left (format_choice.h).
    std::vector<FormatCandidate> *ranking = nullptr;
  };
} // namespace tessera
