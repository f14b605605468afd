#include <tessera/study/matrices/matrix_generator.h>

#include "generated_rows.h"

#include <limits>

namespace tessera
{
  using namespace generated_rows;

  namespace
  {
    constexpr std::int64_t max_rows = std::numeric_limits<int>::max() - 1;

    /// Returns x^(k / 1024) by multiplications and square roots alone; unlike
    /// std::pow, these round alike on every machine.
    double
    power(double x, const int k)
    {
      double result = 1;
      for (int i = 0; i < k / 1024; ++i)
        result *= x;
      for (int bit = 512; bit > 0; bit /= 2)
        {
          x = std::sqrt(x);
          if (k & bit)
            result *= x;
        }
      return result;
    }

    /// Returns the probabilities of the lengths `least` ... `most`, times 2^32
    /// and rounded to whole numbers, so that their sums are exact.
    std::vector<double>
    power_law(const int least, const int most, const int k)
    {
      std::vector<double> weights;
      // A length of 0 counts as 1, so the law is shifted if least = 0.
      const int shift = least == 0 ? 1 : 0;
      for (int length = least; length <= most; ++length)
        weights.push_back(std::floor(
          power(double(least + shift) / (length + shift), k) * 0x1p32));
      return weights;
    }

    double
    mean_of(const std::vector<double> &weights, const int least)
    {
      double sum = 0, moment = 0;
      for (std::size_t i = 0; i < weights.size(); ++i)
        {
          sum += weights[i];
          moment += weights[i] * (least + double(i));
        }
      return moment / sum;
    }

    /// Appends n lengths by a power law, shortest first. Every length occurs as
    /// often as the law expects; none is drawn.
    void
    add_power_law(std::vector<int> &lengths, const int n, const int least,
                  const int most, const double mean)
    {
      int high = 0, low = 16 * 1024; // exponents with means above and below
      while (low - high > 1)
        {
          const int middle = (low + high) / 2;
          (mean_of(power_law(least, most, middle), least) > mean ? high : low) =
            middle;
        }
      const std::vector<double> weights = power_law(least, most, low);
      double total                      = 0;
      for (const double weight : weights)
        total += weight;
      const std::size_t begin = lengths.size();
      double up_to            = 0;
      for (std::size_t i = 0; i < weights.size(); ++i)
        {
          up_to += weights[i];
          lengths.resize(begin + std::size_t(up_to / total * n),
                         least + static_cast<int>(i));
        }
    }

    /// Returns lengths in random order; the shortest and the longest occur.
    std::vector<int>
    draw_lengths(const GeneratedRandomRows &p)
    {
      const int n_tail = static_cast<int>(std::ceil(p.tail * p.n_rows));
      const int n_even = p.n_rows - n_tail;
      std::vector<int> lengths;
      lengths.reserve(p.n_rows);
      // Even lengths are as far below as above the mean, rounded; fma rounds
      // once on every machine.
      const double width = 2 * (p.mean - p.least);
      for (int i = 0; i < n_even; ++i)
        lengths.push_back(
          static_cast<int>(std::fma((i + 0.5) / n_even, width, p.least + 0.5)));
      add_power_law(lengths, n_tail, p.least, p.most, p.mean);
      lengths.front() = p.least;
      lengths.back()  = p.most;
      shuffle(lengths, RandomSequence(p.seed, 1));
      return lengths;
    }

    /// Draws different columns for a row.
    class ColumnDraw
    {
    public:
      explicit ColumnDraw(const GeneratedRandomRows &parameters) : p(parameters)
      {}

      /// Draws `length` columns in ascending order.
      void
      operator()(const int row, const int length, int *const columns) const
      {
        // Rows have the random streams 2, 3, ...; lengths have stream 1.
        RandomSequence random(p.seed, std::uint64_t(row) + 2);
        if (length > p.n_columns / 4)
          {
            select(random, row, length, columns);
            return;
          }
        int n = 0;
        if (p.diagonal)
          columns[n++] = row;
        for (int round = 0; n < length; ++round)
          {
            for (int k = n; k < length; ++k)
              columns[k] =
                round < 8 ? draw(random, row) : int(random.below(p.n_columns));
            std::sort(columns, columns + length);
            n = std::unique(columns, columns + length) - columns;
          }
      }

