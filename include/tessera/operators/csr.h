#pragma once

#include <tessera/assembly/slot_map.h>
#include <tessera/base/grid_sum.h>
#include <tessera/matrix/csr.h>
#include <tessera/operators/operator.h>

namespace tessera
{
  /// y = A x with compressed sparse rows, T threads a row on the device
  /// (RegulyGiles2015, section 8). Repeatable.
  template <class Number>
  class Csr : public Operator<Number>
  {
  public:
    /// Takes over an assembled matrix; `n_tail` is that of its vectors.
    /// `threads_per_row` (1, 2, 4, 8, 16 or 32) defaults to what
    /// `choose_threads_per_row` says.
    Csr(CsrMatrix<Number> matrix, int n_tail, int threads_per_row = 0);

    Backend
    backend() const override
    {
      return csr.backend();
    }

    int
    n_owned() const override
    {
      return csr.n_rows();
    }

    int
    n_tail() const override
    {
      return tail;
    }

    void
    vmult(Vector<Number> &y, const Vector<Number> &x,
          const Epilogue<Number> &epilogue, Stream stream) const override;
    using Operator<Number>::vmult;

    void
    diagonal(Vector<Number> &d, Stream stream = {}) const override;

    Traffic
    traffic() const override;

    bool
    repeatable() const override
    {
      return true;
    }

    std::string
    name() const override
    {
      return "csr";
    }

    int
    threads_per_row() const
    {
      return row_threads;
    }

    const CsrMatrix<Number> &
    matrix() const
    {
      return csr;
    }

    CsrMatrix<Number> &
    matrix()
    {
      return csr;
    }

  private:
    CsrMatrix<Number> csr;
    int tail;
    int row_threads;
    int n_blocks;
    mutable Array<Number> partial;
    mutable Array<unsigned int> counter;
  };

  /// Threads that share a row of `mean_length` entries.
  int
  choose_threads_per_row(double mean_length);
} // namespace tessera
