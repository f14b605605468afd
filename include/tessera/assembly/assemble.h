#pragma once

#include <tessera/assembly/options.h>
#include <tessera/forms/coefficient_data.h>
#include <tessera/matrix/row_addressing.h>

namespace tessera
{
  /// Where the entries of cell matrices go in a matrix of rows: entry (i, j)
  /// of a cell is added to `values[rows.position(row, slot)]`, row being the
  /// cell's degree of freedom i. The slot is the place within the row; the
  /// largest number marks entries that are not stored (row or column
  /// constrained).
  template <class Number>
  struct SlotSink
  {
    Number *values;
    RowAddressing rows;
    int n_rows;
    /// [n_batches][n n][lanes], 8 or 16 bits; the other one is null.
    const std::uint8_t *slots_8;
    const std::uint16_t *slots_16;
  };

  /// Throws ParameterError with the legal values where conflict handling,
  /// strategy, cells and backend do not go together in `assemble_rows`.
  void
  check_row_assembly(Conflict conflict, Strategy strategy, CellType type,
                     Backend backend);

  /// Writes the values of a matrix of rows, adding to what is there, but for
  /// `Conflict::gather` and `Conflict::owner`, which overwrite and take memory
  /// meanwhile (`Gather` and `Owner` keep it).
  template <class Number>
  void
  assemble_rows(const SlotSink<Number> &sink, const CellData<Number> &cells,
                const CoefficientView<Number> &kappa, Strategy strategy,
                Conflict conflict, Stream stream = {});

  /// Writes the matrix of every cell: [n_batches][n n][lanes], or of its upper
  /// half, entry (i, j >= i) at i n - i (i - 1) / 2 + j - i:
  /// [n_batches][n (n + 1) / 2][lanes]. No two threads write to one place.
  template <class Number>
  void
  assemble_local(Number *values, bool upper, const CellData<Number> &cells,
                 const CoefficientView<Number> &kappa, Strategy strategy,
                 Stream stream = {});

  /// Adds the diagonal to d.
  template <class Number>
  void
  assemble_diagonal(Vector<Number> &d, const CellData<Number> &cells,
                    const CoefficientView<Number> &kappa, Conflict conflict,
                    Stream stream = {});
} // namespace tessera
