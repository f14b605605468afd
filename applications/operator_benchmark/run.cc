#include "operator_benchmark.h"

#include <dealii_rows.h>
#include <sweep.h>

#include <tessera/base/counted.h>
#include <tessera/fem/driver/threads.h>
#include <tessera/operators/factory.h>
#include <tessera/program/affinity.h>

#include <omp.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <set>

using namespace tessera;
using namespace benchmarks;

using program::Row;

class OperatorBenchmark
{
public:
  OperatorBenchmark(const OperatorStudy &study, program::Record &record)
    : study(study), processes(study.processes), team(study.team),
      libraries(study.libraries), is_alone(processes.size() == 1),
      n_default_threads(is_alone
                          ? omp_get_max_threads()
                          : std::min(omp_get_max_threads(), study.n_cores)),
      report(record, program::not_measured, study.error_limit)
  {
    report.set_team(team);
  }

  ExitCode
  run(program::Record &record)
  {
    const program::RestoreThreads restore;
    for (const char *library : {"deal.II", "Trilinos"})
      if (contains(study["Backends"], "host") && !libraries.empty() && is_alone)
        report.set_error_limit(
          library, study.parameters.get_double("Study/Error limit of peers"));
    benchmarks::open(
      record, study, study.line, [&]() { use("cuda"); }, *team);
    std::cerr << counted(study.all.size(), "variant") << " and their peers"
              << std::endl;

    pending.insert(study.all.begin(), study.all.end());
    return finish(record, report, [&]() {
      run_levels(
        study.all,
        {{{"Cell types", "Degrees", "Degrees of freedom"},
          [&](Variants &group) { make_mesh(group); }},
         {{"Backends", "Threads"},
          [&](Variants &group) { start_backend(group); },
          [&](const Variants &group) { measure_peers(group); }},
         {{"Numberings", "Cell orders", "Block sides"},
          [&](Variants &group) { make_space(group); }},
         {{"Numbers", "Shared memory"},
          [&](Variants &group) { measure(group); }}},
        [&](const Variants &group, const std::exception_ptr &failure) {
          give_up(group, failure);
        },
        *team);
    });
  }

private:
  /// Makes the mesh, or the piece of this process, for the variants that fit
  /// into the memory of the host.
  void
  make_mesh(Variants &group)
  {
    peers.reset();
    piece  = {};
    oracle = {};
    Variants rest;
    for (const Variant &variant : group)
      attempt(
        [&]() {
          team->collectively([&]() { study.check_host_memory(variant); });
          rest.push_back(variant);
        },
        [&](const std::exception_ptr &failure) { give_up({variant}, failure); },
        *team);
    group = rest;
    if (group.empty())
      return;
    use_all_threads();
    const Variant &first = group.front();
    team->collectively([&]() {
      piece  = make_piece(cell_type_from_string(first["Cell types"]),
                          std::stod(first["Degrees of freedom"]),
                          std::stoi(first["Degrees"]), study.seed,
                          processes.rank(), processes.size());
      oracle = make_oracle(piece.mesh, study.seed, Variation::uniform,
                           piece.first_node);
    });
    if (is_alone)
      peers = make_dealii_rows(piece.mesh, oracle, report,
                               timing_of(study.n_samples));
  }

  /// Chooses backend, device and threads.
  void
  start_backend(const Variants &group)
  {
    backend = use(group.front()["Backends"]);
    if (backend == Backend::host)
      use_threads(std::stoi(group.front()["Threads"]),
                  program::Affinity::pinned);
    else
      use_all_threads();
    if (bandwidths.count(n_threads) == 0)
      {
        team->wait();
        bandwidths[n_threads] = team->sum(program::copy_bandwidth(backend));
      }
    report.set_copy_bandwidth(bandwidths.at(n_threads));
    if (!is_alone)
      {
        transport = make_transport(processes, backend);
        std::cerr << counted(team->size(), "process") << ": values travel by "
                  << transport->name() << std::endl;
      }
  }

