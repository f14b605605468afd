#pragma once

#include <tessera/preconditioners/geometric_levels.h>

#include "lattice_transfer.h"
#include "level_source.h"

namespace tessera
{
  /// Spaces on cells of the mesh, and behind them levels of aggregates.
  template <class Number>
  struct LevelsOfMesh
  {
    /// There are no spaces if `spaces` is null.
    LevelsOfMesh(const GeometricLevels *const spaces,
                 const LevelsOfBackend<Number> &below)
      : levels(spaces),
        n_of_mesh(
          spaces == nullptr ? 0 : static_cast<int>(spaces->levels().size())),
        parts(n_of_mesh), below(below)
    {
      for (int l = 0; l < n_of_mesh; ++l)
        {
          auto others    = std::make_shared<OtherParts>(levels->others());
          others->shared = levels->levels()[l].shared;
          parts[l]       = {std::move(others), space(l), levels->backend()};
        }
    }

    /// Only several parts ask.
    int
    n_divided() const
    {
      return n_of_mesh + below.n_divided();
    }

    int
    n_ghosts(const int coarser) const
    {
      return coarser < n_of_mesh
               ? space(coarser).n_ghosts * space(coarser).n_components
               : below.n_ghosts(coarser - n_of_mesh);
    }

    std::shared_ptr<const Tail<Number>>
    ghosts(const int coarser) const
    {
      if (coarser >= n_of_mesh)
        return below.ghosts(coarser - n_of_mesh);
      return parts[coarser].are_several() ? parts[coarser].ghosts() : nullptr;
    }

    int
    n_coarser() const
    {
      return n_of_mesh + below.n_coarser();
    }

    int
    n_rows(const int coarser) const
    {
      return coarser < n_of_mesh
               ? space(coarser).n_owned * space(coarser).n_components
               : below.n_rows(coarser - n_of_mesh);
    }

    /// True if a level has half as many functions in each direction as the
    /// finer one, and cells that are not stretched.
    bool
    is_isotropic(const int coarser) const
    {
      return coarser < n_of_mesh && levels->levels()[coarser].is_isotropic;
    }

    /// Entries behind the owned ones that the transfer to the last level reads:
    /// cells of the last space have given nodes.
    int
    n_tail_of_last() const
    {
      if (below.n_coarser() > 0)
        return 0;
      const Space &last = space(n_of_mesh - 1);
      return last.n_tail() * last.n_components;
    }

    /// Nothing is stored where there are cells.
    LevelOperator<Number>
    make_operator(const int coarser, const std::string &name) const
    {
      if (coarser >= n_of_mesh)
        return below.make_operator(coarser - n_of_mesh, name);
      const GeometricLevel &level = levels->levels()[coarser];
      AssemblyOptions options;
      options.conflict = levels->conflict();
      return tessera::make_operator<Number>(
        "matrix_free", cells_of(level), level.form, options, parts[coarser]);
    }

    Transfer<Number>
    transfer(const int coarser, const std::string &name) const
    {
      if (coarser >= n_of_mesh)
        return below.transfer(coarser - n_of_mesh, name);
      return std::make_unique<LatticeTransfer<Number>>(
        coarser == 0 ? *levels->finest() : space(coarser - 1), space(coarser),
        levels->levels()[coarser].map);
    }

    SparseMatrix
    coarsest() const
    {
      return below.n_coarser() > 0 ? below.coarsest() : levels->coarsest();
    }

  private:
    const Space &
    space(const int coarser) const
    {
      return *levels->levels()[coarser].space;
    }

    std::shared_ptr<const CellData<Number>>
    cells_of(const GeometricLevel &level) const
    {
      if (!level.cells)
        return std::make_shared<const CellData<Number>>(level.space,
                                                        levels->backend());
      if constexpr (std::is_same_v<Number, double>)
        return level.cells;
      else
        return std::make_shared<const CellData<Number>>(*level.cells);
    }

    const GeometricLevels *const levels;
    const int n_of_mesh;
    std::vector<Parts<Number>> parts; ///< of each space
    const LevelsOfBackend<Number> &below;
  };
} // namespace tessera
