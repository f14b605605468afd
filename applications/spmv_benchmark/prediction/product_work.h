#pragma once

#include <tessera/matrix/sell_shape.h>
#include <tessera/matrix/sparsity_pattern.h>

#include <string>
#include <vector>

// What y = A x moves and waits for on a device, counted from the pattern alone:
// the features of rows and of the locality of columns by which a format is
// chosen before anything is measured (the open question of WongKuhlDarve2015,
// section 9).
namespace tessera::spmv
{
  /// How a device's kernel goes through a matrix.
  enum class ProductKernel
  {
    rows_staged,     ///< compressed rows, brought on chip, a thread a row
    rows_streamed,   ///< compressed rows, 32 neighbouring entries a step
    rows_by_threads, ///< compressed rows, T threads a row
    ellpack,         ///< slices of one width, 32 rows each
    slices,          ///< sliced ELLPACK
    packed_slices,   ///< the same with packed columns
    short_slices,    ///< with columns in 16 bits
    coo,             ///< tiles of entries, as are the next
    csr_merge,
    csr_mgpu
  };

  /// Of ELLPACK the shape is {32, 1, 1, 0, true} (product_of in
  /// predictions.h).
  struct Product
  {
    ProductKernel kernel = ProductKernel::slices;
    SellShape shape      = {}; ///< of slices
    int threads_per_row  = 1;  ///< of rows_by_threads
  };

  /// Whether a thread goes through a lane of a slice.
  constexpr bool
  in_slices(const ProductKernel kernel)
  {
    return kernel == ProductKernel::slices ||
           kernel == ProductKernel::ellpack ||
           kernel == ProductKernel::packed_slices ||
           kernel == ProductKernel::short_slices;
  }

  /// All of a whole product.
  struct ProductWork
  {
    /// Bytes of values, columns and what says where they stand, in sectors of
    /// 32 bytes: these come from memory.
    double stored = 0;
    /// Bytes of x, if each of its entries is read once, and of y.
    double vectors = 0;
    /// Sectors of x that warps ask for, step by step: distinct ones of the 32
    /// columns of a step.
    double requests = 0;
    /// Bytes of x that reach the blocks: distinct sectors of the 128 threads of
    /// a block, 32 bytes each.
    double gathered = 0;
    /// Entries that the busiest thread goes through one after the other. Of coo
    /// and csr_mgpu, where rows do not count, passes of a block over empty rows
    /// that follow one another, 128 each, beyond two.
    double longest = 0;
    /// Warps that begin: each waits for loads that wait for one another before
    /// it has work, and again for every tile of rows that are staged.
    double starts = 0;
    /// Steps of all warps: whole warps wait for their longest thread. Of rows
    /// that are staged a step is as many as there are entries in the same bank;
    /// lanes of slices take whole rounds of steps.
    double steps   = 0;
    double entries = 0;
    /// Bytes of `stored` and of all padding, which the host goes through.
    double padded    = 0;
    int number_bytes = 8;
  };

  /// `number_bytes`: 8 or 4. Blocks of threads, at most `most_blocks` of them,
  /// spread over the matrix, stand for all. A pattern may have columns beyond
  /// its rows.
  ProductWork
  count_work(const SparsityPattern &pattern, const Product &product,
             int number_bytes, int most_blocks = 256);
} // namespace tessera::spmv
