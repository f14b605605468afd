#pragma once

#include <tessera/matrix/csr.h>
#include <tessera/operators/options.h>
#include <tessera/operators/row_operator.h>

#include <optional>

namespace tessera
{
  /// How the device multiplies rows: a number T = 1, 2, 4, 8, 16 or 32 means
  /// that T threads share a row; `staged_rows` means that a block copies its
  /// rows to shared memory and sums them there; `streamed_rows` means that a
  /// warp forms the products of its rows entry by entry. If empty, the choice
  /// depends on the lengths of rows and on their columns.
  using ThreadsPerRow = std::optional<int>;

  /// Values of ThreadsPerRow for the kernels without a number of threads.
  constexpr int staged_rows = 0, streamed_rows = -1;

  std::string
  to_string(const ThreadsPerRow &threads);

  /// The option `Threads per row` of `csr`.
  const OptionSet &
  threads_per_row_options();

  ThreadsPerRow
  threads_per_row(const StorageOptions &options);

  /// y = A x with compressed sparse rows (RegulyGiles2015, sections 6 and 8).
  /// The device has three kernels, see ThreadsPerRow. Staged: a block copies
  /// the entries of its rows to shared memory and sums them with neighbouring
  /// threads on neighbouring rows. Streamed: a warp forms products entry by
  /// entry and sums them in shared memory. By threads: T threads stride through
  /// a row in device memory, which suits rows too long for shared memory. Rows
  /// of blocks are not streamed.
  template <class Number>
  class Csr : public MatrixOperator<Number, CsrMatrix>
  {
  public:
    /// Takes ownership of an assembled matrix. The vectors of the operator have
    /// `n_tail` tail entries. Throws ParameterError for an illegal number of
    /// threads, and for any number on the host, where one thread multiplies a
    /// row.
    Csr(CsrMatrix<Number> matrix, int n_tail,
        const ThreadsPerRow &threads = {});

    /// Returns how rows are multiplied, as given or chosen: T, `staged_rows` or
    /// `streamed_rows` on the device, 1 on the host.
    int
    threads_per_row() const
    {
      return plan.threads_per_row;
    }

    /// Returns `T`: a number of threads, staged or streamed.
    RecordValues
    product_parameters() const override;

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;

  private:
    struct Plan
    {
      int threads_per_row;
      int rows_per_block; ///< rows that a block of the device kernel takes
      int n_blocks;
    };

    /// Checks or chooses the number of threads. Throws ParameterError.
    static Plan
    make_plan(const CsrMatrix<Number> &matrix, const ThreadsPerRow &threads);

    Csr(CsrMatrix<Number> &&matrix, int n_tail, const Plan &plan);

    Plan plan;
  };
} // namespace tessera
