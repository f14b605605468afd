#include "operator_benchmark.h"

#include <dealii_rows.h>
#include <peer_operator.h>
#include <subject.h>

#include <tessera/base/counted.h>
#include <tessera/base/target.h>
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
    : study(study), team(study.processes), processes(study.processes),
      is_alone(processes.size() == 1),
      n_default_threads(is_alone
                          ? omp_get_max_threads()
                          : std::min(omp_get_max_threads(), study.n_cores)),
      report(record, program::not_measured, study.error_limit,
             operator_layout(), team),
      subject(study, processes)
  {}

  ExitCode
  run(program::Record &record)
  {
    const program::RestoreThreads restore;
    for (const PeerDescriptor *const peer : study.peers)
      if (contains(study["Backends"], "host") && is_alone &&
          peer->works_with.host)
        report.set_error_limit(peer->library, study.parameters.get_double(
                                                "Study/Error limit of peers"));
    benchmarks::open(
      record, study, study.line,
      [&]() { use_backend("cuda", study.line, team); }, team);
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
          [&](Variants &group) { subject.make_space(group.front()); }},
         {{"Numbers", "Shared memory"},
          [&](Variants &group) { measure(group); }}},
        [&](const Variants &group, const std::exception_ptr &failure) {
          give_up(group, failure);
        },
        team);
    });
  }

private:
  /// Makes the mesh, or the piece of this process, for the variants that fit
  /// into the memory of the host.
  void
  make_mesh(Variants &group)
  {
    peers.reset();
    subject.clear();
    Variants rest;
    for (const Variant &variant : group)
      attempt(
        [&]() {
          processes.collectively([&]() { study.check_host_memory(variant); });
          rest.push_back(variant);
        },
        [&](const std::exception_ptr &failure) { give_up({variant}, failure); },
        team);
    group = rest;
    if (group.empty())
      return;
    use_all_threads();
    subject.make_mesh(group);
    if (is_alone)
      peers = make_dealii_rows(subject.piece.mesh, subject.oracle, report,
                               timing_of(study.n_samples));
  }

  /// Chooses backend, device and threads.
  void
  start_backend(const Variants &group)
  {
    backend = use_backend(group.front()["Backends"], study.line, team).backend;
    if (backend == Backend::host)
      use_threads(std::stoi(group.front()["Threads"]),
                  program::Affinity::pinned);
    else
      use_all_threads();
    if (bandwidths.count(n_threads) == 0)
      {
        processes.wait();
        bandwidths[n_threads] = team.sum(program::copy_bandwidth(backend));
      }
    report.set_copy_bandwidth(bandwidths.at(n_threads));
    if (!is_alone)
      subject.connect(backend);
  }

  /// Measures one number type.
  void
  measure(const Variants &group)
  {
    const Sweep sweep = sweep_of(group);
    Row row           = common_row(group.front());
    if (!is_alone)
      subject.describe_parts(row);
    run_sweep(sweep, report, subject.oracle, subject.space, row,
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
  sweep_of(const Variants &group)
  {
    Sweep sweep  = make_sweep(study, backend, group);
    sweep.others = subject.others();
    sweep.peers  = is_alone ? peers_of(backend) : Peers();
    sweep.kinds  = {"assembly", "preconditioner", "cg"};
    if (measures(group, "application"))
      sweep.kinds.push_back("application");
    std::set<std::string> compared; // preconditioners of its iterations
    for (const Variant &v : group)
      if (v.kind == "cg" && v["Operators"] == compared_operator)
        compared.insert(v["Preconditioners"]);
    sweep.wanted = [this, compared, any = group.front()](
                     const Row &row, const AssemblyOptions &options) {
      const auto M = row.parameters.find("preconditioner");
      const std::string preconditioner =
        M == row.parameters.end() ? "" : std::get<std::string>(M->second);
      if (row.library != "tessera")
        return row.kind != "cg" || compared.count(preconditioner) > 0;
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
      return refuse_peers(common_row(group.front()));
    if (backend != Backend::host)
      return;
    use_threads(n_threads, program::Affinity::first_cores);
    for (const Variants &same : group_by(group, {"Numbers"}))
      {
        Row row = common_row(same.front());
        row.numbering.clear();
        row.parameters.erase("cell_order");
        row.parameters.erase("simd_width");
        for (const PeerDescriptor *const peer : peers_of(backend))
          for (const std::string &kind : peer->kinds)
            if (measures(same, kind))
              {
                row.kind    = kind;
                row.library = peer->library;
                peers->measure(*peer, row);
              }
      }
    peers->clear();
  }

  /// Adds rows that say why libraries are not measured in several processes.
  void
  refuse_peers(Row row)
  {
    row.numbering.clear();
    for (const PeerDescriptor *const peer : peers_of(backend))
      {
        row.op      = peer->name;
        row.library = peer->library;
        report.measure(row, [](Row &r) {
          throw ParameterError("The peer " + r.op +
                               " is measured in one process; start the "
                               "program without mpirun for its rows.");
        });
      }
  }

  /// Returns the peers of the study that work on a backend.
  Peers
  peers_of(const Backend of) const
  {
    Peers result;
    for (const PeerDescriptor *const peer : study.peers)
      if (peer->works_with.is_for(of))
        result.push_back(peer);
    return result;
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

  Row
  common_row(const Variant &variant) const
  {
    Row row = subject.row(variant);
    if (!variant["Threads"].empty())
      {
        row.parameters["affinity"] = affinity;
        row.parameters["simd_width"] =
          std::int64_t(row.number == "double" ? lanes<double>(Backend::host)
                                              : lanes<float>(Backend::host));
      }
    return row;
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
          Row row      = common_row(variant);
          row.kind     = variant.kind;
          row.op       = variant["Operators"];
          row.strategy = variant["Strategies"];
          row.route    = variant["Routes"];
          row.conflict = variant["Conflicts"];
          if (const std::string &M = variant["Preconditioners"]; !M.empty())
            row.parameters["preconditioner"] = M;
          variant.show_options(row);
          report.measure(row, [&](Row &) { fail(variant); });
        }
  }

  const OperatorStudy &study;
  const Team team;
  const Processes &processes;
  const bool is_alone;         ///< without other processes
  const int n_default_threads; ///< as the environment says

  Report report;
  std::set<Variant> pending;
  std::map<int, double> bandwidths; ///< of copies, by threads; 0: the device

  Subject subject;
  std::unique_ptr<DealiiRows> peers; ///< of the mesh at hand

  // of the backend and the threads at hand
  Backend backend = Backend::host;
  int n_threads   = 0;
  std::string affinity;
};


ExitCode
run(const OperatorStudy &study, program::Record &record)
{
  return OperatorBenchmark(study, record).run(record);
}
