#pragma once

#include <tessera/assembly/form_data.h>
#include <tessera/matrix/cells_of_rows.h>

namespace tessera
{
  /// Assembles a matrix in two passes (WongKuhlDarve2015, sections 4 and 9). In
  /// the first pass, every cell writes the upper half of its matrix. In the
  /// second pass, every row adds up the contributions of its cells in a fixed
  /// order and writes each entry once. The result is repeatable; nothing has to
  /// be set to zero before, and no atomics or colours are needed.
  ///
  /// In double precision, a cell with n rows costs 4 n (n + 1) bytes written, 8
  /// n^2 bytes and a byte of slots for each pair of nodes read, besides the
  /// entries of the rows.
  template <class Number>
  class Gather
  {
  public:
    /// Lists the cells of every row and allocates memory for the cell matrices.
    /// Throws MeshError if the nodes of all cells are more than 2^32, and
    /// ParameterError if there are no kernels for so many components
    /// (space/on_components.h). `cells` must live longer than this object.
    explicit Gather(const CellData<Number> &cells, int n_components = 1);

    /// Overwrites the values of the matrix of rows to which the sink writes. A
    /// SlotMap of the same cells, which repeats no rows, made the sink; the
    /// form is on them too. Does not wait for the device.
    void
    assemble(const SlotSink<Number> &sink, const FormData<Number> &form,
             const std::string &strategy, Stream stream = {}) const;

    std::size_t
    bytes() const
    {
      return around.bytes() + matrices.bytes();
    }

  private:
    const CellData<Number> &cells;
    int n_components;
    CellsOfRows around;
    mutable Array<Number> matrices; ///< [n_batches][n (n + 1) / 2][lanes]
  };
} // namespace tessera
