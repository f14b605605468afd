#include "process_team.h"

#include <tessera/base/error.h>

#include <algorithm>
#include <string>

namespace tessera::benchmarks
{
  Part
  make_part_of_process(const Connectivity &mesh, const Processes &processes,
                       const Numbering numbering, const CellOrder cell_order,
                       const int block_side)
  {
    const int n = processes.size();
    if (mesh.n_cells() < n)
      throw MeshError("A mesh of " + std::to_string(mesh.n_cells()) +
                      " cells cannot be divided among " + std::to_string(n) +
                      " processes.");
    std::vector<int> part(mesh.n_cells());
    for (std::size_t c = 0; c < part.size(); ++c)
      part[c] = static_cast<int>(c * n / part.size());
    const int self = processes.rank();
    std::vector<char> here(part.size());
    std::transform(part.begin(), part.end(), here.begin(),
                   [self](const int p) { return p == self; });
    return make_part(mesh, here, self, nodes_of(mesh, part), numbering,
                     cell_order, block_side);
  }

  void
  describe_parts(study::Row &row, const Space &space, const Team &team,
                 const Transport &transport)
  {
    const auto cells         = team.gather(space.n_cells());
    const auto [least, most] = std::minmax_element(cells.begin(), cells.end());
    const double mean        = team.sum(space.n_cells()) / team.size();
    auto &parameters         = row.parameters;
    parameters["processes"]  = std::int64_t(team.size());
    parameters["transport"]  = transport.name();
    parameters["cells_min"]  = static_cast<std::int64_t>(*least);
    parameters["cells_mean"] = mean;
    parameters["cells_max"]  = static_cast<std::int64_t>(*most);
    parameters["imbalance"]  = *most / mean;
    parameters["ghosts"] = static_cast<std::int64_t>(team.sum(space.n_ghosts));
  }
} // namespace tessera::benchmarks
