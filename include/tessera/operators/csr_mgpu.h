#pragma once

#include <tessera/operators/csr_tiles.h>
#include <tessera/operators/options.h>

#include <optional>

namespace tessera
{
  /// The number of entries that a thread sums on the device: 4, 6, 8, 10, 12 or
  /// 16. If empty, it is chosen from the mean length of rows.
  using ValuesPerThread = std::optional<int>;

  /// The option `Values per thread` of `csr_mgpu`.
  const OptionSet &
  values_per_thread_options();

  /// y = A x with compressed sparse rows by segmented scans, after Baxter's
  /// ModernGPU as described in WongKuhlDarve2015, section 4. A thread scans a
  /// fixed number of entries one after the other, and a scan over the block
  /// combines the pieces of rows.
  ///
  /// There are two differences to ModernGPU. Parts of rows that cross the
  /// border of a block are recomputed or handed over (see TileOperator), where
  /// ModernGPU launches a second kernel. Entries stay in the order of
  /// compressed rows and are transposed in shared memory; ModernGPU, as the
  /// paper measured it, stored them transposed and packed flags of row ends
  /// into the columns.
  template <class Number>
  class CsrMgpu : public CsrTiles<Number>
  {
  public:
    /// Takes ownership of an assembled matrix. The vectors of the operator have
    /// `n_tail` tail entries. Throws ParameterError for an illegal number of
    /// values, and for any number on the host, where a tile is a loop of one
    /// thread.
    CsrMgpu(CsrMatrix<Number> matrix, int n_tail,
            const ValuesPerThread &values = {});

    /// Returns the number of entries that a thread sums on the device, as given
    /// or chosen; 0 on the host.
    int
    values_per_thread() const
    {
      return this->values();
    }

    RecordValues
    product_parameters() const override
    {
      if (this->backend() == Backend::host)
        return {};
      return {{"values_per_thread", std::int64_t(values_per_thread())}};
    }

  protected:
    void
    launch_device(const CsrTilesApply<Number, int> &apply,
                  Stream stream) const override;
    void
    launch_device(const CsrTilesApply<Number, std::int64_t> &apply,
                  Stream stream) const override;
  };
} // namespace tessera