    private:
      int
      draw(RandomSequence &random, const int row) const
      {
        if (random.uniform() < p.local)
          {
            const std::int64_t column =
              std::int64_t(row) - p.reach +
              random.below(2 * std::int64_t(p.reach) + 1);
            if (column >= 0 && column < p.n_columns)
              return static_cast<int>(column);
          }
        if (!p.popular)
          return random.below(p.n_columns);
        // Popular ranks are spread over all columns.
        const double u = random.uniform();
        const std::int64_t rank =
          static_cast<std::int64_t>(u * u * p.n_columns);
        return static_cast<int>(rank * 1000003 % p.n_columns);
      }

      /// For long rows: goes through all columns and takes as many as wanted.
      void
      select(RandomSequence &random, const int row, const int length,
             int *const columns) const
      {
        int n = 0, left = length;
        if (p.diagonal)
          --left;
        int candidates = p.n_columns - (p.diagonal ? 1 : 0);
        for (int column = 0; column < p.n_columns; ++column)
          if (p.diagonal && column == row)
            columns[n++] = column;
          else if (int(random.below(candidates--)) < left)
            {
              columns[n++] = column;
              --left;
            }
      }

      const GeneratedRandomRows &p;
    };
  } // namespace


  SparseMatrix
  generate(const GeneratedRandomRows &p)
  {
    const std::string lengths = std::to_string(p.least) + ", " +
                                std::to_string(p.mean) + " and " +
                                std::to_string(p.most);
    require(p.n_rows >= 1 && p.n_rows <= max_rows && p.n_columns >= 1,
            "The matrix has " + std::to_string(p.n_rows) + " by " +
              std::to_string(p.n_columns) +
              " rows and columns, legal are 1 or more of each, and fewer than "
              "2^31 - 1 rows.");
    require(p.least >= (p.diagonal ? 1 : 0) && p.least <= p.mean &&
              p.mean <= p.most && p.most < 1 << 20 &&
              (p.mean <= 0.5 * (p.least + p.most)),
            "Rows have least, mean and most lengths " + lengths +
              ", legal are " + (p.diagonal ? "1" : "0") +
              " <= least <= mean <= (least + most) / 2 and most < 2^20.");
    require(p.tail >= 0 && p.tail <= 1,
            "A share of " + std::to_string(p.tail) +
              " of the rows was to follow a power law, legal are [0, 1].");
    require(p.local >= 0 && p.local <= 1 && p.reach >= 0,
            "A share of " + std::to_string(p.local) +
              " of the columns is near the diagonal, up to " +
              std::to_string(p.reach) +
              ", legal are shares in [0, 1] and distances of 0 or more.");
    require(!p.diagonal || p.n_columns >= p.n_rows,
            "There are " + std::to_string(p.n_columns) + " columns and " +
              std::to_string(p.n_rows) +
              " rows, a diagonal asks for as many columns.");

    const std::vector<int> drawn = draw_lengths(p);
    const auto length            = [&](const int row) {
      return std::min(drawn[row], p.n_columns);
    };
    const ColumnDraw draw(p);
    SparseMatrix matrix = make_rows(p.n_rows, p.n_columns, length,
                                    [&](const int row, int *const columns) {
                                      draw(row, length(row), columns);
                                    });
    set_values(matrix, p.seed, p.diagonal);
    return matrix;
  }


