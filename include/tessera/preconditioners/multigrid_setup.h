#pragma once

#include <tessera/base/registry.h>
#include <tessera/matrix/vertex_prolongation.h>
#include <tessera/preconditioners/algebraic_levels.h>
#include <tessera/preconditioners/descriptor.h>

// Registers the preconditioner `multigrid` where this is defined. It makes its
// levels from a matrix and, if it is known, from the space of the rows.
namespace tessera
{
  /// The ways to make coarser levels.
  enum class Coarsening
  {
    degree_first, ///< degree 1 on the same mesh, whose matrix is aggregated
    aggregation,  ///< by aggregates of the nodes themselves
    geometric     ///< by spaces on the mesh (geometric_levels.h)
  };

  /// The nodes with which aggregation begins.
  struct AggregatedNodes
  {
    /// The space of degree 1 on the same mesh, whose nodes are aggregated. It
    /// has no nodes if all nodes of the space itself are aggregated.
    VertexSpace vertices;
    /// The rigid-body modes of these nodes. Empty if their near-null space
    /// consists of the constants.
    NearNullSpace modes;
  };

  /// Returns the nodes for the matrix of the owned entries of a space, in the
  /// memory of a backend. Nodes with as many components as the space has
  /// dimensions count as nodes of an elastic body.
  AggregatedNodes
  aggregated_nodes(const RowsView &A, Backend backend, const Space &space,
                   Coarsening coarsening);

  /// Makes levels on a backend, by aggregates of `aggregates.h`. Throws what
  /// the constructor of AlgebraicLevels throws.
  AlgebraicLevels
  make_algebraic_levels(const RowsView &A, const Space &space, Backend backend,
                        Coarsening coarsening = Coarsening::degree_first,
                        AlgebraicLevelsOptions options = {});

  /// Does this for a matrix of the host, which is copied to the backend.
  AlgebraicLevels
  make_algebraic_levels(const SparseMatrix &A, const Space &space,
                        Backend backend,
                        Coarsening coarsening = Coarsening::degree_first,
                        AlgebraicLevelsOptions options = {});

  /// Makes the levels of one of several parts. `local` is the matrix of its
  /// owned entries, with rows and columns of ghosts behind them. All parts call
  /// it together, and it throws in all of them what the constructor of
  /// AlgebraicLevels throws.
  AlgebraicLevels
  make_divided_levels(SparseMatrix local, const Space &space,
                      const OtherParts &others, Backend backend,
                      Coarsening coarsening          = Coarsening::degree_first,
                      AlgebraicLevelsOptions options = {});

  /// Another maker of levels, in one process, such as an external library. Its
  /// name becomes a value of the option `Aggregates`.
  struct LevelMaker
  {
    std::string name;
    std::string sentence; ///< a description of the maker
    std::function<MultigridLevels(const PreconditionerProblem &, Coarsening)>
      make;
  };

  extern template class Registry<LevelMaker>;
} // namespace tessera
