#pragma once

#include <tessera/matrix/csr.h>
#include <tessera/operators/row_operator.h>

#include <optional>

namespace tessera
{
  /// How rows are multiplied on the device: by T = 1, 2, 4, 8, 16 or 32 threads
  /// each, staged on chip by a block, or streamed by a warp; empty: as suits
  /// their lengths and columns.
  using ThreadsPerRow = std::optional<int>;

  /// What stands for rows that are staged, and streamed.
  constexpr int staged_rows = 0, streamed_rows = -1;

  /// auto, staged, streamed and the numbers of threads.
  std::vector<std::string>
  threads_per_row_names();

  std::string
  to_string(const ThreadsPerRow &threads);

  /// Throws ParameterError naming the legal values.
  ThreadsPerRow
  threads_per_row_from_string(const std::string &name);

  /// y = A x with compressed sparse rows (RegulyGiles2015, sections 6 and 8).
  /// On the device a block brings the entries of its rows on chip and sums them
  /// there with neighbouring threads on neighbouring rows; or a warp forms
  /// products entry by entry and sums them on chip; or T threads stride through
  /// a row in device memory.
  template <class Number>
  class Csr : public RowOperator<Number>
  {
  public:
    /// Takes over an assembled matrix; `n_tail` is that of its vectors. Throws
    /// ParameterError for a number of threads that is not legal, or on the
    /// host, where a row has one thread.
    Csr(CsrMatrix<Number> matrix, int n_tail,
        const ThreadsPerRow &threads = {});

    std::string
    name() const override
    {
      return "csr";
    }

    const CsrMatrix<Number> &
    matrix() const override
    {
      return csr;
    }

    CsrMatrix<Number> &
    matrix() override
    {
      return csr;
    }

    /// Threads of a row on the device, as given or chosen: T, `staged_rows` or
    /// `streamed_rows`; 1 on the host.
    int
    threads_per_row() const
    {
      return plan.threads_per_row;
    }

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;

  private:
    struct Plan
    {
      int threads_per_row;
      int rows_per_block; ///< of the device's kernels
      int n_blocks;
    };

    /// Throws ParameterError.
    static Plan
    make_plan(const CsrMatrix<Number> &matrix, const ThreadsPerRow &threads);

    Csr(CsrMatrix<Number> &&matrix, int n_tail, const Plan &plan);

    CsrMatrix<Number> csr;
    Plan plan;
  };
} // namespace tessera
