#include "operator_benchmark.h"

#include <tessera/base/error.h>
#include <tessera/base/runtime.h>

#include <omp.h>
#include <unistd.h>

#include <algorithm>

using namespace tessera;

namespace
{
  Parameters &
  with_options(Parameters &parameters, const program::CommandLine &line)
  {
    if (line.backend != "auto")
      parameters.set("Factors/Backends", line.backend);
    if (line.threads != 0)
      parameters.set("Factors/Threads", std::to_string(line.threads));
    return parameters;
  }

  const Processes *
  processes_of(const program::CommandLine &line)
  {
    const Processes *const processes = Processes::of_program();
    if (processes != nullptr && line.n_processes > 1)
      throw ParameterError("--processes is for a program that runs alone.");
    return processes;
  }

  std::shared_ptr<const benchmarks::Team>
  team_of(const Processes *const processes)
  {
    if (processes == nullptr)
      return std::make_shared<benchmarks::Team>();
    return std::make_shared<benchmarks::ProcessTeam>(*processes);
  }

  /// Returns the cores that a process may use. Where mpirun ties none of them
  /// to cores of its own, they share those of the machine.
  int
  share_of_cores(const Processes *const processes)
  {
    const int cores = static_cast<int>(program::process_cores().size());
    if (processes == nullptr)
      return cores;
    const bool tied = cores < sysconf(_SC_NPROCESSORS_ONLN);
    const int share =
      tied ? cores : std::max(1, cores / processes->size_on_machine());
    return static_cast<int>(-processes->largest(-share));
  }
} // namespace


OperatorBenchmark::OperatorBenchmark(Parameters &parameters,
                                     const program::CommandLine &line)
  : parameters(with_options(parameters, line)), line(line),
    processes(processes_of(line)), team(team_of(processes)),
    study(read_study(parameters, line.device, share_of_cores(processes))),
    all(variants(study)),
    n_default_threads(
      processes == nullptr
        ? omp_get_max_threads()
        : std::min(omp_get_max_threads(), share_of_cores(processes)))
{}


Backend
OperatorBenchmark::use(const std::string &backend_name)
{
  Backend used = Backend::host;
  team->collectively([&]() {
    device = line.device;
    used   = processes == nullptr ? use_backend(backend_name, device).backend
                                  : choose_backend(backend_name, device).backend;
    if (processes != nullptr && used == Backend::cuda)
      device =
        set_device_of_process(*processes, line.device_given ? device : -1);
  });
  return used;
}


void
OperatorBenchmark::run_layout(const Variants &group)
{
  const Variant &of           = group.front();
  const std::string &side     = of[Factor::block_side];
  const std::string numbering = of[Factor::numbering];
  const CellOrder cell_order  = cell_order_from_string(of[Factor::cell_order]);
  const int block_side = side.empty() ? default_block_side : std::stoi(side);
  std::shared_ptr<const Space> space;
  if (processes == nullptr)
    space = std::make_shared<const Space>(
      build_space(piece.mesh, numbering, cell_order, block_side));
  else
    {
      Part part;
      team->collectively([&]() {
        part = benchmarks::make_part_of_process(piece, *processes, numbering,
                                                cell_order, block_side);
      });
      shared = processes->agree(part.plans, part.owned);
      space  = std::make_shared<const Space>(std::move(part.space));
    }
  for (const Variants &number :
       group_by(group, {Factor::number, Factor::carveout}))
    attempt(number, [&]() { run_space(number, space); });
}


void
OperatorBenchmark::refuse_peers(const Variants &group)
{
  const std::pair<const char *, const char *> libraries[] = {
    {"dealii_sparse_matrix", "deal.II"},
    {"dealii_matrix_free", "deal.II"},
    {"trilinos_epetra", "Trilinos"},
    {"cusparse", "cuSPARSE"}};
  for (const auto &[peer, library] : libraries)
    if (const bool of_device = std::string(peer) == "cusparse";
        has_peer(peer) && of_device == (backend == Backend::cuda))
      {
        Row row     = common_row(group.front());
        row.library = library;
        row.op      = peer;
        row.numbering.clear();
        report->measure(row, [](Row &r) {
          throw ParameterError("The peer " + r.op +
                               " is measured in one process; start the program "
                               "without mpirun for its rows.");
        });
      }
}
