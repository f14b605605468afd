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

  /// Returns the pattern of the blocks of `block` rows and columns that hold
  /// entries. `n_columns` is the length of the vector that is multiplied.
  /// Throws ParameterError if blocks do not fit into n_rows and n_columns.
  inline SparsityPattern
  make_block_pattern(const SparsityPattern &pattern, const int n_columns,
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

    SparsityPattern result;
    const int n                       = n_rows / block;
    std::vector<std::int64_t> &starts = result.row_start;
    starts.assign(n + std::size_t(1), 0);
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
    result.columns = parallel_vector<int>(starts[n]);
#pragma omp parallel
    {
      std::vector<int> scratch;
#pragma omp for schedule(static)
      for (int row = 0; row < n; ++row)
        {
          find_blocks(pattern, block, row, scratch);
          std::copy(scratch.begin(), scratch.end(),
                    result.columns.begin() + starts[row]);
        }
    }
    return result;
  }

  /// Returns the places of all blocks that hold entries for each entry: 1 if
  /// all of them are full. NaN without entries, or if the number of rows is no
  /// multiple of the block.
  inline double
  block_fill(const SparsityPattern &pattern, const int block)
  {
    if (pattern.n_nonzeros() == 0 || pattern.n_rows() % block != 0)
      return std::numeric_limits<double>::quiet_NaN();
    const std::int64_t n =
      make_block_pattern(pattern, std::numeric_limits<int>::max(), block)
        .n_nonzeros();
    return static_cast<double>(n * block * block) / pattern.n_nonzeros();
  }

  /// Returns b = 3 or 2, the larger one for which each block of b rows and
  /// columns is empty or full, or 1 if there is none.
  inline int
  largest_blocks(const SparsityPattern &pattern)
  {
    for (const int block : {3, 2})
      if (block_fill(pattern, block) == 1)
        return block;
    return 1;
  }

  /// Returns the values of `blocks`, 0 if there is no entry. Column j of a row
  /// in block k, of all blocks, stands at place(row, k, j).
  template <class Number, class Value, class Place>
  std::vector<Number>
  fill_blocks(const SparsityPattern &pattern, const std::vector<Value> &values,
              const SparsityPattern &blocks, const int block,
              const Place &place)
  {
    auto result = parallel_vector<Number>(block * block * blocks.n_nonzeros());
#pragma omp parallel for schedule(static)
    for (int row = 0; row < pattern.n_rows(); ++row)
      {
        const auto first = blocks.columns.begin();
        const auto begin = first + blocks.row_start[row / block];
        const auto end   = first + blocks.row_start[row / block + 1];
        for (auto k = pattern.row_start[row]; k < pattern.row_start[row + 1];
             ++k)
          {
            const int column = pattern.columns[k];
            const auto of    = std::lower_bound(begin, end, column / block);
            result[place(row, of - first, column % block)] =
              static_cast<Number>(values[k]);
          }
      }
    return result;
  }

  /// Makes blocks of `block` rows and columns from compressed rows with
  /// `values`. Throws what `make_block_pattern` does, ParameterError if blocks
  /// need more than `most_block_fill` places per entry, and DeviceError if
  /// there are too many blocks for 32 bits.
  template <class Number>
  BlockRows<Number>
  make_block_rows(const SparsityPattern &pattern,
                  const std::vector<Number> &values, const int n_columns,
                  const int block)
  {
    SparsityPattern blocks = make_block_pattern(pattern, n_columns, block);
    const std::string what = "Blocks of " + std::to_string(block) + " by " +
                             std::to_string(block) + ' ';
    const std::int64_t places = block * block * blocks.n_nonzeros();
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

    BlockRows<Number> result;
    result.block = block;
    result.starts.assign(blocks.row_start.begin(), blocks.row_start.end());
    result.values = fill_blocks<Number>(
      pattern, values, blocks, block,
      [&](const int row, const std::int64_t k, const int j) {
        return (k * block + row % block) * block + j;
      });
    result.columns = std::move(blocks.columns);
    return result;
  }
} // namespace tessera::benchmarks
