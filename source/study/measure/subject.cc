#include "subject.h"

#include <tessera/base/counted.h>
#include <tessera/parallel/messages.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace tessera::benchmarks
{
  namespace
  {
    Variation
    variation_of(const Variant &of)
    {
      const Names &names = variation_names();
      return static_cast<Variation>(
        std::find(names.begin(), names.end(),
                  of.get("Coefficients", names.front())) -
        names.begin());
    }

    /// Returns the part of this process, of which `make_piece` made what it
    /// knows.
    Part
    make_part_of_process(const MeshPiece &piece, const Processes &processes,
                         const std::string &numbering,
                         const CellOrder cell_order, const int block_side)
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
  } // namespace

  void
  Subject::clear()
  {
    space.reset();
    oracle = {};
    piece  = {};
  }

  void
  Subject::make_mesh(Variants &group)
  {
    const Variant of          = group.front();
    const Variation variation = variation_of(of);
    clear();
    processes.collectively([&]() {
      if (of["Cell types"].empty())
        piece = read_mesh(of["Forms"]);
      else
        {
          MeshChoice choice      = mesh_of(of, study.seed, study.distortion);
          const std::string tile = of.get("Tiles", "0x1");
          choice.tile_x          = std::stoi(tile);
          choice.tile_y          = std::stoi(tile.substr(tile.find('x') + 1));
          piece = make_piece(choice, processes.rank(), processes.size());
        }
      for (Variant &variant : group)
        {
          variant["Cell types"] = to_string(piece.mesh.cell_type);
          variant["Degrees"]    = std::to_string(piece.mesh.degree);
        }
      if (piece.mesh.n_components > 1 && variation != Variation::uniform)
        group.clear();
      else
        oracle =
          make_oracle(piece.mesh, study.seed, variation, piece.first_node);
    });
  }

  void
  Subject::make_space(const Variant &of)
  {
    const std::string numbering = of.get("Numberings", default_numbering);
    const CellOrder cell_order =
      cell_order_from_string(of.get("Cell orders", to_string(CellOrder::mesh)));
    const std::string side = of.get("Block sides");
    const int block_side = side.empty() ? default_block_side : std::stoi(side);
    space.reset();
    if (processes.size() == 1)
      {
        space = std::make_shared<const Space>(
          build_space(piece.mesh, numbering, cell_order, block_side));
        return;
      }
    Part part;
    processes.collectively([&]() {
      part = make_part_of_process(piece, processes, numbering, cell_order,
                                  block_side);
    });
    shared = processes.agree(part.plans, part.owned);
    space  = std::make_shared<const Space>(std::move(part.space));
  }

  void
  Subject::connect(const Backend backend)
  {
    transport = make_transport(processes, backend);
    std::cerr << counted(processes.size(), "process") << ": values travel by "
              << transport->name() << std::endl;
  }

  std::shared_ptr<const OtherParts>
  Subject::others() const
  {
    return std::make_shared<const OtherParts>(
      OtherParts{make_messages(processes), transport, shared});
  }

  program::Row
  Subject::row(const Variant &of) const
  {
    program::Row row;
    auto &shown         = row.parameters;
    row.case_name       = of["Cell types"] + ", degree " + of["Degrees"];
    row.backend         = of.get("Backends");
    row.number          = of.get("Numbers", "double");
    row.degree          = std::stoi(of["Degrees"]);
    row.numbering       = of.get("Numberings", default_numbering);
    row.dofs            = piece.n_free;
    row.cells           = piece.n_cells;
    shown["cell_type"]  = of["Cell types"];
    shown["cell_order"] = of.get("Cell orders", to_string(CellOrder::mesh));
    const auto set = [&](const char *const name, const std::string &value) {
      if (!value.empty() && value != "auto")
        shown[name] = std::int64_t(std::stoll(value));
    };
    set("dofs_asked", of["Degrees of freedom"]);
    set("block", of.get("Block sides"));
    set("carveout", of.get("Shared memory"));
    set("threads", of.get("Threads"));
    if (processes.size() > 1)
      shown["processes"] = std::int64_t(processes.size());
    if (piece.mesh.n_components > 1)
      {
        shown["form"] = vector_form;
        row.case_name = std::string(vector_form) + ", " + row.case_name;
      }
    if (oracle.variation != Variation::uniform)
      shown["coefficient"] = of["Coefficients"];
    if (const std::string tile = of.get("Tiles"); !tile.empty())
      shown["tile"] = tile;
    else if (const std::string file = of.get("Forms"); !file.empty())
      shown["mesh"] = std::filesystem::path(file).stem().string();
    return row;
  }

  void
  Subject::describe_parts(program::Row &row) const
  {
    const auto cells         = processes.gather(space->n_cells());
    const auto [least, most] = std::minmax_element(cells.begin(), cells.end());
    const Team team          = processes;
    const double mean        = team.sum(space->n_cells()) / processes.size();
    auto &parameters         = row.parameters;
    parameters["processes"]  = std::int64_t(processes.size());
    parameters["transport"]  = transport->name();
    parameters["cells_min"]  = static_cast<std::int64_t>(*least);
    parameters["cells_mean"] = mean;
    parameters["cells_max"]  = static_cast<std::int64_t>(*most);
    parameters["imbalance"]  = *most / mean;
    parameters["cells_known_max"] =
      static_cast<std::int64_t>(processes.largest(piece.mesh.n_cells()));
    parameters["ghosts"] = static_cast<std::int64_t>(team.sum(space->n_ghosts));
  }
} // namespace tessera::benchmarks
