#include "operator_benchmark.h"

#include <program.h>

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/base/launch_log.h>
#include <tessera/base/runtime.h>
#include <tessera/base/target.h>
#include <tessera/fem/driver/threads.h>
#include <tessera/operators/factory.h>
#include <tessera/program/program.h>

#include <omp.h>

#include <algorithm>
#include <iostream>
#include <optional>

using namespace tessera;

namespace
{
  /// Numbers in a SIMD vector of our host kernels.
  std::int64_t
  simd_width(const std::string &number)
  {
    return number == "double" ? lanes<double>(Backend::host)
                              : lanes<float>(Backend::host);
  }
} // namespace


bool
OperatorBenchmark::has_peer(const std::string &name) const
{
  return std::count(study.peers.begin(), study.peers.end(), name) > 0;
}


ExitCode
OperatorBenchmark::run(program::Record &record)
{
  const auto backends = values_of(all, Factor::backend);
  const bool on_host = std::count(backends.begin(), backends.end(), "host") > 0;
  const program::RestoreThreads restore;

  record.set_parameters(parameters.values());
  record.set_seed(study.seed);
  report = std::make_unique<benchmarks::Report>(record, program::not_measured,
                                                study.error_limit);
  report->set_team(team);
  for (const char *library : {"deal.II", "Trilinos"})
    if (on_host && !study.peers.empty() && processes == nullptr)
      report->set_error_limit(library, study.peer_error_limit);
  if (backends.size() > 1 || !on_host)
    try
      {
        use("cuda");
        record.set_device(runtime::properties(device),
                          program::copy_bandwidth(Backend::cuda));
      }
    catch (const DeviceError &)
      {} // rows say so
  team->collectively([&]() {
    if (processes == nullptr || processes->rank() == 0)
      record.open(line.output_folder);
  });
  std::cerr << counted(all.size(), "variant") << " and their peers"
            << std::endl;

  pending.insert(all.begin(), all.end());
  return benchmarks::finish(record, *report, [&]() {
    for (const Variants &group :
         group_by(all, {Factor::cell_type, Factor::degree, Factor::dofs}))
      run_mesh(group);
  });
}


void
OperatorBenchmark::run_mesh(const Variants &group)
{
  const Variant &first = group.front();
  bool is_created      = false;
  peers.reset();
  piece  = {};
  oracle = {};
  Variants rest;
  for (const Variant &variant : group)
    {
      attempt({variant}, [&]() {
        team->collectively([&]() { check_host_memory(variant); });
      });
      if (pending.count(variant) > 0)
        rest.push_back(variant);
    }
  if (rest.empty())
    return;
  use_all_threads();
  attempt(rest, [&]() {
    team->collectively([&]() {
      piece = benchmarks::make_piece(
        cell_type_from_string(first[Factor::cell_type]),
        std::stod(first[Factor::dofs]), std::stoi(first[Factor::degree]),
        study.seed, processes == nullptr ? 0 : processes->rank(), team->size());
      oracle = benchmarks::make_oracle(piece.mesh, study.seed,
                                       benchmarks::Variation::uniform,
                                       piece.first_node);
    });
    program::MeasureOptions timing;
    timing.n_samples = study.n_samples;
    timing.go_on     = []() { return !program::interrupted(); };
    if (processes == nullptr)
      peers = benchmarks::make_dealii_rows(piece.mesh, oracle, *report, timing);
    is_created = true;
  });
  if (is_created)
    for (const Variants &same :
         group_by(rest, {Factor::backend, Factor::threads}))
      run_backend(same);
}


void
OperatorBenchmark::use_all_threads()
{
  n_threads = 0;
  affinity.clear();
  program::use_threads(n_default_threads, program::Affinity::anywhere);
  set_threads(n_default_threads);
}


void
OperatorBenchmark::run_backend(const Variants &group)
{
  const Variant &first = group.front();
  const auto threads   = [&](const program::Affinity wanted) {
    n_threads       = std::stoi(first[Factor::threads]);
    const bool pins = study.pin_threads && processes == nullptr;
    affinity =
      to_string(program::use_threads(
                    n_threads, pins ? wanted : program::Affinity::anywhere),
                  n_threads);
    set_threads(n_threads);
  };
  bool usable = false;
  attempt(group, [&]() {
    backend = use(first[Factor::backend]);
    if (backend == Backend::host)
      threads(program::Affinity::pinned);
    else
      use_all_threads();
    if (bandwidths.count(n_threads) == 0)
      {
        team->wait();
        const double measured = team->sum(program::copy_bandwidth(backend));
        bandwidths[n_threads] = measured;
      }
    report->set_copy_bandwidth(bandwidths.at(n_threads));
    if (processes != nullptr)
      {
        transport = make_transport(*processes, backend);
        std::cerr << counted(team->size(), "process") << ": values travel by "
                  << transport->name() << std::endl;
      }
    usable = true;
  });
  if (!usable)
    return;
  for (const Variants &same : group_by(
         group, {Factor::numbering, Factor::cell_order, Factor::block_side}))
    attempt(same, [&]() { run_layout(same); });
  if (processes != nullptr)
    refuse_peers(group);
  else if (backend == Backend::host)
    {
      threads(program::Affinity::first_cores);
      run_peers(group);
    }
}


