#pragma once

#include <tessera/matrix/ell.h>
#include <tessera/operators/row_operator.h>

namespace tessera
{
  /// y = A x with ELLPACK (RegulyGiles2015, section 7): on the device a thread
  /// a row, neighbouring threads reading neighbouring words. Lengths of rows
  /// are stored beside, so that padding is not read where the rows of a warp
  /// are of one length.
  template <class Number>
  class Ell : public RowOperator<Number>
  {
  public:
    /// Takes over an assembled matrix; `n_tail` is that of its vectors, `name`
    /// tells how it was assembled.
    Ell(EllMatrix<Number> matrix, int n_tail, const std::string &name = "ell");

    std::string
    name() const override
    {
      return own_name;
    }

    const EllMatrix<Number> &
    matrix() const override
    {
      return ell;
    }

    EllMatrix<Number> &
    matrix() override
    {
      return ell;
    }

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;

  private:
    EllMatrix<Number> ell;
    std::string own_name;
  };
} // namespace tessera
