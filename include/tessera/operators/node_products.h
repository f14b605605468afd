#pragma once

#include <tessera/matrix/cells_of_rows.h>
#include <tessera/operators/local_matrices.h>

namespace tessera
{
  /// What a thread computes in a product that goes over nodes.
  enum class NodeProduct
  {
    node_by_node, ///< the rows of a node
    dof_by_dof,   ///< the row of a degree of freedom
    gathered      ///< the same from what cells have stored before
  };

  /// Multiplies by the matrices of cells in a loop over nodes instead of cells:
  ///   y_n = sum over the cells e of node n of (K_e P_e x)_n.
  /// Every entry of y is written once by one thread, so that no conflict
  /// handling is needed but for faces. By nodes (NbN) a thread has the
  /// components of a node, by degrees of freedom (DbD) one of them
  /// (KiranGautamSharma2020, sections 2.2 and 2.3); both read rows of whole
  /// cell matrices. Values have the layout of LocalMatrices, [entry][cell of a
  /// batch]: neighbouring nodes mostly have the same place in neighbouring
  /// cells, so that threads read neighbouring numbers. The paper's layout, cell
  /// after cell, gives each thread rows of its own.
  ///
  /// `gathered` stores upper halves alone and works in two passes: cells store
  /// K_e P_e x, then each row adds up what its cells have for it.
  template <class Number>
  class NodeProducts : public LocalMatrices<Number>
  {
  public:
    /// Throws what LocalMatrices throws, and MeshError if the nodes of all
    /// cells are more than 2^32.
    NodeProducts(NodeProduct product,
                 std::shared_ptr<const CellData<Number>> cells,
                 const FormData<Number> &form, Strategy strategy,
                 Conflict conflict,
                 std::shared_ptr<const Tail<Number>> tail                 = {},
                 std::shared_ptr<const BoundaryMatrices<Number>> boundary = {});

    void
    diagonal(Vector<Number> &d, Stream stream = {}) const override;

    Traffic
    traffic() const override;

    /// True unless faces add to rows by atomics.
    bool
    repeatable() const override;

    std::string
    name() const override;

  protected:
    /// Works on all rows for `all` and for `boundary`, and on none for
    /// `interior`, because a row has cells of both kinds.
    void
    launch_range(CellApply<Number> apply, CellRange range,
                 Stream stream) const override;

    bool
    stores_all_nodes() const override
    {
      return true;
    }

  private:
    /// Works on all rows, with cell matrices or what cells have stored.
    void
    apply_rows(const CellApply<Number> &apply, const Array<Number> &values,
               bool diagonal, Stream stream) const;

    NodeProduct product;
    CellsOfRows around;
    mutable Array<Number> of_cells;
  };
} // namespace tessera
