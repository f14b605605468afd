#pragma once

#include <tessera/assembly/boundary_terms.h>
#include <tessera/operators/operator.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/tail.h>

namespace tessera
{
  template <class Number>
  class HangingProbes;

  /// Base class of the operators that multiply cell by cell instead of with an
  /// assembled matrix:
  ///   y = sum over cells e of P_e^T K_e P_e x,
  /// where P_e picks the degrees of freedom of cell e and K_e is its matrix.
  /// Faces of the boundary that have a matrix are summed in the same way. Cells
  /// read and add to every local index, owned or in the tail; the `Tail` object
  /// defines what the tail means.
  template <class Number>
  class CellOperator : public Operator<Number>
  {
  public:
    /// `tail` moves ghosts; without it the cells are a whole mesh. Boundary
    /// values are homogeneous, and the cells provide the hanging nodes.
    /// Without `boundary`, no face contributes. Throws ParameterError if
    /// `conflict` is `none` on the device, where threads share entries, and if
    /// the faces have another number of components. Vectors are
    /// [node][component]. Kernels leave `n_blocks_of_cells` partial sums, or
    /// one for each block of cells.
    CellOperator(std::shared_ptr<const CellData<Number>> cells,
                 Conflict conflict, std::shared_ptr<const Tail<Number>> tail,
                 std::shared_ptr<const BoundaryMatrices<Number>> boundary,
                 int n_components = 1, int n_blocks_of_cells = 0);

    Backend
    backend() const override
    {
      return cells->backend();
    }

    int
    n_owned() const override
    {
      return cells->space().n_owned * n_components;
    }

    int
    n_tail() const override
    {
      return cells->space().n_tail() * n_components;
    }

    void
    vmult(Vector<Number> &y, const Vector<Number> &x,
          const Epilogue<Number> &epilogue = {},
          Stream stream                    = {}) const override;

    /// Computes the values that the operator stores again, for new fields or to
    /// time assembly. Does nothing if it stores none.
    virtual void
    assemble(const FormData<Number> & /*form*/,
             const std::string & /*strategy*/, Stream /*stream*/ = {})
    {}

    /// Assembles with the strategy that was used last.
    void
    update(const std::shared_ptr<const FormData<Number>> &form,
           const Stream stream = {}) override
    {
      assemble(*form, strategy, stream);
      this->set_form(form->form().name, form->form().symmetric);
    }

    const CellData<Number> &
    cell_data() const
    {
      return *cells;
    }

    /// True for a part of a mesh, and for a mesh with hanging nodes.
    bool
    exchanges_tail() const
    {
      return !tail->ignores_tails();
    }

    /// The matrices of the boundary faces that contribute to A, or null if
    /// there are none.
    const BoundaryMatrices<Number> *
    boundary_matrices() const
    {
      return boundary.get();
    }

    /// Adds to y the part of A x that the cells and faces of `range`
    /// contribute. The tails of x and y and their fixed entries are read and
    /// added to like other entries, but neither imported nor exported. Use it
    /// to work on interior cells while the tail is communicated.
    void
    apply_add(Vector<Number> &y, const Vector<Number> &x, CellRange range,
              Stream stream = {}) const;

    bool
    repeatable() const override
    {
      return conflict != Conflict::atomics;
    }

  protected:
    /// Launches the kernel for the blocks of one list.
    virtual void
    launch_apply(const CellApply<Number> &apply, Stream stream) const = 0;

    /// Launches the kernel for all cells of `range`; `apply.blocks` is not set
    /// yet.
    virtual void
    launch_range(CellApply<Number> apply, CellRange range, Stream stream) const;

    /// True if the kernels store every entry of y except the padding entry.
    virtual bool
    stores_all_nodes() const
    {
      return false;
    }

    /// True if the kernels store entries that belong to one cell alone instead
    /// of adding to them, as they can for one component. If false, y is zeroed
    /// before the product and `apply.add` is always set.
    virtual bool
    stores_inner_nodes() const
    {
      return n_components == 1;
    }

    /// Adds the diagonals of face matrices and the contributions of hanging
    /// nodes to their parents, then exports the tail. The first call on a mesh
    /// with hanging nodes allocates memory.
    void
    finish_diagonal(Vector<Number> &d, Stream stream) const;

    /// Returns the traffic `of_cells` plus the traffic of the face matrices and
    /// of the list of shared entries.
    Traffic
    with_boundary(Traffic of_cells) const;

    std::shared_ptr<const CellData<Number>> cells;
    Conflict conflict;
    std::shared_ptr<const Tail<Number>> tail;
    /// Null if no face contributes.
    std::shared_ptr<const BoundaryMatrices<Number>> boundary;
    int n_components;
    std::string strategy = default_strategy; ///< of the last assembly

  private:
    void
    apply(Vector<Number> &y, const Vector<Number> &x, bool add,
          const GridSum &sum, CellRange range, Stream stream) const;

    /// Block lists of cells and of faces, indexed by CellRange.
    std::vector<BlockList> launches[5], face_launches[5];
    int n_blocks_of_cells, n_blocks;
    /// Null until a diagonal is asked for, and on meshes without hanging nodes.
    mutable std::shared_ptr<const HangingProbes<Number>> probes;
    mutable typename FixedComponents<Number>::Kept kept;
    mutable Array<double> partial;
    mutable Array<unsigned int> counter;
  };
} // namespace tessera
