#pragma once

#include <tessera/assembly/options.h>
#include <tessera/matrix/row_addressing.h>
#include <tessera/space/coefficient_data.h>

namespace tessera
{
  /// Says where assembly writes the entries of cell matrices in a matrix of
  /// rows. Entry (i, j) of a cell is added to values[rows.position(row, slot)],
  /// where row is the local index of the cell's node i and the slot is the
  /// place of the entry within that row. The largest number of the slot type
  /// marks entries that are not stored because their row or column is
  /// constrained.
  template <class Number>
  struct SlotSink
  {
    Number *values;
    RowAddressing rows;
    int n_rows;
    /// Slots, [n_batches][n (i)][n (j)][lanes], lane fastest, in 8 or in 16
    /// bits; the other pointer is null.
    const std::uint8_t *slots_8;
    const std::uint16_t *slots_16;
  };

  /// Assembles a_ij = integral of (kappa grad phi_j) . grad phi_i into the
  /// values of a matrix of rows. The entries are added to the present values,
  /// which the caller usually sets to zero before: the route `scatter`. The
  /// route `gather` is the class Gather. Throws ParameterError for
  /// `Conflict::none` on the device.
  template <class Number>
  void
  assemble_rows(const SlotSink<Number> &sink, const CellData<Number> &cells,
                const CoefficientView<Number> &kappa, Strategy strategy,
                Conflict conflict, Stream stream = {});

  /// Writes the matrix of every cell to `values`,
  /// [n_batches][n (i)][n (j)][lanes], lane fastest. If `upper`, writes only
  /// the upper half, [n_batches][n (n + 1) / 2][lanes], with entry (i, j >= i)
  /// at i n - i (i - 1) / 2 + j - i. No two threads write to the same place, so
  /// no conflict handling is needed.
  template <class Number>
  void
  assemble_local(Number *values, bool upper, const CellData<Number> &cells,
                 const CoefficientView<Number> &kappa, Strategy strategy,
                 Stream stream = {});

  /// Adds the diagonal of the matrix to d. Throws what `check_conflict` throws.
  template <class Number>
  void
  assemble_diagonal(Vector<Number> &d, const CellData<Number> &cells,
                    const CoefficientView<Number> &kappa, Conflict conflict,
                    Stream stream = {});
} // namespace tessera
