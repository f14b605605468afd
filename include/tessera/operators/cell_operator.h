#pragma once

#include <tessera/base/grid_sum.h>
#include <tessera/operators/operator.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/tail.h>

namespace tessera
{
  template <class Number>
  struct CellApply;

  /// An operator that works cell by cell,
  /// y = sum over cells of P_e^T K_e P_e x: reads any local index, adds to any
  /// local index. What the tail stands for is the `Tail`'s business.
  template <class Number>
  class CellOperator : public Operator<Number>
  {
  public:
    /// Without a `tail` boundary values are homogeneous. Throws
    /// ParameterError for `Conflict::none` on the device, where threads share
    /// entries.
    CellOperator(std::shared_ptr<const CellData<Number>> cells,
                 Conflict conflict, std::shared_ptr<const Tail<Number>> tail);

    Backend
    backend() const override
    {
      return cells->backend();
    }

    int
    n_owned() const override
    {
      return cells->space().n_owned;
    }

    int
    n_tail() const override
    {
      return cells->space().n_tail();
    }

    void
    vmult(Vector<Number> &y, const Vector<Number> &x,
          const Epilogue<Number> &epilogue = {},
          Stream stream                    = {}) const override;

    /// y += the part of A x that the cells of `range` give, tails included and
    /// untouched otherwise: for work while the tail travels.
    void
    apply_add(Vector<Number> &y, const Vector<Number> &x, CellRange range,
              Stream stream = {}) const;

    bool
    repeatable() const override
    {
      return conflict != Conflict::atomics;
    }

  protected:
    /// Issues the kernel for one block list.
    virtual void
    launch_apply(const CellApply<Number> &apply, Stream stream) const = 0;

    std::shared_ptr<const CellData<Number>> cells;
    Conflict conflict;
    std::shared_ptr<const Tail<Number>> tail;

  private:
    void
    apply(Vector<Number> &y, const Vector<Number> &x, bool add,
          const GridSum<Number> &sum, CellRange range, Stream stream) const;

    /// By CellRange.
    std::vector<BlockList> launches[3];
    mutable Array<Number> partial;
    mutable Array<unsigned int> counter;
  };
} // namespace tessera
