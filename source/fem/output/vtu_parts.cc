#include "vtu_cells.h"

#include <algorithm>

namespace tessera
{
  template <int dim>
  CellParts<dim>::CellParts(const dealii::ReferenceCell &cell, const int n)
  {
    if (!cell.is_hyper_cube())
      {
        for (const unsigned int v : cell.vertex_indices())
          points.push_back(cell.vertex<dim>(v));
        type = dim == 2 ? 5 : 10;
        if (n > 1)
          {
            constexpr int ends[][2] = {{0, 1}, {1, 2}, {2, 0},
                                       {0, 3}, {1, 3}, {2, 3}};
            for (unsigned int e = 0; e < cell.n_lines(); ++e)
              points.push_back(points[ends[e][0]] +
                               0.5 * (points[ends[e][1]] - points[ends[e][0]]));
            type = dim == 2 ? 22 : 24;
          }
        parts.emplace_back(points.size());
        for (std::size_t i = 0; i < points.size(); ++i)
          parts[0][i] = static_cast<int>(i);
        return;
      }
    type          = dim == 1 ? 3 : dim == 2 ? 9 : 12;
    const int n_y = dim > 1 ? n : 0, n_z = dim > 2 ? n : 0;
    const auto number = [n](const int i, const int j, const int k) {
      return i + (n + 1) * (j + (n + 1) * k);
    };
    for (int k = 0; k <= n_z; ++k)
      for (int j = 0; j <= n_y; ++j)
        for (int i = 0; i <= n; ++i)
          {
            const int at[] = {i, j, k};
            points.emplace_back();
            for (int d = 0; d < dim; ++d)
              points.back()[d] = double(at[d]) / n;
          }
    for (int k = 0; k < std::max(1, n_z); ++k)
      for (int j = 0; j < std::max(1, n_y); ++j)
        for (int i = 0; i < n; ++i)
          {
            std::vector<int> part{number(i, j, k), number(i + 1, j, k)};
            if (dim > 1)
              for (const int x : {i + 1, i})
                part.push_back(number(x, j + 1, k));
            if (dim > 2)
              for (int v = 0; v < 4; ++v)
                part.push_back(part[v] + number(0, 0, 1));
            parts.push_back(part);
          }
  }


  template struct CellParts<1>;
  template struct CellParts<2>;
  template struct CellParts<3>;
} // namespace tessera
