#pragma once

#include <tessera/matrix/slices.h>
#include <tessera/matrix/sparsity_pattern.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

// Schedules say which entries the threads of a warp process, so that the work
// of a product can be counted.
namespace tessera::spmv::schedules
{
  constexpr int warp = 32, warps_of_block = 4;

  /// The part of a row that a thread processes: entries first, first + stride,
  /// ... below end. There are none if first >= end.
  struct Lane
  {
    int row            = -1;
    std::int64_t first = 0, end = 0;
    int stride = 1;
    int
    n() const
    {
      return first < end ? static_cast<int>((end - first + stride - 1) / stride)
                         : 0;
    }
  };

  using Warp = std::array<Lane, warp>;

  /// The lanes of slices, warp by warp.
  class SlicedRows
  {
  public:
    SlicedRows(const SparsityPattern &pattern, const SellShape &shape)
      : pattern(pattern), slices(make_slices(pattern.row_start, shape)),
        lanes(shape.lanes)
    {}

    std::int64_t
    n_warps() const
    {
      return (std::int64_t(slices.n_slices()) * lanes + warp - 1) / warp;
    }

    Warp
    at(const std::int64_t w) const
    {
      Warp result;
      for (int l = 0; l < warp; ++l)
        {
          const std::int64_t lane = w * warp + l;
          const std::int64_t s    = lane / lanes;
          if (s >= slices.n_slices())
            continue;
          const int in_slice = static_cast<int>(lane % lanes);
          const int log2     = slices.log2_threads[s];
          const int place    = slices.rows[s] + (in_slice >> log2);
          if (place >= slices.rows[s + 1])
            continue;
          const int row = slices.row_at(place), T = 1 << log2;
          result[l] = {row, pattern.row_start[row] + in_slice % T,
                       pattern.row_start[row + 1], T};
        }
      return result;
    }

    /// Returns the bytes of row lengths, places of sorted rows, and slices.
    double
    index_bytes() const
    {
      return 4. * pattern.n_rows() + 4. * slices.sorted.size() +
             13. * slices.n_slices();
    }

    double
    places() const
    {
      return static_cast<double>(slices.start.back());
    }

    double
    longest() const
    {
      std::int64_t result = 0;
      for (int s = 0; s < slices.n_slices(); ++s)
        for (int i = slices.rows[s]; i < slices.rows[s + 1]; ++i)
          {
            const int row = slices.row_at(i);
            const auto all =
              pattern.row_start[row + 1] - pattern.row_start[row];
            const int log2 = slices.log2_threads[s];
            result         = std::max(result, (all + (1 << log2) - 1) >> log2);
          }
      return static_cast<double>(result);
    }

  private:
    const SparsityPattern &pattern;
    Slices slices;
    std::int64_t lanes;
  };

  /// A warp takes neighbouring rows and processes their entries in order, 32
  /// per step (`csr_streamed` in csr.cu).
  class StreamedRows
  {
  public:
    StreamedRows(const SparsityPattern &pattern, const int rows_of_block)
      : pattern(pattern), rows(rows_of_block / warps_of_block)
    {}

    std::int64_t
    n_warps() const
    {
      return (std::int64_t(pattern.n_rows()) + rows - 1) / rows;
    }

    Warp
    at(const std::int64_t w) const
    {
      Warp result;
      const std::int64_t n = pattern.n_rows(), first = w * rows;
      const std::int64_t last = std::min(first + rows, n);
      for (int l = 0; l < warp; ++l)
        result[l] = {static_cast<int>(std::min(first + l, last - 1)),
                     pattern.row_start[first] + l, pattern.row_start[last],
                     warp};
      return result;
    }

  private:
    const SparsityPattern &pattern;
    std::int64_t rows;
  };

  /// A block takes neighbouring rows, whose entries come on chip tile by tile
  /// (`csr` in csr.cu). It has as many turns as tiles.
  class StagedRows
  {
  public:
    StagedRows(const SparsityPattern &pattern, const int rows_of_block,
               const int tile)
      : pattern(pattern), rows(rows_of_block), tile(tile)
    {
      const std::int64_t n = pattern.n_rows();
      std::int64_t n_even  = 0;
      for (std::int64_t row = 0; row < n; ++row)
        n_even +=
          (pattern.row_start[row + 1] - pattern.row_start[row]) % 2 == 0;
      pad = 2 * n_even > n;
      for (std::int64_t first = 0; first < n; first += rows)
        {
          const auto last = std::min(first + rows, n);
          first_turn.push_back(
            first_turn.back() +
            (pattern.row_start[last] - pattern.row_start[first] + tile - 1) /
              tile);
        }
    }

