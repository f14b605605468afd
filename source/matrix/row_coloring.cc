#include <tessera/matrix/row_coloring.h>

#include <algorithm>
#include <cstdint>
#include <deque>

namespace tessera
{
  namespace
  {
    /// Sets of colours, one for each row: a bit a colour.
    class ColorSets
    {
    public:
      explicit ColorSets(const int n_rows) : n_rows(n_rows)
      {}

      /// False if the set had the colour before.
      bool
      insert(const int row, const int color)
      {
        if (color / 64 == static_cast<int>(words.size()))
          words.emplace_back(n_rows, 0);
        std::uint64_t &word     = words[color / 64][row];
        const std::uint64_t bit = std::uint64_t(1) << color % 64;
        const bool is_new       = (word & bit) == 0;
        word |= bit;
        return is_new;
      }

      int
      lowest_missing(const int row) const
      {
        std::size_t w = 0;
        while (w < words.size() && ~words[w][row] == 0)
          ++w;
        return static_cast<int>(64 * w) +
               (w < words.size() ? __builtin_ctzll(~words[w][row]) : 0);
      }

    private:
      std::size_t n_rows;
      std::vector<std::vector<std::uint64_t>> words; ///< [colour / 64][row]
    };

    /// Rows by urgency, each in the queue of every urgency that it has had:
    /// whoever takes one asks whether it is still its own.
    class Queues
    {
    public:
      void
      push(const std::size_t urgency, const int row)
      {
        if (urgency >= queues.size())
          queues.resize(urgency + 1);
        queues[urgency].push_back(row);
        top = std::max(top, urgency);
      }

      /// The oldest row of the highest urgency, and that; false if none waits.
      bool
      pop(std::size_t &urgency, int &row)
      {
        while (top > 0 && queues[top].empty())
          --top;
        if (queues.empty() || queues[top].empty())
          return false;
        urgency = top;
        row     = queues[top].front();
        queues[top].pop_front();
        return true;
      }

    private:
      std::vector<std::deque<int>> queues;
      std::size_t top = 0;
    };

    /// [n_rows] place of the row's length among all lengths.
    std::vector<int>
    rank_lengths(const SparsityPattern &pattern, std::size_t &n_ranks)
    {
      const auto length = [&](const int row) {
        return static_cast<int>(pattern.row_start[row + 1] -
                                pattern.row_start[row]);
      };
      std::vector<int> rank_of(pattern.max_row_length() + 1, -1);
      for (int row = 0; row < pattern.n_rows(); ++row)
        rank_of[length(row)] = 0;
      n_ranks = 0;
      for (int &rank : rank_of)
        if (rank == 0)
          rank = static_cast<int>(n_ranks++);
      std::vector<int> result(pattern.n_rows());
      for (int row = 0; row < pattern.n_rows(); ++row)
        result[row] = rank_of[length(row)];
      return result;
    }
  } // namespace


  RowColoring
  color_rows(const SparsityPattern &pattern)
  {
    const int n_rows    = pattern.n_rows();
    std::size_t n_ranks = 0;
    const auto rank     = rank_lengths(pattern, n_ranks);

    RowColoring result;
    result.color.assign(n_rows, -1);
    ColorSets around(n_rows);
    std::vector<int> n_around(n_rows, 0); // colours in the row's set
    Queues waiting;
    const auto urgency = [&](const int row) {
      return n_around[row] * n_ranks + rank[row];
    };
    for (int row = 0; row < n_rows; ++row)
      waiting.push(urgency(row), row);

    std::size_t at = 0;
    for (int row = 0; waiting.pop(at, row);)
      {
        if (result.color[row] >= 0 || urgency(row) != at)
          continue;
        const int color   = around.lowest_missing(row);
        result.color[row] = color;
        result.n_colors   = std::max(result.n_colors, color + 1);
        for (std::int64_t k = pattern.row_start[row];
             k < pattern.row_start[row + 1]; ++k)
          {
            const int other = pattern.columns[k];
            if (result.color[other] < 0 && around.insert(other, color))
              {
                ++n_around[other];
                waiting.push(urgency(other), other);
              }
          }
      }
    return result;
  }
} // namespace tessera
