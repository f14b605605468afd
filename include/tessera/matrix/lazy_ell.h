#pragma once

#include <tessera/matrix/append_sink.h>
#include <tessera/matrix/ell.h>

namespace tessera
{
  /// Lazy ELLPACK (RegulyGiles2015, section 7): assembly appends the rows of
  /// cell matrices to those of the matrix as they come, so that a row holds a
  /// column once for each cell that has an entry there, in no order; the sum
  /// of the repetitions is the entry of the matrix. There is neither a pattern
  /// nor a slot: set-up counts the cells of every row. A row has
  /// (its cells) n places for cells of n nodes, and as many for faces of a
  /// boundary; the width of all rows is the maximum.
  /// values, columns: as in EllMatrix, see ell_layout.h; `columns`
  /// and `lengths` are written by assembly. Entries whose column is not owned
  /// (constrained or a ghost) are not left out: they are zeros on the row's own
  /// column, because closing the gaps would cost every cell a count of the
  /// columns before. They count among `n_nonzeros()`, as repetitions do;
  /// `pattern()` has each column once, sorted.
  template <class Number>
  class LazyEllMatrix : public EllMatrix<Number>
  {
  public:
    /// For matrices of cells, and of faces where these are given, to the owned
    /// degrees of freedom of the cells. Bytes: (4 + size of a number) width
    /// times the padded rows + 4 n_rows. Throws MeshError where a row has more
    /// than 2^26 - 1 places, DeviceError where the memory does not exist.
    explicit LazyEllMatrix(const CellData<Number> &cells,
                           const CellData<Number> *faces = nullptr);

    /// Empties all rows and gives what cells and faces are appended to, each
    /// once.
    AppendSink<Number>
    begin_assembly(Stream stream = {});

    /// The same matrix, rows sorted by column and repetitions added up in the
    /// order in which they stand: that of a pattern, entry for entry. On the
    /// device a thread has a row, on the host it is sorted. Needs the memory of
    /// both matrices meanwhile. Synchronises.
    EllMatrix<Number>
    consolidate() const;

    /// Columns once each, increasing.
    SparsityPattern
    pattern() const override;

  private:
    static EllRows
    make_rows(const CellData<Number> &cells, const CellData<Number> *faces);
  };
} // namespace tessera
