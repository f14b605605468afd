#include "color_order.h"

#include <tessera/base/error.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace tessera
{
  namespace
  {
    /// Sorts rows by keys, which must not be negative. The sort is stable.
    template <class Key>
    void
    sort_rows(std::vector<int> &rows, const int largest, const Key &key)
    {
      std::vector<int> next(std::size_t(largest) + 2, 0);
      for (const int row : rows)
        ++next[key(row) + 1];
      std::partial_sum(next.begin(), next.end(), next.begin());
      std::vector<int> sorted(rows.size());
      for (const int row : rows)
        sorted[next[key(row)]++] = row;
      rows.swap(sorted);
    }

    void
    sort_descending(std::vector<int> &rows, const std::vector<int> &key)
    {
      const int largest =
        key.empty() ? 0 : *std::max_element(key.begin(), key.end());
      sort_rows(rows, largest,
                [&](const int row) { return largest - key[row]; });
    }
  } // namespace


  std::vector<int>
  ColorOrder::rows() const
  {
    std::vector<int> result(n_places(), -1);
    for (std::size_t row = 0; row < place.size(); ++row)
      result[place[row]] = static_cast<int>(row);
    return result;
  }


  std::vector<int>
  ColorOrder::colors() const
  {
    std::vector<int> result(place.size());
    for (std::size_t row = 0; row < place.size(); ++row)
      result[row] = static_cast<int>(std::upper_bound(first_slice.begin(),
                                                      first_slice.end(),
                                                      place[row] / slice_rows) -
                                     first_slice.begin() - 1);
    return result;
  }


  ColorOrder
  order_by_color(const RowColoring &coloring, const std::vector<int> &first,
                 const std::vector<int> &second)
  {
    std::vector<int> rows(coloring.color.size());
    std::iota(rows.begin(), rows.end(), 0);
    sort_descending(rows, second);
    sort_descending(rows, first);
    sort_rows(rows, coloring.n_colors,
              [&](const int row) { return coloring.color[row]; });

    if (rows.size() + std::size_t(slice_rows) * coloring.n_colors >
        std::numeric_limits<int>::max())
      throw MeshError("The matrix has " + std::to_string(rows.size()) +
                      " rows; more than " +
                      std::to_string(std::numeric_limits<int>::max() -
                                     slice_rows * coloring.n_colors) +
                      " cannot be ordered by colour.");
    ColorOrder order;
    order.place.resize(rows.size());
    order.first_slice.assign(1, 0);
    std::size_t k = 0;
    for (int color = 0; color < coloring.n_colors; ++color)
      {
        int place = order.n_places();
        for (; k < rows.size() && coloring.color[rows[k]] == color; ++k)
          order.place[rows[k]] = place++;
        order.first_slice.push_back((place + slice_rows - 1) / slice_rows);
      }
    return order;
  }


  std::vector<std::int64_t>
  slice_starts(const ColorOrder &order, const std::vector<int> &count)
  {
    std::vector<std::int64_t> start(order.n_slices() + 1, 0);
    for (std::size_t row = 0; row < count.size(); ++row)
      {
        std::int64_t &width = start[order.place[row] / slice_rows + 1];
        width               = std::max<std::int64_t>(width, count[row]);
      }
    std::partial_sum(start.begin(), start.end(), start.begin());
    return start;
  }
} // namespace tessera
