#include <tessera/study/matrices/matrix_generator.h>

#include "generated_rows.h"

#include <array>
#include <limits>
#include <map>
#include <numeric>

namespace tessera
{
  using namespace generated_rows;

  namespace
  {
    constexpr int max_neighbours = 1000;

    /// Nodes in a cube, in lexicographic order; the last layer need not be
    /// full. A margin without nodes surrounds the cube, so that a neighbour is
    /// at a fixed distance in the list of places.
    class Cube
    {
    public:
      /// The margin has the near places that nodes of `most` neighbours need.
      Cube(const int n_nodes, const int most) : n_nodes(n_nodes)
      {
        while (std::int64_t(side) * side * side < n_nodes)
          ++side;
        while ((2 * margin + 1) * (2 * margin + 1) * (2 * margin + 1) <
               4 * most)
          ++margin;
        width = side + 2 * margin;
      }

      int
      n_places() const
      {
        return width * width * width;
      }

      int
      place(const int node) const
      {
        const int x = node % side, y = node / side % side,
                  z = node / side / side;
        return ((z + margin) * width + y + margin) * width + x + margin;
      }

      int
      node(const int place) const
      {
        const int x = place % width, y = place / width % width,
                  z = place / width / width;
        return ((z - margin) * side + y - margin) * side + x - margin;
      }

      /// Returns distances in the list of places, near ones first.
      std::vector<int>
      near_places() const
      {
        std::vector<std::array<int, 2>> near; // {distance squared, step}
        for (int z = -margin; z <= margin; ++z)
          for (int y = -margin; y <= margin; ++y)
            for (int x = -margin; x <= margin; ++x)
              if (x != 0 || y != 0 || z != 0)
                near.push_back(
                  {x * x + y * y + z * z, (z * width + y) * width + x});
        std::sort(near.begin(), near.end());
        std::vector<int> steps;
        for (const auto &[distance, step] : near)
          steps.push_back(step);
        return steps;
      }

      /// Returns the new number of every node, [n_nodes].
      std::vector<int>
      numbers(const GraphOrder order, const std::uint64_t seed) const
      {
        std::vector<int> nodes(n_nodes);
        std::iota(nodes.begin(), nodes.end(), 0);
        const auto tile = [&](const int node) {
          const int n = (side + 3) / 4;
          return (node / side / side / 4 * n + node / side % side / 4) * n +
                 node % side / 4;
        };
        if (order == GraphOrder::tiled)
          std::stable_sort(
            nodes.begin(), nodes.end(),
            [&](const int a, const int b) { return tile(a) < tile(b); });
        else if (order == GraphOrder::shuffled)
          shuffle(nodes, RandomSequence(seed, 2));
        std::vector<int> result(n_nodes);
        for (int i = 0; i < n_nodes; ++i)
          result[nodes[i]] = i;
        return result;
      }

    private:
      int n_nodes, side = 1, margin = 1, width;
    };

    /// Returns a + t (b - a), rounded once and thus alike on every machine.
    double
    between(const double a, const double b, const double t)
    {
      return std::fma(t, b - a, a);
    }

    /// Returns how many neighbours each node shall have, in random order; see
    /// GeneratedGraph. Limits and mean count rows of blocks. The least
    /// and the most occur.
    std::vector<int>
    draw_degrees(const int n, const double least, const double most,
                 const double mean, const GeneratedGraph &p)
    {
      // Each tail is uniform, and so is the part between `low` and `high`. The
      // mean is (1 - tails / 2) middle + tails / 2 (least + most) / 2.
      const double tail   = 0.5 * p.tails;
      const double middle = std::min(
        std::max(std::fma(-tail, 0.5 * (least + most), mean) / (1 - tail),
                 least),
        most);
      const double room = std::min(middle - least, most - middle);
      const double low  = between(middle, middle - room, p.spread);
      const double high = between(middle, middle + room, p.spread);
      std::vector<int> degrees(n);
      for (int i = 0; i < n; ++i)
        {
          const double u = (i + 0.5) / n;
          const double length =
            u < tail       ? between(least, low, u / tail)
            : u > 1 - tail ? between(most, high, (1 - u) / tail)
                           : between(low, high, (u - tail) / (1 - p.tails));
          degrees[i] = static_cast<int>(length + 0.5) - 1;
        }
      degrees.front() = static_cast<int>(least) - 1;
      degrees.back()  = static_cast<int>(most) - 1;
      shuffle(degrees, RandomSequence(p.seed, 1));
      return degrees;
    }

