#pragma once

#include <tessera/matrix/slices.h>
#include <tessera/matrix/sparsity_pattern.h>

#include <algorithm>
#include <array>
#include <cstdint>

// Which entries the threads of a warp go through, for what is counted of a
// product.
namespace tessera::schedules
{
  constexpr int warp = 32, warps_of_block = 4;

  /// The part of a row that a thread goes through: entries first, first +
  /// stride ... below end; none where first >= end.
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

  /// Lanes of slices, warp after warp.
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

    /// Lengths of rows, places of sorted ones, slices.
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

  /// Neighbouring entries, 32 a step, of rows of about so many entries a
  /// warp.
  class StreamedRows
  {
  public:
    explicit StreamedRows(const SparsityPattern &pattern) : pattern(pattern)
    {}

    std::int64_t
    n_warps() const
    {
      return (std::int64_t(pattern.n_rows()) + warp - 1) / warp;
    }

    Warp
    at(const std::int64_t w) const
    {
      Warp result;
      const std::int64_t n    = pattern.n_rows();
      const std::int64_t last = std::min<std::int64_t>((w + 1) * warp, n);
      for (int l = 0; l < warp; ++l)
        {
          const auto row = static_cast<int>(std::min(w * warp + l, n - 1));
          result[l]      = {row, pattern.row_start[w * warp] + l,
                            pattern.row_start[last], warp};
        }
      return result;
    }

  private:
    const SparsityPattern &pattern;
  };

  /// Neighbouring entries, 32 a step and 8 steps a warp, whatever rows they
  /// are of.
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
} // namespace tessera::schedules
