#include <tessera/base/error.h>
#include <tessera/matrix/ell_layout.h>
#include <tessera/study/matrices/matrix_statistics.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>

namespace tessera
{
  namespace
  {
    constexpr int max_picture = 46340; // its square fits into an int

    int
    length(const SparsityPattern &pattern, const int row)
    {
      return static_cast<int>(pattern.row_start[row + 1] -
                              pattern.row_start[row]);
    }

    double
    quotient(const double a, const double b, const double of_none)
    {
      return b == 0 ? of_none : a / b;
    }

    /// Returns the number of rows of each length, [longest + 1].
    std::vector<std::int64_t>
    count_lengths(const SparsityPattern &pattern)
    {
      std::vector<std::int64_t> histogram(pattern.max_row_length() + 1, 0);
      for (int row = 0; row < pattern.n_rows(); ++row)
        ++histogram[length(pattern, row)];
      return histogram;
    }

    void
    set_lengths(MatrixStatistics &result, const SparsityPattern &pattern)
    {
      if (pattern.n_rows() == 0)
        return;
      result.histogram   = count_lengths(pattern);
      result.longest_row = static_cast<int>(result.histogram.size()) - 1;
      while (result.histogram[result.shortest_row] == 0)
        ++result.shortest_row;
      result.n_empty_rows = static_cast<int>(result.histogram[0]);
      result.mean_row     = double(result.n_nonzeros) / result.n_rows;
      double sum          = 0;
      for (int l = 0; l <= result.longest_row; ++l)
        sum +=
          result.histogram[l] * (l - result.mean_row) * (l - result.mean_row);
      result.deviation = std::sqrt(sum / result.n_rows);
    }

    void
    set_distances(MatrixStatistics &result, const SparsityPattern &pattern)
    {
      std::int64_t profile = 0, distances = 0;
      int half_bandwidth = 0;
#pragma omp parallel for schedule(static) reduction(+ : profile, distances)   \
  reduction(max : half_bandwidth)
      for (int row = 0; row < pattern.n_rows(); ++row)
        {
          int first = row;
          for (std::int64_t k = pattern.row_start[row];
               k < pattern.row_start[row + 1]; ++k)
            {
              const int column   = pattern.columns[k];
              const int distance = std::abs(row - column);
              first              = std::min(first, column);
              distances += distance;
              half_bandwidth = std::max(half_bandwidth, distance);
            }
          profile += row - first;
        }
      result.profile        = profile;
      result.half_bandwidth = half_bandwidth;
      result.mean_distance  = quotient(distances, result.n_nonzeros, 0);
    }

    /// Returns true if there is a (j, i) for every (i, j).
    bool
    is_symmetric(const SparseMatrix &matrix)
    {
      const SparsityPattern &pattern = matrix.pattern;
      if (matrix.n_rows() != matrix.n_columns)
        return false;
      const auto begin       = pattern.columns.begin();
      std::int64_t n_missing = 0;
#pragma omp parallel for schedule(guided) reduction(+ : n_missing)
      for (int row = 0; row < pattern.n_rows(); ++row)
        for (std::int64_t k = pattern.row_start[row];
             k < pattern.row_start[row + 1] && n_missing == 0; ++k)
          {
            const int other = pattern.columns[k];
            n_missing +=
              !std::binary_search(begin + pattern.row_start[other],
                                  begin + pattern.row_start[other + 1], row);
          }
      return n_missing == 0;
    }

    /// Returns the number of different lines of x, summed over all slices.
    std::int64_t
    count_lines(const SparsityPattern &pattern, const int line_entries)
    {
      constexpr int rows_at_a_time = ell_slice_rows;
      const int n                  = pattern.n_rows();
      std::int64_t n_lines         = 0;
      // Memory is allocated here because exceptions cannot leave the threads.
      std::int64_t most = 0;
      for (std::int64_t begin = 0; begin < n; begin += rows_at_a_time)
        most = std::max(
          most,
          pattern.row_start[std::min<std::int64_t>(begin + rows_at_a_time, n)] -
            pattern.row_start[begin]);
      std::vector<std::vector<int>> scratch(omp_get_max_threads());
      for (auto &lines : scratch)
        lines.reserve(most);
#pragma omp parallel reduction(+ : n_lines)
      {
        auto &lines = scratch[omp_get_thread_num()];
#pragma omp for schedule(guided)
        for (int slice = 0; slice <= (n - 1) / rows_at_a_time; ++slice)
          {
            lines.clear();
            const int begin = slice * rows_at_a_time;
            const int end =
              std::min<std::int64_t>(std::int64_t(begin) + rows_at_a_time, n);
            for (std::int64_t k = pattern.row_start[begin];
                 k < pattern.row_start[end]; ++k)
              {
                const int line = pattern.columns[k] / line_entries;
                if (lines.empty() || lines.back() != line)
                  lines.push_back(line);
              }
            std::sort(lines.begin(), lines.end());
            n_lines += std::unique(lines.begin(), lines.end()) - lines.begin();
          }
      }
      return n_lines;
    }
  } // namespace


