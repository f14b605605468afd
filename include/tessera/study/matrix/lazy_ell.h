#pragma once

#include <tessera/matrix/ell.h>
#include <tessera/study/matrix/append_sink.h>

namespace tessera
{
  /// Lazy ELLPACK (RegulyGiles2015, section 7). Assembly appends the rows of
  /// cell matrices to the rows of the matrix as they come. A row therefore
  /// contains a column once for each cell that has an entry there, in no
  /// particular order, and the sum of the repetitions is the entry of the
  /// matrix. Use it to assemble without a sparsity pattern: set-up only counts
  /// the cells of every row.
  ///
  /// A row has n places for each of its cells with n nodes, and likewise for
  /// faces of a boundary; with several components a node, all entries are
  /// stored by themselves. The width of the matrix is the maximum over all
  /// rows. Values and columns are stored as in EllMatrix (see ell_layout.h);
  /// `columns` and `lengths` are written by assembly.
  ///
  /// An entry whose column is not owned (constrained or a ghost) is stored as a
  /// zero on the row's own column: closing the gaps would require every cell to
  /// count the columns before. Such entries count in `n_nonzeros()`, as
  /// repetitions do. `pattern()` contains each column once, sorted.
  template <class Number>
  class LazyEllMatrix : public EllMatrix<Number>
  {
  public:
    /// Makes space for the matrices of the cells, for forms with this many
    /// components, and of the faces if given, restricted to the owned degrees
    /// of freedom. Needs (4 + size of a number) width bytes for each padded row
    /// and 4 n_rows bytes more. Throws MeshError if a row has more than 2^26 -
    /// 1 places, and DeviceError if there is not enough memory.
    explicit LazyEllMatrix(const CellData<Number> &cells,
                           const CellData<Number> *faces = nullptr,
                           int n_components              = 1);

    /// Empties all rows and returns the object to which cells and faces are
    /// appended. Each of them must be appended once.
    AppendSink<Number>
    begin_assembly(Stream stream = {});

    /// Returns the same matrix with rows sorted by column and repetitions added
    /// up in the order in which they are stored. It equals, entry for entry, a
    /// matrix that is made from a pattern. The memory of both matrices is
    /// needed at the same time. Synchronises.
    EllMatrix<Number>
    consolidate() const;

    /// Returns the pattern with each column once, increasing along a row.
    SparsityPattern
    pattern() const override;

  private:
    static EllRows
    make_rows(const CellData<Number> &cells, const CellData<Number> *faces,
              int n_components);
  };
} // namespace tessera
