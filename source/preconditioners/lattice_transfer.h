#pragma once

#include <tessera/space/coarser_space.h>
#include <tessera/space/constraints.h>

#include "lattice_transfer.cuh"
#include "level_transfer.h"

namespace tessera
{
  /// The embedding of a coarser space, cell by cell, without a matrix: P has
  /// the values of the coarser functions at the nodes of the lattices. Given
  /// components of either space have no part in it. The prolongation to the
  /// owned nodes of a part reads coarser ghosts, and the restriction of these
  /// nodes has values at coarser ghosts, too. Results are repeatable.
  template <class Number>
  class LatticeTransfer : public LevelTransfer<Number>
  {
  public:
    LatticeTransfer(const Space &finer, const Space &coarser,
                    std::shared_ptr<const LatticeMap> map);

    void
    prolongate(Vector<Number> &x, const Vector<Number> &coarse,
               Stream stream) const override;

    void
    restrict_to(Vector<Number> &b, const Vector<Number> &r,
                Stream stream) const override;

    Traffic
    traffic() const override;

  private:
    LatticeCells<Number>
    view() const;

    std::shared_ptr<const LatticeMap> map;
    int n_components, n_finer, n_coarser; ///< n of entries, with coarser ghosts
    Array<Number> values;
    mutable Array<Number> of_cells; ///< what cells contribute to a restriction
    Array<unsigned char> is_fixed;  ///< of the finer space; empty if none is
    FixedComponents<Number> fixed;  ///< of the coarser space
  };
} // namespace tessera
