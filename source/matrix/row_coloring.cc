#include "length_classes.h"

#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/matrix/row_coloring.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace tessera
{
  namespace
  {
    constexpr int word_bits          = 64;
    constexpr std::uint64_t all_bits = ~std::uint64_t(0);

    /// A class is cut into pieces only if at most this fraction of its rows
    /// begins without coloured neighbours.
    constexpr double most_free = 0.01;

    std::uint64_t
    bit_of(const int color)
    {
      return std::uint64_t(1) << color % word_bits;
    }

    /// Rows by urgency. A row is in the queue of every urgency that it has had,
    /// and whoever takes it tests whether the urgency is still its own.
    class Queues
    {
    public:
      void
      push(const int urgency, const int row)
      {
        if (urgency >= static_cast<int>(queues.size()))
          queues.resize(urgency + 1);
        queues[urgency].rows.push_back(row);
        top = std::max(top, urgency);
      }

      /// Returns the oldest row of the highest urgency. Requires a waiting row.
      int
      pop(int &urgency)
      {
        while (queues[top].next == queues[top].rows.size())
          queues[top--].clear();
        urgency = top;
        return queues[top].rows[queues[top].next++];
      }

      void
      clear()
      {
        for (Queue &queue : queues)
          queue.clear();
        top = 0;
      }

    private:
      struct Queue
      {
        std::vector<int> rows;
        std::size_t next = 0;

        void
        clear()
        {
          rows.clear();
          next = 0;
        }
      };

      std::vector<Queue> queues;
      int top = 0;
    };

    /// Some rows of a class, in ascending order.
    struct Rows
    {
      const int *first, *last;

      const int *
      begin() const
      {
        return first;
      }

      const int *
      end() const
      {
        return last;
      }

      /// Returns true if the row is between the first and the last one.
      bool
      span(const int row) const
      {
        return row >= *first && row <= last[-1];
      }
    };

    /// Implements color_rows(): classes in turn, pieces of a class in parallel.
    class ClassByClass
    {
    public:
      ClassByClass(const SparsityPattern &pattern, const int rows_per_piece)
        : rows_per_piece(rows_per_piece), pattern(pattern), classes(pattern),
          urgency(parallel_vector<int>(pattern.n_rows()))
      {
        result.color = parallel_vector<int>(pattern.n_rows(), -1);
      }

      RowColoring
      color()
      {
        for (int c = 0; c < classes.n_classes(); ++c)
          {
            std::vector<int> left = color_pieces(c);
            while (!left.empty())
              left = color_rest(c, std::move(left));
          }
        leave_out_unused();
        return std::move(result);
      }

    private:
      struct Piece
      {
        Rows rows;
        std::vector<int> border; ///< coloured, with neighbours outside the span
        std::vector<int> left;   ///< rows that got no colour
        int n_colors = 0;
      };

      template <class Visit>
      void
      for_columns(const int row, const Visit &visit) const
      {
        const int *const columns = pattern.columns.data();
        const int *const end     = columns + pattern.row_start[row + 1];
        for (const int *k = columns + pattern.row_start[row]; k != end; ++k)
          visit(*k);
      }

      int
      n_reserved() const
      {
        return static_cast<int>(word_bits * sets.size());
      }

      /// Makes room in the sets for 64 more colours, or for twice the present
      /// number if that is larger.
      void
      reserve_colors()
      {
        while (n_reserved() <
               result.n_colors + std::max(word_bits, result.n_colors))
          sets.push_back(
            parallel_vector<std::uint64_t>(result.color.size(), all_bits));
      }

      /// Colours the pieces of class c in parallel, each as if it were alone.
      /// Then a row loses its colour if a neighbour in an earlier piece has the
      /// same. Returns the rows without a colour.
      std::vector<int>
      color_pieces(const int c)
      {
        reserve_colors();
        const int *const rows  = classes.rows.data();
        const std::int64_t end = classes.start[c + 1];
        const std::int64_t count =
          open_class(c) ? rows_per_piece : end - classes.start[c];
        std::vector<Piece> pieces;
        for (std::int64_t i = classes.start[c]; i < end; i += count)
          pieces.push_back(
            {{rows + i, rows + std::min(i + count, end)}, {}, {}});
        const int n_pieces = static_cast<int>(pieces.size());
#pragma omp parallel
        {
#pragma omp for schedule(dynamic)
          for (int p = 0; p < n_pieces; ++p)
            color_piece(pieces[p], c);
#pragma omp for schedule(dynamic)
          for (int p = 0; p < n_pieces; ++p)
            for (const int row : pieces[p].border)
              if (has_conflict(row, c, *pieces[p].rows.first))
                pieces[p].left.push_back(row);
        }
        std::vector<int> left;
        for (const Piece &piece : pieces)
          {
            result.n_colors = std::max(result.n_colors, piece.n_colors);
            left.insert(left.end(), piece.left.begin(), piece.left.end());
          }
        for (const int row : left)
          result.color[row] = -1;
        return left;
      }

      /// Returns true if a row < `before` of class c next to it has its colour.
      bool
      has_conflict(const int row, const int c, const int before) const
      {
        bool found = false;
        for_columns(row, [&](const int other) {
          found |= other < before && classes.of_row[other] == c &&
                   result.color[other] == result.color[row];
        });
        return found;
      }

      /// Colours the remaining rows of class c. Returns those for which the
      /// sets had no room.
      std::vector<int>
      color_rest(const int c, std::vector<int> rows)
      {
        std::sort(rows.begin(), rows.end());
        reserve_colors();
        Piece piece{{rows.data(), rows.data() + rows.size()}, {}, {}};
        for (const int row : piece.rows)
          open(row, c, c);
        color_piece(piece, c);
        result.n_colors = std::max(result.n_colors, piece.n_colors);
        return std::move(piece.left);
      }

      /// Opens the rows of class c. Returns true if it may be cut into pieces,
      /// which means that hardly any row begins without coloured neighbours.
      bool
      open_class(const int c)
      {
        const int first = classes.start[c], last = classes.start[c + 1];
        int n_free = 0;
#pragma omp parallel for schedule(static) reduction(+ : n_free)
        for (int i = first; i < last; ++i)
          n_free += open(classes.rows[i], c, c - 1) == 0;
        return n_free <= most_free * (last - first);
      }

      /// Sets the colours of neighbours in classes up to `last`, and the
      /// urgency of a row of class c. Returns the number of these colours.
      int
      open(const int row, const int c, const int last)
      {
        for (auto &words : sets)
          words[row] = 0;
        int n_around = 0;
        if (last >= 0)
          for_columns(row, [&](const int other) {
            if (classes.of_row[other] > last || result.color[other] < 0)
              return;
            const int color     = result.color[other];
            std::uint64_t &word = sets[color / word_bits][row];
            n_around += (word & bit_of(color)) == 0;
            word |= bit_of(color);
          });
        urgency[row] = n_around * classes.n_lengths[c] + classes.rank(row);
        return n_around;
      }

      /// Returns the lowest colour that is not in the row's set, or
      /// n_reserved() if the set is full.
      int
      lowest_missing(const int row) const
      {
        std::size_t w = 0;
        while (w < sets.size() && sets[w][row] == all_bits)
          ++w;
        return static_cast<int>(word_bits * w) +
               (w < sets.size() ? __builtin_ctzll(~sets[w][row]) : 0);
      }

      /// Colours the opened rows of a piece one by one: the most urgent row
      /// gets the lowest colour that no neighbour has.
      void
      color_piece(Piece &piece, const int c)
      {
        const int n_lengths = classes.n_lengths[c];
        const Rows rows     = piece.rows;
        Queues waiting;
        for (const int row : rows)
          waiting.push(urgency[row], row);
        std::vector<int> fresh(classes.longest[c]);
        for (auto n_waiting = rows.last - rows.first; n_waiting > 0;)
          {
            int at        = 0;
            const int row = waiting.pop(at);
            if (urgency[row] != at)
              continue;
            --n_waiting;
            urgency[row]    = -1;
            const int color = lowest_missing(row);
            for (auto &words : sets)
              words[row] = all_bits;
            if (color == n_reserved())
              {
                piece.left.push_back(row);
                continue;
              }
            result.color[row] = color;
            piece.n_colors    = std::max(piece.n_colors, color + 1);

            // The loop avoids a branch, because nothing predicts whether a
            // neighbour waits and has not seen the colour.
            std::uint64_t *const words = sets[color / word_bits].data();
            int n_fresh                = 0;
            bool at_border             = false;
            for_columns(row, [&](const int other) {
              if (!rows.span(other))
                {
                  at_border = true;
                  return;
                }
              fresh[n_fresh] = other;
              n_fresh += (words[other] & bit_of(color)) == 0;
              words[other] |= bit_of(color);
            });
            if (at_border)
              piece.border.push_back(row);
            for (int f = 0; f < n_fresh; ++f)
              {
                urgency[fresh[f]] += n_lengths;
                waiting.push(urgency[fresh[f]], fresh[f]);
              }
          }
      }

      /// Closes gaps where all rows that had a colour have lost it.
      void
      leave_out_unused()
      {
        const int n_rows = static_cast<int>(result.color.size());
        std::vector<int> place(result.n_colors, -1);
#pragma omp parallel for schedule(static)
        for (int row = 0; row < n_rows; ++row)
          {
            int &is_used = place[result.color[row]];
#pragma omp atomic write
            is_used = 0;
          }
        const int n_colors = std::exchange(result.n_colors, 0);
        for (int &to : place)
          if (to == 0)
            to = result.n_colors++;
        if (result.n_colors < n_colors)
#pragma omp parallel for schedule(static)
          for (int row = 0; row < n_rows; ++row)
            result.color[row] = place[result.color[row]];
      }

      const int rows_per_piece;
      const SparsityPattern &pattern;
      const LengthClasses classes;
      std::vector<int> urgency; ///< [n_rows]: -1 if coloured
      /// [colour / 64][row]: one bit per colour, set if a neighbour of a
      /// waiting row has the colour. All bits of other rows are set.
      std::vector<std::vector<std::uint64_t>> sets;
      RowColoring result;
    };
  } // namespace

  RowColoring
  color_rows(const SparsityPattern &pattern, const int rows_per_piece)
  {
    if (rows_per_piece < 1)
      throw ParameterError("The number of rows per piece is " +
                           std::to_string(rows_per_piece) +
                           ", legal are 1 or more.");
    return ClassByClass(pattern, rows_per_piece).color();
  }
} // namespace tessera