  /// Makes the space of a whole mesh, or of the part of this process.
  void
  make_space(const Variants &group)
  {
    const Variant &of           = group.front();
    const std::string &side     = of["Block sides"];
    const std::string numbering = of["Numberings"];
    const CellOrder cell_order  = cell_order_from_string(of["Cell orders"]);
    const int block_side = side.empty() ? default_block_side : std::stoi(side);
    space.reset();
    if (is_alone)
      {
        space = std::make_shared<const Space>(
          build_space(piece.mesh, numbering, cell_order, block_side));
        return;
      }
    Part part;
    team->collectively([&]() {
      part = make_part_of_process(piece, processes, numbering, cell_order,
                                  block_side);
    });
    shared = processes.agree(part.plans, part.owned);
    space  = std::make_shared<const Space>(std::move(part.space));
  }

  /// Measures one number type.
  void
  measure(const Variants &group)
  {
    const Sweep sweep = make_sweep(group);
    Row row           = common_row(group.front());
    if (!is_alone)
      describe_parts(row, *space, piece.mesh.n_cells(), *team, *transport);
    run_sweep(sweep, report, oracle, space, row,
              group.front()["Shared memory"]);
    give_up(group, [](const Variant &variant) {
      if (variant.kind == "assembly" &&
          descriptor(variant["Operators"]).stores_nothing)
        throw ParameterError("The operator " + variant["Operators"] +
                             " stores nothing that could be assembled.");
      throw std::logic_error("The sweep left out a variant.");
    });
  }

  static bool
  measures(const Variants &group, const std::string &kind)
  {
    return std::any_of(group.begin(), group.end(),
                       [&](const Variant &v) { return v.kind == kind; });
  }

  Sweep
  make_sweep(const Variants &group)
  {
    const auto values = [&](const std::string &factor,
                            const std::string &if_none) {
      const Names found = values_of(group, factor);
      return found.empty() ? Names{if_none} : found;
    };
    Sweep sweep;
    sweep.backend   = backend;
    sweep.device    = device;
    sweep.n_samples = study.n_samples;
    if (!is_alone)
      sweep.neighbours = {transport, shared};
    sweep.kinds = {"assembly", "preconditioner", "cg"};
    if (measures(group, "application"))
      sweep.kinds.push_back("application");
    std::set<std::string> of_csr; // preconditioners of its iterations
    for (const Variant &v : group)
      if (v.kind == "cg" && v["Operators"] == "csr")
        of_csr.insert(v["Preconditioners"]);
    sweep.operators  = values_of(group, "Operators");
    sweep.strategies = values("Strategies", default_strategy);
    sweep.routes     = values("Routes", to_string(Route()));
    sweep.conflicts = values("Conflicts", to_string(default_conflict(backend)));
    sweep.preconditioners = values_of(group, "Preconditioners");
    for (const FactorEntry &list : factors())
      if (list.set != nullptr)
        sweep.storage[list.name] = values(list.name, list.set->text({}));
    sweep.wanted = [this, of_csr, any = group.front()](
                     const Row &row, const AssemblyOptions &options) {
      const auto M = row.parameters.find("preconditioner");
      const std::string preconditioner =
        M == row.parameters.end() ? "" : std::get<std::string>(M->second);
      if (row.library != "tessera")
        return is_alone && contains(libraries, "cusparse") &&
               (row.kind != "cg" || of_csr.count(preconditioner) > 0);
      Variant v            = any;
      v.kind               = row.kind;
      v["Operators"]       = row.op;
      v["Strategies"]      = row.strategy;
      v["Routes"]          = row.route;
      v["Conflicts"]       = row.conflict;
      v["Preconditioners"] = preconditioner;
      for (const FactorEntry &list : factors())
        if (list.set != nullptr)
          v[list.name] = list.set->text(options.storage);
      study.make_canonical(v);
      return pending.erase(v) > 0;
    };
    return sweep;
  }

