#pragma once

#include <tessera/preconditioners/preconditioner.h>

namespace tessera
{
  /// The block Jacobi preconditioner: M has the entries of A whose row and
  /// column belong to the same block of consecutive rows, such as all rows of
  /// a node with several components. The inverses of the blocks are computed
  /// once, by the constructor, and stored: b numbers per row.
  template <class Number>
  class BlockJacobi : public Preconditioner<Number>
  {
  public:
    static constexpr int max_rows = 32; ///< of a block

    /// Blocks have `block_rows` rows; the last one has the remaining rows.
    /// Entries of A outside of the owned rows and columns are not used. If A is
    /// one of several parts, the blocks of nodes are added up over all of them;
    /// all parts then construct theirs at the same time. Throws ParameterError
    /// unless 1 <= block_rows <= max_rows, for an operator that does not store
    /// rows, and if parts share nodes and a block is not one node.
    BlockJacobi(const Operator<Number> &A, int block_rows, Stream stream = {});

    void
    apply(Vector<Number> &z, const Vector<Number> &r,
          Stream stream) const override;

    Traffic
    traffic() const override;

    std::string
    name() const override
    {
      return "block_jacobi";
    }

    RecordValues
    parameters() const override;

  private:
    /// Sets the blocks of owned rows to the sums over all parts.
    void
    add_up(const Operator<Number> &A, Stream stream);

    int block_rows;
    /// [block_rows][n_owned]: row i of the inverse blocks has entry k at
    /// k n_owned + i, so that neighbouring threads read neighbouring numbers.
    Array<Number> inverse;
  };
} // namespace tessera
