#pragma once

#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/matrix/sparsity_pattern.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace tessera::benchmarks
{
  /// Block compressed rows on the host in cuSPARSE's format BSR. Row I of
  /// blocks has the blocks starts[I] to starts[I + 1]. A block in block column
  /// J has all entries (I b + i, J b + j), 0 <= i, j < b.
  template <class Number>
  struct BlockRows
  {
    int block = 1;              ///< b
    std::vector<int> starts;    ///< [n_rows / b + 1]
    std::vector<int> columns;   ///< [n_blocks]: block columns, ascending
    std::vector<Number> values; ///< [n_blocks][i][j], 0 if there is no entry

    int
    n_rows() const
    {
      return static_cast<int>(starts.size()) - 1;
    }

    int
    n_blocks() const
    {
      return starts.back();
    }
  };

  /// A matrix that needs more places per entry does not suit blocks.
  constexpr double most_block_fill = 1.5;

  /// Sets `columns` to the block columns of a row of blocks, ascending.
  inline void
  find_blocks(const SparsityPattern &pattern, const int block,
              const int block_row, std::vector<int> &columns)
  {
    columns.clear();
    const std::size_t row = block_row * static_cast<std::size_t>(block);
    for (auto k = pattern.row_start[row]; k < pattern.row_start[row + block];
         ++k)
      if (columns.empty() || columns.back() != pattern.columns[k] / block)
        columns.push_back(pattern.columns[k] / block);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  }

  /// Makes blocks of `block` rows and columns from compressed rows with
  /// `values`. `n_columns` is the length of the vector that is multiplied.
  /// Throws ParameterError if blocks do not fit into n_rows and n_columns or
  /// need more than `most_block_fill` places per entry, and DeviceError if
  /// there are too many blocks for 32 bits.
  template <class Number>
  BlockRows<Number>
  make_block_rows(const SparsityPattern &pattern,
                  const std::vector<Number> &values, const int n_columns,
                  const int block)
  {
    const std::string what = "Blocks of " + std::to_string(block) + " by " +
                             std::to_string(block) + ' ';
    const int n_rows = pattern.n_rows();
    if (n_rows % block != 0)
      throw ParameterError(what + "do not suit a matrix of " +
                           std::to_string(n_rows) + " rows.");
    const auto &all = pattern.columns;
    const std::int64_t n_block_columns =
      all.empty() ? 0 : *std::max_element(all.begin(), all.end()) / block + 1;
    if (n_block_columns * block > n_columns)
      throw ParameterError(what + "reach beyond the " +
                           std::to_string(n_columns) + " columns of a matrix.");

    BlockRows<Number> result;
    result.block = block;
    const int n  = n_rows / block;
    std::vector<std::int64_t> starts(n + std::size_t(1), 0);
#pragma omp parallel
    {
      std::vector<int> scratch;
#pragma omp for schedule(static)
      for (int row = 0; row < n; ++row)
        {
          find_blocks(pattern, block, row, scratch);
          starts[row + 1] = static_cast<std::int64_t>(scratch.size());
        }
    }
    for (int row = 0; row < n; ++row)
      starts[row + 1] += starts[row];
    const std::int64_t n_blocks = starts[n], places = block * block * n_blocks;
    if (places > most_block_fill * pattern.n_nonzeros())
      {
        char fill[32];
        std::snprintf(fill, sizeof(fill), "%.3g",
                      static_cast<double>(places) / pattern.n_nonzeros());
        throw ParameterError(what + "would store " + fill +
                             " places for each entry, beyond 1.5.");
      }
    if (places > std::numeric_limits<int>::max())
      throw DeviceError(what +
                        "would have more than 2147483647 places, beyond "
                        "which 32-bit offsets do not reach.");

    result.starts.assign(starts.begin(), starts.end());
    result.columns = parallel_vector<int>(n_blocks);
    result.values  = parallel_vector<Number>(places);
#pragma omp parallel
    {
      std::vector<int> scratch;
#pragma omp for schedule(static)
      for (int row = 0; row < n; ++row)
        {
          find_blocks(pattern, block, row, scratch);
          std::copy(scratch.begin(), scratch.end(),
                    result.columns.begin() + starts[row]);
          for (int i = 0; i < block; ++i)
            {
              const std::size_t r = row * static_cast<std::size_t>(block) + i;
              for (auto k = pattern.row_start[r]; k < pattern.row_start[r + 1];
                   ++k)
                {
                  const int column = pattern.columns[k];
                  const auto at    = std::lower_bound(
                       scratch.begin(), scratch.end(), column / block);
                  const std::int64_t of = starts[row] + (at - scratch.begin());
                  result.values[(of * block + i) * block + column % block] =
                    values[k];
                }
            }
        }
    }
    return result;
  }
} // namespace tessera::benchmarks