  /// Measures other libraries, or, in several processes, says why not.
  void
  measure_peers(const Variants &group)
  {
    if (!is_alone)
      return refuse_peers(common_row(group.front()), backend, study, report);
    if (backend != Backend::host)
      return;
    use_threads(n_threads, program::Affinity::first_cores);
    for (const Variants &same : group_by(group, {"Numbers"}))
      {
        Row row = common_row(same.front());
        row.numbering.clear();
        row.parameters.erase("cell_order");
        row.parameters.erase("simd_width");
        const auto has = [&](const char *library, const char *kind) {
          return contains(libraries, library) && measures(same, kind);
        };
        if (has("dealii_sparse_matrix", "assembly"))
          {
            peers->assembly(row);
            peers->matrix_creator(row);
          }
        if (has("dealii_sparse_matrix", "application"))
          peers->sparse_matrix(row);
        if (has("trilinos_epetra", "application"))
          peers->epetra(row);
        if (has("dealii_matrix_free", "application"))
          peers->matrix_free(row);
      }
    peers->clear();
  }

  /// Lets all threads of the start work on any core, as meshes and the host
  /// beside the device need.
  void
  use_all_threads()
  {
    n_threads = 0;
    affinity.clear();
    program::use_threads(n_default_threads, program::Affinity::anywhere);
    set_threads(n_default_threads);
  }

  /// Sets the number of threads, and their cores unless there are processes.
  void
  use_threads(const int n, const program::Affinity wanted)
  {
    n_threads = n;
    const bool pins =
      study.parameters.get_bool("Study/Pin threads") && is_alone;
    affinity = to_string(
      program::use_threads(n, pins ? wanted : program::Affinity::anywhere), n);
    set_threads(n);
  }

  /// Chooses a backend, and on a device that of this process.
  Backend
  use(const std::string &backend_name)
  {
    Backend used = Backend::host;
    team->collectively([&]() {
      device = study.line.device;
      used   = is_alone ? use_backend(backend_name, device).backend
                        : choose_backend(backend_name, device).backend;
      if (!is_alone && used == Backend::cuda)
        device = set_device_of_process(processes,
                                       study.line.device_given ? device : -1);
    });
    return used;
  }

  Row
  common_row(const Variant &variant) const
  {
    return ::common_row(variant, study, piece, affinity);
  }

  void
  give_up(const Variants &group, const std::exception_ptr &failure)
  {
    give_up(group, [&](const Variant &) { std::rethrow_exception(failure); });
  }

  /// Adds what is pending of the group as rows in which `fail`, which throws,
  /// is all that happens.
  void
  give_up(const Variants &group,
          const std::function<void(const Variant &)> &fail)
  {
    for (const Variant &variant : group)
      if (pending.erase(variant) > 0)
        {
          Row row         = common_row(variant);
          row.kind        = variant.kind;
          row.op          = variant["Operators"];
          row.strategy    = variant["Strategies"];
          row.route       = variant["Routes"];
          row.conflict    = variant["Conflicts"];
          const auto show = [&](const std::string &name,
                                const std::string &value) {
            if (!value.empty())
              row.parameters[name] = value;
          };
          show("preconditioner", variant["Preconditioners"]);
          for (const FactorEntry &list : factors())
            if (list.set != nullptr)
              show(list.set->key(), variant[list.name]);
          report.measure(row, [&](Row &) { fail(variant); });
        }
  }

  const OperatorStudy &study;
  const Processes &processes;
  const std::shared_ptr<const Team> team;
  const Names &libraries;
  const bool is_alone;         ///< without other processes
  const int n_default_threads; ///< as the environment says
  int device = 0;

  Report report;
  std::set<Variant> pending;
  std::map<int, double> bandwidths; ///< of copies, by threads; 0: the device

  // of the mesh at hand
  MeshPiece piece; ///< the whole one of one process
  Oracle oracle;
  std::unique_ptr<DealiiRows> peers;

  // of the backend and the threads at hand
  Backend backend = Backend::host;
  int n_threads   = 0;
  std::string affinity;
  std::shared_ptr<const Transport> transport;

  // of the layout at hand
  std::shared_ptr<const Space> space;
  SharedNodes shared;
};


ExitCode
run(const OperatorStudy &study, program::Record &record)
{
  return OperatorBenchmark(study, record).run(record);
}