void
OperatorBenchmark::run_space(const Variants &group,
                             const std::shared_ptr<const Space> &space)
{
  const std::string &percent = group.front()[Factor::carveout];
  runtime::prefer_shared_memory(percent.empty() || percent == "auto"
                                  ? std::optional<int>()
                                  : std::stoi(percent));
  const benchmarks::Sweep sweep = make_sweep(group);
  Row row                       = common_row(group.front());
  if (processes != nullptr)
    benchmarks::describe_parts(row, *space, piece.mesh.n_cells(), *team,
                               *transport);
  if (group.front()[Factor::number] == "double")
    benchmarks::run_sweep<double>(sweep, *report, oracle, space, row);
  else
    benchmarks::run_sweep<float>(sweep, *report, oracle, space, row);
  give_up(group, [](const Variant &variant) {
    if (variant.kind == "assembly" &&
        descriptor(variant[Factor::op]).stores_nothing)
      throw ParameterError("The operator " + variant[Factor::op] +
                           " stores nothing that could be assembled.");
    throw std::logic_error("The sweep left out a variant.");
  });
}


void
OperatorBenchmark::run_peers(const Variants &group)
{
  for (const Variants &same : group_by(group, {Factor::number}))
    {
      Row row = common_row(same.front());
      row.numbering.clear();
      row.parameters.erase("cell_order");
      row.parameters.erase("simd_width");
      const auto has = [&](const char *kind) {
        return std::any_of(same.begin(), same.end(),
                           [&](const Variant &v) { return v.kind == kind; });
      };
      const bool sparse = has_peer("dealii_sparse_matrix");
      if (sparse && has("assembly"))
        {
          peers->assembly(row);
          peers->matrix_creator(row);
        }
      if (sparse && has("application"))
        peers->sparse_matrix(row);
      if (has_peer("trilinos_epetra") && has("application"))
        peers->epetra(row);
      if (has_peer("dealii_matrix_free") && has("application"))
        peers->matrix_free(row);
    }
  peers->clear();
}


OperatorBenchmark::Row
OperatorBenchmark::common_row(const Variant &variant) const
{
  Row row;
  row.case_name =
    variant[Factor::cell_type] + ", degree " + variant[Factor::degree];
  row.backend                  = variant[Factor::backend];
  row.number                   = variant[Factor::number];
  row.degree                   = std::stoi(variant[Factor::degree]);
  row.numbering                = variant[Factor::numbering];
  row.dofs                     = piece.n_free;
  row.cells                    = piece.n_cells;
  row.parameters["cell_type"]  = variant[Factor::cell_type];
  row.parameters["cell_order"] = variant[Factor::cell_order];
  row.parameters["dofs_asked"] =
    static_cast<std::int64_t>(std::stoll(variant[Factor::dofs]));
  if (processes != nullptr)
    row.parameters["processes"] = std::int64_t(processes->size());
  for (const auto &[name, factor] :
       {std::make_pair("block", Factor::block_side),
        std::make_pair("carveout", Factor::carveout)})
    if (!variant[factor].empty() && variant[factor] != "auto")
      row.parameters[name] =
        static_cast<std::int64_t>(std::stoi(variant[factor]));
  if (!variant[Factor::threads].empty())
    {
      row.parameters["threads"] =
        static_cast<std::int64_t>(std::stoi(variant[Factor::threads]));
      row.parameters["affinity"]   = affinity;
      row.parameters["simd_width"] = simd_width(row.number);
    }
  return row;
}


void
OperatorBenchmark::attempt(const Variants &group,
                           const std::function<void()> &work)
{
  benchmarks::attempt(
    work,
    [&](const std::exception_ptr &failure) {
      give_up(group, [&](const Variant &) { std::rethrow_exception(failure); });
    },
    *team);
}


void
OperatorBenchmark::give_up(const Variants &group,
                           const std::function<void(const Variant &)> &fail)
{
  for (const Variant &variant : group)
    if (pending.erase(variant) > 0)
      {
        Row row         = common_row(variant);
        row.kind        = variant.kind;
        row.op          = variant[Factor::op];
        row.strategy    = variant[Factor::strategy];
        row.route       = variant[Factor::route];
        row.conflict    = variant[Factor::conflict];
        const auto show = [&](const std::string &name, const Factor factor) {
          if (!variant[factor].empty())
            row.parameters[name] = variant[factor];
        };
        show("preconditioner", Factor::preconditioner);
        for (std::size_t i = 0; i < varied_sets().size(); ++i)
          show(varied_sets()[i]->key(), option_factor(i));
        report->measure(row, [&](Row &) { fail(variant); });
      }
}
