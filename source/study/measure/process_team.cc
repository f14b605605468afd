#include "process_team.h"

#include <algorithm>

namespace tessera::benchmarks
{
  Part
  make_part_of_process(const MeshPiece &piece, const Processes &processes,
                       const std::string &numbering, const CellOrder cell_order,
                       const int block_side)
  {
    const Connectivity &mesh = piece.mesh;
    std::vector<int> part(mesh.n_cells());
    for (std::size_t c = 0; c < part.size(); ++c)
      part[c] = static_cast<int>((piece.first_cell + c) * processes.size() /
                                 piece.n_cells);
    MeshNodes nodes = nodes_of(mesh, part);
    for (std::int64_t &id : nodes.id)
      id += piece.first_node;
    const int self = processes.rank();
    std::vector<char> local_cells(part.size());
    std::transform(part.begin(), part.end(), local_cells.begin(),
                   [self](const int p) { return p == self; });
    return make_part(mesh, local_cells, self, nodes, numbering, cell_order,
                     block_side);
  }

  void
  describe_parts(program::Row &row, const Space &space, const double n_known,
                 const Team &team, const Transport &transport)
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
    parameters["cells_known_max"] =
      static_cast<std::int64_t>(team.largest(n_known));
    parameters["ghosts"] = static_cast<std::int64_t>(team.sum(space.n_ghosts));
  }
} // namespace tessera::benchmarks
