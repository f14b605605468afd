#pragma once

#include <tessera/assembly/assemble.h>

namespace tessera
{
  /// The threads of a block, each with a cell, that SizedBlocks knows.
  const std::vector<int> &
  block_sizes();

  /// Throws ParameterError with the legal values where it is none of them.
  void
  check_block_size(int n_threads);

  /// Assembly by blocks of other sizes than 128 threads, for comparison
  /// (RegulyGiles2015, section 10.3, figures 20 and 21): of cell matrices, and
  /// of rows by two-level colours of blocks of that size. Larger blocks have
  /// fewer colours, which are launches, and more threads at each barrier; how
  /// many fit on a multiprocessor changes with the registers that are left
  /// over. Bytes and arithmetic of a cell are those of `assemble_local` and
  /// `assemble_rows`. Repeatable.
  template <class Number>
  class SizedBlocks
  {
  public:
    /// Colours cells and blocks where `colored`, for rows. Throws
    /// ParameterError with the legal values but for quadrilaterals without
    /// stored Jacobians on the device, for a size that is not one of
    /// `block_sizes`, and where what a block keeps of the metric is more than
    /// its shared memory.
    SizedBlocks(const CellData<Number> &cells, int n_threads, Strategy strategy,
                bool colored);

    /// As the function of this name; `values` are whole matrices.
    void
    assemble_local(Number *values, const FormData<Number> &form,
                   Stream stream = {}) const;

    /// As the function of this name with colouring.
    void
    assemble_rows(const SlotSink<Number> &sink, const FormData<Number> &form,
                  Stream stream = {}) const;

    /// Of blocks and of the cells of a block; empty without `colored`.
    const Coloring &
    coloring() const
    {
      return colors;
    }

  private:
    const CellData<Number> &cells;
    int n_threads;
    Strategy strategy;
    Coloring colors;
    Array<int> blocks;            ///< by colour
    Array<unsigned char> of_cell; ///< [n_batches][lanes]
  };
} // namespace tessera
