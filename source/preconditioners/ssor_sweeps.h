#pragma once

#include <tessera/operators/local_matrices.h>
#include <tessera/operators/row_operator.h>

#include "color_order.h"

namespace tessera
{
  /// Base class of the sweeps of `Ssor` in the order of the colours, for one
  /// kind of operator.
  template <class Number>
  class SsorSweeps
  {
  public:
    virtual ~SsorSweeps() = default;

    /// Computes z = M^-1 r.
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

    /// Computes y_i -= w / D_i sum over j of A_ij y_j for the rows of a colour.
    /// The sum is over the columns of lower colours if `lower`, otherwise of
    /// higher ones.
    virtual void
    sweep(Number *y, int color, bool lower, Stream stream) const = 0;

    /// Returns the bytes that the sweeps over all colours read besides y, and
    /// the bytes that are stored.
    virtual Traffic
    entries() const = 0;

    const ColorOrder color_order;
    Array<int> place;    ///< [n_rows]
    Array<Number> scale; ///< [n_rows]: (2 - w) w / D_i

  private:
    mutable Array<Number> y; ///< [n_places]; zero at unused places
  };

  /// Makes the sweeps for assembled rows. The entries, times w / D_i, are
  /// copied in the order of the sweeps.
  template <class Number>
  std::unique_ptr<SsorSweeps<Number>>
  make_ssor_sweeps(const RowMatrix<Number> &matrix, double relaxation,
                   Stream stream);

  /// Makes the sweeps for cell matrices. Rows are added up from the entries of
  /// `A` whenever they are needed, so `A` must outlive the result.
  template <class Number>
  std::unique_ptr<SsorSweeps<Number>>
  make_ssor_sweeps(const LocalMatrices<Number> &A, double relaxation,
                   Stream stream);
} // namespace tessera