  MatrixStatistics
  matrix_statistics(const SparseMatrix &matrix, const int line_entries)
  {
    if (line_entries < 1)
      throw ParameterError("A line of x was given " +
                           std::to_string(line_entries) +
                           " entries; legal are 1 and larger numbers.");
    MatrixStatistics result;
    result.n_rows     = matrix.n_rows();
    result.n_columns  = matrix.n_columns;
    result.n_nonzeros = matrix.n_nonzeros();
    set_lengths(result, matrix.pattern);
    set_distances(result, matrix.pattern);
    result.symmetric_pattern = is_symmetric(matrix);
    if (result.n_rows > 0)
      result.lines_per_entry = quotient(
        count_lines(matrix.pattern, line_entries), result.n_nonzeros, 0);
    return result;
  }


  double
  ell_padding(const SparsityPattern &pattern)
  {
    return quotient(double(ell_padded_rows(pattern.n_rows())) *
                      pattern.max_row_length(),
                    pattern.n_nonzeros(), 1);
  }


  double
  sliced_ell_padding(const SparsityPattern &pattern, const int slice,
                     const int window)
  {
    if (slice < 1 || window < 1)
      throw ParameterError(
        "Sliced ELLPACK was given slices of " + std::to_string(slice) +
        " rows, sorted in windows of " + std::to_string(window) +
        "; legal are 1 and larger numbers.");
    const int n = pattern.n_rows();
    std::vector<int> lengths(n);
    for (int row = 0; row < n; ++row)
      lengths[row] = length(pattern, row);
    for (std::int64_t begin = 0; begin < n && window > 1; begin += window)
      std::sort(lengths.begin() + begin,
                lengths.begin() + std::min<std::int64_t>(begin + window, n),
                std::greater<int>());
    std::int64_t n_places = 0;
    for (std::int64_t begin = 0; begin < n; begin += slice)
      n_places +=
        slice * std::int64_t(*std::max_element(
                  lengths.begin() + begin,
                  lengths.begin() + std::min<std::int64_t>(begin + slice, n)));
    return quotient(n_places, pattern.n_nonzeros(), 1);
  }


  int
  hybrid_width(const SparsityPattern &pattern)
  {
    if (pattern.n_rows() == 0)
      return 0;
    const std::vector<std::int64_t> histogram = count_lengths(pattern);
    int width                                 = pattern.max_row_length();
    std::int64_t n_filled                     = histogram[width];
    while (width > 0 && 3 * n_filled < pattern.n_rows())
      n_filled += histogram[--width];
    return width;
  }


  double
  hybrid_padding(const SparsityPattern &pattern)
  {
    const int width       = hybrid_width(pattern);
    std::int64_t n_places = ell_padded_rows(pattern.n_rows()) * width;
    for (int row = 0; row < pattern.n_rows(); ++row)
      n_places += std::max(length(pattern, row) - width, 0);
    return quotient(n_places, pattern.n_nonzeros(), 1);
  }


  std::vector<std::int64_t>
  pattern_picture(const SparseMatrix &matrix, const int n)
  {
    if (n < 1 || n > max_picture)
      throw ParameterError("A picture of " + std::to_string(n) +
                           " by as many points was asked for; legal are 1 to " +
                           std::to_string(max_picture) + ".");
    std::vector<std::int64_t> picture(std::size_t(n) * n, 0);
    for (std::int64_t row = 0; row < matrix.n_rows(); ++row)
      {
        std::int64_t *const line =
          picture.data() + row * n / matrix.n_rows() * n;
        for (std::int64_t k = matrix.pattern.row_start[row];
             k < matrix.pattern.row_start[row + 1]; ++k)
          ++line[std::int64_t(matrix.pattern.columns[k]) * n /
                 matrix.n_columns];
      }
    return picture;
  }
} // namespace tessera
