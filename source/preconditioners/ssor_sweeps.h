#pragma once

#include <tessera/matrix/sparsity_pattern.h>
#include <tessera/operators/local_matrices.h>

#include "color_order.h"
#include "ssor_kernels.h"

namespace tessera
{
  /// What `Ssor` does with the entries of one kind of operator, in the order of
  /// the colours.
  template <class Number>
  class SsorSweeps
  {
  public:
    virtual ~SsorSweeps() = default;

    /// z = M^-1 r
    void
    apply(Number *z, const Number *r, Stream stream) const;

    Traffic
    traffic() const;

    const ColorOrder &
    order() const
    {
      return color_order;
    }

  protected:
    SsorSweeps(ColorOrder order, Backend backend);

    Backend
    backend() const
    {
      return place.backend();
    }

    /// y_i -= w / D_i sum over j of A_ij y_j for the rows of a colour and the
    /// columns of lower colours, or, not `lower`, of higher ones.
    virtual void
    sweep(Number *y, int color, bool lower, Stream stream) const = 0;

    /// Bytes that the sweeps over all colours read besides y, and those that
    /// are stored.
    virtual Traffic
    entries() const = 0;

    const ColorOrder color_order;
    Array<int> place;    ///< [n_rows]
    Array<Number> scale; ///< [n_rows] (2 - w) w / D_i

  private:
    mutable Array<Number> y; ///< [n_places]; zero where no row is
  };

  /// Of assembled rows in any format: the entries, times w / D_i, are copied
  /// into the order of the sweeps. `pattern` is that of `rows`.
  template <class Number>
  std::unique_ptr<SsorSweeps<Number>>
  make_ssor_sweeps(const SparsityPattern &pattern,
                   const StoredRows<Number> &rows, Backend backend,
                   double relaxation, Stream stream);

  /// Of cell matrices: rows are added up from the entries of `A` wherever they
  /// are needed, so that `A` must live longer.
  template <class Number>
  std::unique_ptr<SsorSweeps<Number>>
  make_ssor_sweeps(const LocalMatrices<Number> &A, double relaxation,
                   Stream stream);
} // namespace tessera
