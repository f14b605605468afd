#pragma once

#include "oracle.h"
#include "report.h"

#include <tessera/assembly/options.h>
#include <tessera/space/space.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::benchmarks
{
  /// What is measured on one space. Names are those of the *.def lists.
  struct Sweep
  {
    Backend backend     = Backend::host;
    int device          = 0;
    bool application    = true; ///< y = A x
    bool assembly       = true; ///< values of what is stored, pattern apart
    bool cg             = true; ///< an iteration of conjugate gradients
    bool preconditioner = true; ///< z = M^-1 r
    bool load_vector    = false;
    std::vector<std::string> operators, strategies, conflicts, preconditioners;
    /// Of rows with a known pattern and of load vectors: scatter, gather.
    std::vector<std::string> routes = {to_string(Route::scatter)};
    /// Of `csr` on the device, see ThreadsPerRow.
    std::vector<std::string> threads_per_row;
    /// Of `hybrid`; empty: chosen.
    std::vector<std::optional<int>> hybrid_widths;
    /// Of `sell`, `sell_packed` and `sell_short`.
    std::vector<SellShape> slices = {SellShape()};
    /// Of `csr_mgpu` on the device, see ValuesPerThread.
    std::vector<std::string> values_per_thread;
    /// Threads of a block that assembles on the device, see SizedBlocks; empty:
    /// as kernels are made.
    std::vector<std::optional<int>> block_sizes = {std::nullopt};
    int n_samples                               = 20;
    /// Says which rows are measured; none: all. Options are those that
    /// assembled rows are made and multiplied with.
    std::function<bool(const study::Row &, const AssemblyOptions &)> wanted;
  };

  /// Adds a row for every kind and combination that differs; on the device
  /// also for products and iterations with the algorithms of cuSPARSE, on the
  /// matrix of `csr`. `common` holds what the rows share. Sets that do not fit
  /// into memory become one row that is not completed; where rows are chosen by
  /// `wanted`, the DeviceError is left to the caller, who knows them.
  template <class Number>
  void
  run_sweep(const Sweep &sweep, Report &report, const Oracle &oracle,
            const std::shared_ptr<const Space> &space, study::Row common);
} // namespace tessera::benchmarks