    using Edges = std::vector<std::array<int, 2>>;

    /// Nodes with many neighbours choose first, among near nodes that want
    /// some. Then nodes that found fewer than `least` take neighbours that have
    /// fewer than `most`.
    Edges
    connect(const Cube &cube, const std::vector<int> &wanted, const int least,
            const int most, const std::uint64_t seed)
    {
      const int n                  = static_cast<int>(wanted.size());
      const std::vector<int> steps = cube.near_places();
      const std::uint64_t mixed    = mix(~seed);
      std::vector<int> by_degree(n), degree(n, 0);
      std::iota(by_degree.begin(), by_degree.end(), 0);
      std::stable_sort(
        by_degree.begin(), by_degree.end(),
        [&](const int a, const int b) { return wanted[a] > wanted[b]; });
      std::vector<int> open(cube.n_places(), 0); // neighbours still wanted
      for (int node = 0; node < n; ++node)
        open[cube.place(node)] = wanted[node];

      Edges edges;
      const auto add = [&](const int a, const int b) {
        edges.push_back({a, b});
        ++degree[a];
        ++degree[b];
      };
      for (const int node : by_degree)
        {
          const int place = cube.place(node);
          // A node that has chosen cannot be chosen later: it has tried all.
          int left    = open[place];
          open[place] = 0;
          for (const bool passed_over : {false, true})
            for (std::size_t s = 0; s < steps.size() && left > 0; ++s)
              if (open[place + steps[s]] > 0 &&
                  (bits_of_place(mixed, node, int(s)) % 4 == 0) == passed_over)
                {
                  add(node, cube.node(place + steps[s]));
                  --open[place + steps[s]];
                  --left;
                }
        }

      std::map<int, std::vector<int>> lacking;
      for (int node = 0; node < n; ++node)
        if (wanted[node] >= least && degree[node] < least)
          lacking[node];
      if (lacking.empty())
        return edges;
      for (const auto &[a, b] : edges)
        for (const auto &[from, to] : {std::pair(a, b), std::pair(b, a)})
          if (const auto found = lacking.find(from); found != lacking.end())
            found->second.push_back(to);
      std::vector<char> is_node(cube.n_places(), 0);
      for (int node = 0; node < n; ++node)
        is_node[cube.place(node)] = wanted[node] >= least;
      for (auto &[node, neighbours] : lacking)
        for (const int step : steps)
          {
            const int place = cube.place(node) + step;
            if (degree[node] >= least)
              break;
            if (!is_node[place])
              continue;
            const int other = cube.node(place);
            if (degree[other] >= most ||
                std::find(neighbours.begin(), neighbours.end(), other) !=
                  neighbours.end())
              continue;
            add(node, other);
            neighbours.push_back(other);
            if (const auto found = lacking.find(other); found != lacking.end())
              found->second.push_back(node);
          }
      return edges;
    }

    /// Returns the neighbours of every node and itself, in ascending order.
    SparsityPattern
    make_pattern(const int n, const Edges &edges,
                 const std::vector<int> &numbers)
    {
      SparsityPattern pattern;
      pattern.row_start.assign(std::size_t(n) + 1, 1);
      pattern.row_start[0] = 0;
      for (const auto &[a, b] : edges)
        {
          ++pattern.row_start[numbers[a] + 1];
          ++pattern.row_start[numbers[b] + 1];
        }
      std::partial_sum(pattern.row_start.begin(), pattern.row_start.end(),
                       pattern.row_start.begin());
      pattern.columns.resize(pattern.n_nonzeros());
      std::vector<std::int64_t> next(pattern.row_start.begin(),
                                     pattern.row_start.end() - 1);
      for (int i = 0; i < n; ++i)
        pattern.columns[next[i]++] = i;
      for (const auto &[a, b] : edges)
        {
          pattern.columns[next[numbers[a]]++] = numbers[b];
          pattern.columns[next[numbers[b]]++] = numbers[a];
        }
#pragma omp parallel for schedule(guided)
      for (int i = 0; i < n; ++i)
        std::sort(pattern.columns.begin() + pattern.row_start[i],
                  pattern.columns.begin() + pattern.row_start[i + 1]);
      return pattern;
    }

