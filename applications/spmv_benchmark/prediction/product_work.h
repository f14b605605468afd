#pragma once

#include <tessera/matrix/sell_shape.h>
#include <tessera/matrix/sparsity_pattern.h>

#include <string>
#include <vector>

// Counts what the product y = A x moves and waits for on a device. The sparsity
// pattern alone determines these counts: the lengths of rows and the locality
// of columns. They allow a format to be chosen before anything is measured,
// which WongKuhlDarve2015, section 9, names as an open question.
namespace tessera::spmv
{
  /// The ways in which a device kernel traverses a matrix.
  enum class ProductKernel
  {
    rows_staged,     ///< compressed rows in shared memory, one thread per row
    rows_streamed,   ///< compressed rows, 32 neighbouring entries per step
    rows_by_threads, ///< compressed rows, T threads per row
    ellpack,         ///< ELLPACK: slices of 32 rows, all equally wide
    slices,          ///< sliced ELLPACK
    packed_slices,   ///< sliced ELLPACK with PackedColumns
    short_slices,    ///< sliced ELLPACK with ShortColumns
    coo,             ///< works on tiles of entries, as the next two do
    csr_merge,
    csr_mgpu
  };

  /// A kernel with the parameters that determine its work. ELLPACK is described
  /// by the shape {32, 1, 1, 0, true}, see product_of in predictions.h.
  struct Product
  {
    ProductKernel kernel = ProductKernel::slices;
    SellShape shape      = {}; ///< for kernels with slices
    int threads_per_row  = 1;  ///< for rows_by_threads
  };

  /// True for kernels in which a thread works on a lane of a slice.
  constexpr bool
  in_slices(const ProductKernel kernel)
  {
    return kernel == ProductKernel::slices ||
           kernel == ProductKernel::ellpack ||
           kernel == ProductKernel::packed_slices ||
           kernel == ProductKernel::short_slices;
  }

  /// The counts of a product with the whole matrix.
  struct ProductWork
  {
    /// Bytes of values, columns and addressing, in whole sectors of 32 bytes.
    /// They are read from memory.
    double stored = 0;
    /// Bytes of x, with each entry read once, and of y.
    double vectors = 0;
    /// Sectors of x that warps request. Each step counts the distinct sectors
    /// among the 32 columns of the warp.
    double requests = 0;
    /// Bytes of x that are transferred to blocks: 32 for each distinct sector
    /// that the 128 threads of a block read.
    double gathered = 0;
    /// Number of entries that the busiest thread processes one after the other.
    /// For coo and csr_mgpu, which split long rows, it is the number of passes
    /// of a block over the longest gap of empty rows, 128 rows each, beyond the
    /// first two.
    double longest = 0;
    /// Number of warps that start. A warp has to wait for several dependent
    /// loads before it has work; with staged rows it does so again for every
    /// tile.
    double starts = 0;
    /// Sum of the steps of all warps; a warp needs as many as its longest
    /// thread. With staged rows a step takes as many turns as it has entries in
    /// the same memory bank. Lanes of slices take whole rounds of steps.
    double steps   = 0;
    double entries = 0;
    /// Bytes of `stored` plus all padding, which the host kernels read.
    double padded    = 0;
    int number_bytes = 8;
  };

  /// Counts the work of a product for numbers of 8 or 4 bytes. At most
  /// `most_blocks` thread blocks, spread over the matrix, are looked at and
  /// scaled up. The pattern may have more columns than rows.
  ProductWork
  count_work(const SparsityPattern &pattern, const Product &product,
             int number_bytes, int most_blocks = 256);
} // namespace tessera::spmv
