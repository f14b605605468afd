#include "mesh_tools.h"

#include <tessera/base/parallel_vector.h>

#include <numeric>
#include <tuple>

namespace tessera::mesh_tools
{
  std::vector<Face>
  sorted_faces(const CellType type, const std::size_t n_cells,
               const int n_vertices,
               const std::function<const int *(std::size_t)> &corners)
  {
    const auto &local         = faces_of(type);
    const std::size_t n_local = local.size();
    const Face none{{{-1, -1, -1, -1}}, -1, -1};
    auto faces  = parallel_vector(n_cells * n_local, none),
         sorted = parallel_vector(n_cells * n_local, none);
#pragma omp parallel for schedule(static)
    for (std::size_t c = 0; c < n_cells; ++c)
      for (std::size_t f = 0; f < n_local; ++f)
        {
          const int *const of_cell = corners(c);
          const auto vertex        = [&](const std::size_t i) {
            return of_cell[local[f][i]];
          };
          Face face{{{-1, -1, -1, -1}}, static_cast<int>(c), -1};
          for (std::size_t i = 0; i < local[f].size(); ++i)
            {
              std::size_t place = i;
              for (; place > 0 && face.key[place - 1] > vertex(i); --place)
                face.key[place] = face.key[place - 1];
              face.key[place] = vertex(i);
            }
          if (local[f].size() == 4)
            for (std::size_t i = 0; i < 4; ++i)
              if (vertex(i) == face.key[0])
                face.opposite = vertex(3 - i);
          faces[c * n_local + f] = face;
        }
    // Faces are put to others of the same smallest vertex, which are few.
    std::vector<std::size_t> first(n_vertices + 2, 0);
#pragma omp parallel for schedule(static)
    for (std::size_t f = 0; f < faces.size(); ++f)
      {
#pragma omp atomic
        ++first[faces[f].key[0] + 2];
      }
    for (std::size_t v = 2; v < first.size(); ++v)
      first[v] += first[v - 1];
#pragma omp parallel for schedule(static)
    for (std::size_t f = 0; f < faces.size(); ++f)
      {
        std::size_t place = 0;
#pragma omp atomic capture
        place         = first[faces[f].key[0] + 1]++;
        sorted[place] = faces[f];
      }
#pragma omp parallel for schedule(dynamic, 1024)
    for (int v = 0; v < n_vertices; ++v)
      std::sort(sorted.begin() + first[v], sorted.begin() + first[v + 1],
                [](const Face &a, const Face &b) {
                  return std::tie(a.key, a.cell) < std::tie(b.key, b.cell);
                });
    return sorted;
  }


  std::vector<int>
  smallest_equals(const std::size_t n,
                  const std::vector<std::pair<int, int>> &pairs)
  {
    std::vector<int> target(n);
    std::iota(target.begin(), target.end(), 0);
    const auto root = [&target](int i) {
      while (target[i] != i)
        i = target[i];
      return i;
    };
    for (const auto &[a, b] : pairs)
      {
        const int ra = root(a), rb = root(b);
        target[std::max(ra, rb)] = std::min(ra, rb);
      }
    for (int &i : target)
      i = root(i);
    return target;
  }
} // namespace tessera::mesh_tools
