#pragma once

#include <tessera/assembly/slot_map.h>
#include <tessera/base/grid_sum.h>
#include <tessera/matrix/csr.h>
#include <tessera/operators/operator.h>

namespace tessera
{
  /// y = A x with compressed sparse rows (RegulyGiles2015, section 8). On the
  /// device a block brings the entries of its rows on chip and sums them there
  /// with neighbouring threads on neighbouring rows. Repeatable.
  template <class Number>
  class Csr : public Operator<Number>
  {
  public:
    /// Takes over an assembled matrix; `n_tail` is that of its vectors.
    Csr(CsrMatrix<Number> matrix, int n_tail);

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
          const Epilogue<Number> &epilogue = {},
          Stream stream                    = {}) const override;

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
    int rows_per_block;
    int n_blocks;
    mutable Array<Number> partial;
    mutable Array<unsigned int> counter;
  };
} // namespace tessera
