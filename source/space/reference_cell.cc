#include <tessera/space/reference_cell.h>

#include <cstddef>

namespace tessera
{
  std::vector<double>
  reference_vertices(const CellType type)
  {
    const int dim = dimension(type);
    std::vector<double> result;
    for (int v = 0; v < n_vertices(type); ++v)
      for (int d = 0; d < dim; ++d)
        result.push_back(is_simplex(type) ? v == d + 1 : v >> d & 1);
    return result;
  }


  std::vector<double>
  vertex_functions(const CellType type, const std::vector<double> &points)
  {
    const std::size_t dim = dimension(type);
    const int nv          = n_vertices(type);
    std::vector<double> values;
    values.reserve(points.size() / dim * nv);
    for (std::size_t q = 0; q < points.size(); q += dim)
      for (int v = 0; v < nv; ++v)
        {
          const double *x = &points[q];
          double value    = 1;
          if (is_simplex(type))
            {
              for (std::size_t d = 0; d < dim; ++d)
                value -= x[d];
              value = v == 0 ? value : x[v - 1];
            }
          else
            for (std::size_t d = 0; d < dim; ++d)
              value *= v >> d & 1 ? x[d] : 1 - x[d];
          values.push_back(value);
        }
    return values;
  }


  std::vector<double>
  vertex_gradients(const CellType type, const std::vector<double> &points)
  {
    const std::size_t dim = dimension(type);
    const int nv          = n_vertices(type);
    std::vector<double> gradients;
    gradients.reserve(points.size() * nv);
    for (std::size_t q = 0; q < points.size(); q += dim)
      for (int v = 0; v < nv; ++v)
        for (std::size_t k = 0; k < dim; ++k)
          {
            double value = 1;
            if (is_simplex(type))
              value = v == 0 ? -1 : v == static_cast<int>(k) + 1;
            else
              for (std::size_t d = 0; d < dim; ++d)
                {
                  const bool far = v >> d & 1;
                  const double x = points[q + d];
                  value *= d == k ? (far ? 1 : -1) : (far ? x : 1 - x);
                }
            gradients.push_back(value);
          }
    return gradients;
  }
} // namespace tessera
