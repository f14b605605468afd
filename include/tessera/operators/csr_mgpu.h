#pragma once

#include <tessera/operators/csr_tiles.h>

#include <optional>

namespace tessera
{
  /// Entries that a thread sums on the device: 4, 6, 8, 10, 12 or 16; empty: as
  /// suits the mean length of rows.
  using ValuesPerThread = std::optional<int>;

  /// auto and the numbers.
  std::vector<std::string>
  values_per_thread_names();

  /// Throws ParameterError naming the legal values.
  ValuesPerThread
  values_per_thread_from_string(const std::string &name);

  /// y = A x with compressed sparse rows by segmented scans, after Baxter's
  /// ModernGPU as WongKuhlDarve2015, section 4, describes it: a thread scans a
  /// fixed number of entries one after the other, and pieces of rows are summed
  /// up by a scan of the block. Parts of those that go beyond it are repeated
  /// or handed over, see TileOperator, where ModernGPU has a second kernel.
  /// Entries stay where compressed rows have them and are transposed on chip;
  /// ModernGPU, as the paper measured it, stored them in that order and packed
  /// flags of row ends into the columns.
  template <class Number>
  class CsrMgpu : public CsrTiles<Number>
  {
  public:
    /// Takes over an assembled matrix; `n_tail` is that of its vectors. Throws
    /// ParameterError for a number that is not legal, or on the host, where a
    /// thread has many entries.
    CsrMgpu(CsrMatrix<Number> matrix, int n_tail,
            const ValuesPerThread &values = {});

    std::string
    name() const override
    {
      return "csr_mgpu";
    }

    /// On the device, as given or chosen; 0 on the host.
    int
    values_per_thread() const
    {
      return this->values();
    }

  private:
    struct Plan
    {
      int values_per_thread;
    };

    /// Throws ParameterError.
    static Plan
    make_plan(const CsrMatrix<Number> &matrix, const ValuesPerThread &values);

    CsrMgpu(CsrMatrix<Number> &&matrix, int n_tail, const Plan &plan);
  };
} // namespace tessera