    void
    check(const GeneratedGraph &p, const int n_nodes)
    {
      require(p.n_rows >= 1 && p.n_rows < std::numeric_limits<int>::max() &&
                n_nodes <= 1000000000,
              "The graph has " + std::to_string(p.n_rows) +
                " rows, legal are 1 or more and fewer than 2^31 - 1, at most "
                "10^9 blocks of them.");
      require(
        p.block_size >= 1 && p.block_size <= p.least && p.least <= p.mean &&
          p.mean <= p.most && p.most / p.block_size <= max_neighbours &&
          p.least % p.block_size == 0 && p.most % p.block_size == 0,
        "Rows of blocks of " + std::to_string(p.block_size) +
          " have least, mean and most lengths " + std::to_string(p.least) +
          ", " + std::to_string(p.mean) + " and " + std::to_string(p.most) +
          ", legal are multiples of the size of blocks (not the mean), "
          "increasing, at most 1000 blocks.");
      require(p.tails >= 0 && p.tails < 1 && p.spread >= 0 && p.spread <= 1,
              "Shares of " + std::to_string(p.tails) + " and " +
                std::to_string(p.spread) +
                " were given for the tails and the spread of the lengths of "
                "rows, legal are [0, 1) and [0, 1].");
      require(p.n_fixed >= 0 && p.n_fixed < n_nodes && p.fixed_bandwidth >= 0,
              std::to_string(p.n_fixed) +
                " nodes are fixed, with entries up "
                "to " +
                std::to_string(p.fixed_bandwidth) +
                " from the diagonal, legal are 0 to " +
                std::to_string(n_nodes - 1) + " and 0 or more.");
    }
  } // namespace


  SparseMatrix
  generate(const GeneratedGraph &p)
  {
    const int b       = std::max(p.block_size, 1);
    const int n_nodes = (std::max(p.n_rows, 1) - 1) / b + 1;
    check(p, n_nodes);

    // Fixed nodes want none; the others want what is left on average.
    const int least = p.least / b, most = p.most / b;
    const int n_free    = n_nodes - p.n_fixed;
    const int bandwidth = std::min(p.fixed_bandwidth, b - 1);
    int fixed_length    = 0; // entries of all rows of a node
    for (int i = 0; i < b; ++i)
      fixed_length +=
        std::min(i + bandwidth, b - 1) - std::max(i - bandwidth, 0) + 1;
    const double mean =
      std::fma(p.mean, p.n_rows, -double(p.n_fixed) * fixed_length) /
      (double(b) * b) / n_free;
    const std::vector<int> wanted = draw_degrees(n_free, least, most, mean, p);
    std::vector<char> fixed(n_nodes, 0);
    std::fill_n(fixed.begin(), p.n_fixed, 1);
    shuffle(fixed, RandomSequence(p.seed, 3));
    std::vector<int> wanted_of_all(n_nodes, -1);
    for (int node = 0, next = 0; node < n_nodes; ++node)
      if (!fixed[node])
        wanted_of_all[node] = wanted[next++];

    const Cube cube(n_nodes, most);
    const std::vector<int> numbers = cube.numbers(p.order, p.seed);
    const SparsityPattern nodes    = make_pattern(
         n_nodes, connect(cube, wanted_of_all, least - 1, most - 1, p.seed),
         numbers);
    std::vector<char> is_fixed(n_nodes);
    for (int node = 0; node < n_nodes; ++node)
      is_fixed[numbers[node]] = fixed[node];

    const auto for_each = [&](const int row, const auto &f) {
      const int node = row / b;
      for (std::int64_t k = nodes.row_start[node];
           k < nodes.row_start[node + 1]; ++k)
        {
          int first = nodes.columns[k] * b, last = first + b - 1;
          if (is_fixed[node])
            {
              first = std::max(first, row - bandwidth);
              last  = std::min(last, row + bandwidth);
            }
          f(first, std::min(last, p.n_rows - 1));
        }
    };
    SparseMatrix matrix = make_rows(
      p.n_rows, p.n_rows,
      [&](const int row) {
        int length = 0;
        for_each(row, [&](const int first, const int last) {
          length += last - first + 1;
        });
        return length;
      },
      [&](const int row, int *columns) {
        for_each(row, [&](const int first, const int last) {
          for (int column = first; column <= last; ++column)
            *columns++ = column;
        });
      });
    set_symmetric_values(matrix, p.seed);
    return matrix;
  }
} // namespace tessera