  SparseMatrix
  generate(const GeneratedBand &p)
  {
    require(p.n_rows >= 1 && p.n_rows <= max_rows,
            "The band has " + std::to_string(p.n_rows) +
              " rows, legal are 1 or more and fewer than 2^31 - 1.");
    require(p.half_bandwidth >= 0 && p.fill >= 0 && p.fill <= 1,
            "The band is " + std::to_string(p.half_bandwidth) +
              " wide on each side and filled to " + std::to_string(p.fill) +
              ", legal are 0 or more and [0, 1].");
    const std::uint64_t mixed = mix(~p.seed);
    const auto bound          = static_cast<std::uint64_t>(p.fill * 0x1p32);
    const auto for_each       = [&](const int row, const auto &f) {
      const std::int64_t first = std::int64_t(row) - p.half_bandwidth,
                         last  = std::int64_t(row) + p.half_bandwidth;
      const int begin          = std::max<std::int64_t>(first, 0);
      const int end            = std::min<std::int64_t>(last, p.n_rows - 1);
      for (int column = begin; column <= end; ++column)
        if (column == row || bits_of_place(mixed, std::min(row, column),
                                                 std::max(row, column)) >>
                               32 < bound)
          f(column);
    };
    SparseMatrix matrix = make_rows(
      p.n_rows, p.n_rows,
      [&](const int row) {
        int n = 0;
        for_each(row, [&](int) { ++n; });
        return n;
      },
      [&](const int row, int *columns) {
        for_each(row, [&](const int column) { *columns++ = column; });
      });
    set_symmetric_values(matrix, p.seed);
    return matrix;
  }


  SparseMatrix
  generate(const GeneratedGrid &p)
  {
    require(p.n_x >= 1 && p.n_y >= 1 && std::int64_t(p.n_x) * p.n_y <= max_rows,
            "The grid has " + std::to_string(p.n_x) + " by " +
              std::to_string(p.n_y) +
              " points, legal are 1 or more in each direction, below 2^31 in "
              "all.");
    const int n         = p.n_x * p.n_y;
    const auto for_each = [&](const int row, const auto &f) {
      const int x = row % p.n_x, y = row / p.n_x;
      if (y > 0)
        f(row - p.n_x);
      if (x > 0)
        f(row - 1);
      if (p.diagonal)
        f(row);
      if (x < p.n_x - 1)
        f(row + 1);
      if (y < p.n_y - 1)
        f(row + p.n_x);
    };
    SparseMatrix matrix = make_rows(
      n, n,
      [&](const int row) {
        int length = 0;
        for_each(row, [&](int) { ++length; });
        return length;
      },
      [&](const int row, int *columns) {
        for_each(row, [&](const int column) { *columns++ = column; });
      });
    if (p.diagonal)
      set_symmetric_values(matrix, p.seed);
    else
      set_values(matrix, p.seed);
    return matrix;
  }


  SparseMatrix
  generate(const GeneratedLattice &p)
  {
    require(p.n >= 3 && p.n <= 1024 && p.n_t >= 1 &&
              12. * p.n * p.n * p.n * p.n_t <= max_rows,
            "The lattice has " + std::to_string(p.n) + "^3 by " +
              std::to_string(p.n_t) +
              " sites, legal are 3 or more in space, 1 or more in time, below "
              "2^31 / 12 in all.");
    const int layer = p.n * p.n * p.n, n = 12 * layer * p.n_t;
    SparseMatrix matrix = make_rows(
      n, n, [](int) { return 39; },
      [&](const int row, int *const columns) {
        const int site = row / 12, spin = row % 12 / 3;
        int *next           = columns;
        const auto put_spin = [&](const int neighbour, const int other) {
          for (int colour = 0; colour < 3; ++colour)
            *next++ = 12 * neighbour + 3 * other + colour;
        };
        for (int d = 0, stride = 1; d < 3; ++d, stride *= p.n)
          for (const int step : {1, p.n - 1})
            {
              const int at        = site / stride % p.n;
              const int neighbour = site + ((at + step) % p.n - at) * stride;
              put_spin(neighbour, spin);
              put_spin(neighbour, d < 2 ? 3 - spin : (spin + 2) % 4);
            }
        const int step = spin < 2 ? 1 : p.n_t - 1;
        put_spin(site % layer + (site / layer + step) % p.n_t * layer, spin);
        std::sort(columns, next);
      });
    set_values(matrix, p.seed);
    return matrix;
  }
} // namespace tessera
