#pragma once

#include <tessera/assembly/boundary_terms.h>
#include <tessera/operators/operator.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/tail.h>

namespace tessera
{
  /// An operator that works cell by cell,
  /// y = sum over cells of P_e^T K_e P_e x, and then the same over faces of
  /// the boundary: reads any local index, adds to any local index. What the
  /// tail stands for is the `Tail`'s business.
  template <class Number>
  class CellOperator : public Operator<Number>
  {
  public:
    /// Without a `tail` boundary values are homogeneous; without `boundary`
    /// faces add nothing. Throws ParameterError for `Conflict::none` on the
    /// device, where threads share entries.
    CellOperator(std::shared_ptr<const CellData<Number>> cells,
                 Conflict conflict, std::shared_ptr<const Tail<Number>> tail,
                 std::shared_ptr<const BoundaryMatrices<Number>> boundary);

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

    const CellData<Number> &
    cell_data() const
    {
      return *cells;
    }

    /// Those of the faces that add to A, or null.
    const BoundaryMatrices<Number> *
    boundary_matrices() const
    {
      return boundary.get();
    }

    /// y += the part of A x that cells and faces of `range` give, tails
    /// included and untouched otherwise: for work while the tail travels.
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

    /// Whether kernels may store what cells alone have, instead of adding to
    /// it: without, `apply.add` is always set.
    virtual bool
    stores_inner_nodes() const
    {
      return true;
    }

    /// Finishes a diagonal: adds that of the faces, exports the tail.
    void
    finish_diagonal(Vector<Number> &d, Stream stream) const;

    /// What the cells move and store, and faces with them.
    Traffic
    with_boundary(Traffic of_cells) const;

    std::shared_ptr<const CellData<Number>> cells;
    Conflict conflict;
    std::shared_ptr<const Tail<Number>> tail;
    std::shared_ptr<const BoundaryMatrices<Number>> boundary; ///< or null

  private:
    void
    apply(Vector<Number> &y, const Vector<Number> &x, bool add,
          const GridSum<Number> &sum, CellRange range, Stream stream) const;

    /// By CellRange.
    std::vector<BlockList> launches[3], face_launches[3];
    int n_blocks;
    mutable Array<Number> partial;
    mutable Array<unsigned int> counter;
  };
} // namespace tessera