    std::int64_t
    n_warps() const
    {
      return warps_of_block * first_turn.back();
    }

    Warp
    at(const std::int64_t w) const
    {
      Warp result;
      const std::int64_t block = block_of(w), begin = tile_begin(w);
      const int parts = warps_of_block * warp / static_cast<int>(rows);
      for (int l = 0; l < warp; ++l)
        {
          const std::int64_t thread = w % warps_of_block * warp + l;
          const std::int64_t row    = block * rows + thread % rows;
          if (row < pattern.n_rows())
            result[l] = {
              static_cast<int>(row),
              std::max(pattern.row_start[row], begin) + thread / rows,
              std::min(pattern.row_start[row + 1], begin + tile), parts};
        }
      return result;
    }

    /// Returns the steps of a warp, each counted as often as entries of its
    /// lanes share a bank. Values of 8 bytes are read by half warps: 16 words
    /// of two banks.
    double
    turns(const Warp &lanes, const std::int64_t w, const int number_bytes) const
    {
      constexpr int bytes_of_banks = 128;
      const std::int64_t begin     = tile_begin(w);
      const int n_words            = bytes_of_banks / number_bytes;
      int n_steps                  = 0;
      for (const Lane &lane : lanes)
        n_steps = std::max(n_steps, lane.n());
      int sum = 0;
      for (int k = 0; k < n_steps; ++k)
        for (int first = 0; first < warp; first += n_words)
          {
            std::array<int, warp> in_bank{};
            for (int l = first; l < first + n_words; ++l)
              if (k < lanes[l].n())
                {
                  const std::int64_t entry =
                    lanes[l].first + std::int64_t(k) * lanes[l].stride - begin;
                  ++in_bank[(pad ? entry + entry / 16 : entry) % n_words];
                }
            sum += *std::max_element(in_bank.begin(), in_bank.end());
          }
      return static_cast<double>(sum) * n_words / warp;
    }

  private:
    std::int64_t
    block_of(const std::int64_t w) const
    {
      return std::upper_bound(first_turn.begin(), first_turn.end(),
                              w / warps_of_block) -
             first_turn.begin() - 1;
    }

    std::int64_t
    tile_begin(const std::int64_t w) const
    {
      const std::int64_t block = block_of(w);
      return pattern.row_start[block * rows] +
             (w / warps_of_block - first_turn[block]) * tile;
    }

    const SparsityPattern &pattern;
    std::int64_t rows, tile;
    bool pad                             = false;
    std::vector<std::int64_t> first_turn = {0}; ///< [n_blocks + 1]
  };

  /// A warp takes neighbouring entries of any rows in 8 steps of 32, as kernels
  /// with tiles of entries do.
  class TiledEntries
  {
  public:
    explicit TiledEntries(const SparsityPattern &pattern) : pattern(pattern)
    {}

    std::int64_t
    n_warps() const
    {
      return (pattern.n_nonzeros() + tile - 1) / tile;
    }

    Warp
    at(const std::int64_t w) const
    {
      Warp result;
      for (int l = 0; l < warp; ++l)
        result[l] = {-1, w * tile + l,
                     std::min((w + 1) * tile, pattern.n_nonzeros()), warp};
      return result;
    }

  private:
    static constexpr std::int64_t tile = 8 * warp;

    const SparsityPattern &pattern;
  };

  /// Returns the largest number of consecutive empty rows.
  inline std::int64_t
  longest_gap(const std::vector<std::int64_t> &row_start)
  {
    std::int64_t longest = 0, gap = 0;
    for (std::size_t row = 0; row + 1 < row_start.size(); ++row)
      {
        gap     = row_start[row + 1] > row_start[row] ? 0 : gap + 1;
        longest = std::max(longest, gap);
      }
    return longest;
  }
} // namespace tessera::spmv::schedules
