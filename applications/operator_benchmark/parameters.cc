#include "operator_benchmark.h"

#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/program/affinity.h>
#include <tessera/program/choices.h>

#include <unistd.h>

#include <algorithm>

using namespace tessera;
using namespace benchmarks;

namespace
{
  const Names kinds = {"application", "assembly", "preconditioner", "cg"};

  /// Returns the peers that have rows of these kinds.
  Peers
  all_peers()
  {
    return peers_where([](const PeerDescriptor &peer) {
      return std::any_of(
        peer.kinds.begin(), peer.kinds.end(),
        [](const auto &kind) { return contains(kinds, kind); });
    });
  }
} // namespace


const Factors &
factors()
{
  static const Factors all = []() {
    Factors lists = {
      factor("Cell types"),
      factor("Degrees"),
      factor("Degrees of freedom"),
      factor("Backends"),
      factor_of_values(
        "Threads", "0", Patterns::Integer(0, 32767),
        "threads of a process on the host; 0: all cores that it may use, or "
        "its share of them; the option --threads replaces the list"),
      factor("Numberings"),
      factor("Cell orders", "hilbert"),
      factor("Block sides"),
      factor("Numbers"),
      factor("Shared memory"),
      factor("Operators"),
      factor("Strategies"),
      factor("Routes"),
      factor("Conflicts"),
      factor("Preconditioners")};
    add_operator_options(lists);
    return lists;
  }();
  return all;
}


void
declare_parameters(Parameters &parameters)
{
  declare_study(parameters, factors(), "20");
  declare_sweep(parameters, factors(), "one_factor");
  parameters.declare("Study/Kinds", "all", names_or_all(kinds),
                     "what is measured of each: y = A x; computing and writing "
                     "the entries that are stored; z = M^-1 r; an iteration of "
                     "conjugate gradients");
  declare_peers(parameters, all_peers(), "all",
                "other libraries beside our rows, see --list: on the host with "
                "the same threads, on a device beside csr");
  parameters.declare("Study/Pin threads", "true", Patterns::Bool(),
                     "whether each thread of the host has a core of its own, "
                     "near the memory that it touched first; threads of peers "
                     "share as many cores");
  parameters.declare("Study/Error limit of peers", "1e5", Patterns::Double(0.),
                     "the same of peers on the host; deal.II adds up "
                     "Jacobians from global coordinates, which costs it the "
                     "digits of coordinate over mesh width");
}


namespace
{
  const Processes &
  processes_of(const program::CommandLine &line)
  {
    const Processes &processes = Processes::of_program();
    if (processes.size() > 1 && line.n_processes > 1)
      throw ParameterError("--processes is for a program that runs alone.");
    return processes;
  }

  /// Returns the cores that a process may use. Where mpirun ties no process to
  /// cores of its own, they share the cores of the machine.
  int
  share_of_cores(const Processes &processes)
  {
    const int cores = static_cast<int>(program::process_cores().size());
    const bool tied = cores < sysconf(_SC_NPROCESSORS_ONLN);
    const int share =
      tied ? cores : std::max(1, cores / processes.size_on_machine());
    return static_cast<int>(-processes.largest(-share));
  }
} // namespace


OperatorStudy::OperatorStudy(Parameters &parameters,
                             const program::CommandLine &line)
  : Study(with_options(parameters, line, true), ::factors(), line.device),
    line(line), processes(processes_of(line)),
    n_cores(share_of_cores(processes)),
    peers(read_peers(parameters, all_peers())),
    all(variants([this](Variant &v) { make_canonical(v); },
                 read_names(parameters, "Study/Kinds", kinds)))
{}


void
OperatorStudy::make_canonical(Variant &v) const
{
  const OperatorDescriptor &op = descriptor(v["Operators"]);
  const bool rows              = op.stores_rows();
  const bool assembly          = v.kind == "assembly";
  const bool product           = v.kind == "application" || v.kind == "cg";
  const Backend backend        = backend_of(v);
  std::string &route           = v["Routes"];
  std::string &conflict        = v["Conflicts"];
  if (!rows || !assembly)
    route.clear();
  else if (op.is_appended())
    route = to_string(Route::append);
  else if (route == "default")
    route = to_string(conflict != "default"
                        ? Route::scatter
                        : default_route(v["Operators"],
                                        cell_type_from_string(v["Cell types"]),
                                        std::stoi(v["Degrees"]), 1, backend));
  if (rows != assembly || route == to_string(Route::gather))
    conflict.clear(); // rows are applied, cell matrices written without
  else if (conflict == "default")
    conflict = to_string(default_conflict(backend));

  if (backend == Backend::cuda)
    v["Threads"].clear();
  else if (v["Threads"] == "0")
    v["Threads"] = std::to_string(n_cores);
  if (goes_by_blocks(v["Numberings"], cell_order_from_string(v["Cell orders"])))
    v["Cell orders"] = to_string(CellOrder::blocked);
  else
    v["Block sides"].clear();
  if (backend == Backend::host)
    v["Shared memory"].clear();
  const bool computes =
    assembly ? !op.stores_nothing : product && op.assembles_in_products;
  if (!computes)
    v["Strategies"].clear();
  if (v.kind != "preconditioner" && v.kind != "cg")
    v["Preconditioners"].clear();
  for (const FactorEntry &list : factors)
    if (list.set != nullptr &&
        (!op.has(*list.set) || !(product || list.set->in_assembly)))
      v[list.name].clear();
}
