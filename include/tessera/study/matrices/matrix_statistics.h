#pragma once

#include <tessera/matrix/sparse_matrix.h>

#include <cstdint>
#include <vector>

// Figures of a matrix that show which format suits it.
namespace tessera
{
  struct MatrixStatistics
  {
    int n_rows              = 0;
    int n_columns           = 0;
    std::int64_t n_nonzeros = 0;

    int shortest_row = 0;
    int longest_row  = 0;
    double mean_row  = 0; ///< nonzeros / rows
    double deviation = 0; ///< sqrt(sum (length - mean)^2 / rows)
    int n_empty_rows = 0;
    std::vector<std::int64_t> histogram; ///< [longest_row + 1]: rows by length

    int half_bandwidth     = 0; ///< max |i - j|
    std::int64_t profile   = 0; ///< sum over rows of i - min(i, first column)
    double mean_distance   = 0; ///< sum |i - j| / nonzeros
    bool symmetric_pattern = false;

    /// Pieces of x that a product reads, over entries: x stands in lines of
    /// `line_entries` (16: 128 bytes of double), rows are taken 32 at a time,
    ///   sum over slices s of |{floor(j / line_entries) : (i, j) in s}| /
    ///   nonzeros.
    /// 1: no two entries of a slice share a line; 1 / (32 line_entries) at
    /// best, if 32 rows have the same columns.
    double lines_per_entry = 0;
  };

  /// By all threads; quotients over nothing are 0. The square pattern is
  /// compared with its transpose by searches, O(nonzeros log(longest row)).
  /// Throws ParameterError for `line_entries` below 1.
  MatrixStatistics
  matrix_statistics(const SparseMatrix &matrix, int line_entries = 16);

  /// The ratio of stored places to nonzeros (1 if there are none) in EllMatrix:
  /// 32 ceil(rows / 32) longest row / nonzeros.
  double
  ell_padding(const SparsityPattern &pattern);

  /// Returns the same ratio for sliced ELLPACK: rows are sorted by length,
  /// longest first, within windows of `window` rows (1: not at all), then each
  /// `slice` of them, the last one filled up, is as wide as its longest. Throws
  /// ParameterError for sizes below 1.
  double
  sliced_ell_padding(const SparsityPattern &pattern, int slice, int window);

  /// The width of ELLPACK that HybridMatrix uses: the largest width that at
  /// least a third of the rows fill.
  int
  hybrid_width(const SparsityPattern &pattern);

  /// Returns the same ratio for HybridMatrix of that width.
  double
  hybrid_padding(const SparsityPattern &pattern);

  /// A picture of the nonzeros: [n][n], how many entries
  /// (i, j) have floor(i n / rows) = a and floor(j n / columns) = b, at
  /// picture[a n + b]. Throws ParameterError for n below 1 or above 46340.
  std::vector<std::int64_t>
  pattern_picture(const SparseMatrix &matrix, int n);
} // namespace tessera
