#include "numbering.h"

#include <tessera/base/parallel_vector.h>

#include <algorithm>
#include <numeric>

namespace tessera::internal
{
  std::vector<Place>
  places(const Connectivity &mesh)
  {
    const std::size_t n = mesh.n_components;
    auto place          = parallel_vector<Place>(mesh.n_dofs);
#pragma omp parallel for schedule(static)
    for (int dof = 0; dof < mesh.n_dofs; ++dof)
      {
        const auto first = mesh.constrained.begin() + dof * n;
        place[dof]       = std::find(first, first + n, 0) == first + n
                             ? Place::constrained
                             : Place::owned;
      }
    for (const int entry : mesh.hanging.entry)
      place[entry / n] = Place::hanging;
    return place;
  }


  void
  set_constraints(Space &space, const Connectivity &mesh,
                  const std::vector<int> &local)
  {
    const int n        = mesh.n_components;
    space.n_components = n;
    const int n_values = (space.n_owned + space.n_ghosts) * n;
    for (int i = 0; n > 1 && i < n_values; ++i)
      if (mesh.constrained[std::size_t(space.mesh_dof[i / n]) * n + i % n])
        space.fixed.push_back(i);

    const LinearConstraints &given = mesh.hanging;
    const auto entry               = [&](const int of_mesh) {
      return local[of_mesh / n] * n + of_mesh % n;
    };
    std::vector<int> order(given.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](const int a, const int b) {
      return entry(given.entry[a]) < entry(given.entry[b]);
    });
    for (const int k : order)
      {
        space.hanging.begin(entry(given.entry[k]));
        // What is given is zero in a homogeneous problem, and stands beside the
        // hanging entry in the others.
        for (std::int64_t m = given.start[k]; m < given.start[k + 1]; ++m)
          if (!mesh.constrained[given.source[m]])
            space.hanging.add(entry(given.source[m]), given.weight[m]);
      }
  }
} // namespace tessera::internal
