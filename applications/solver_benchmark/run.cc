#include "processes.h"
#include "solver_benchmark.h"

#include <oracle.h>
#include <program.h>

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/fem/driver/threads.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/operators/csr.h>
#include <tessera/program/program.h>

#include <algorithm>
#include <iostream>

using namespace tessera;

namespace
{
  Parameters &
  with_options(Parameters &parameters, const program::CommandLine &line)
  {
    if (line.backend != "auto")
      parameters.set("Factors/Backends", line.backend);
    return parameters;
  }

  bool
  contains(const std::vector<std::string> &list, const std::string &word)
  {
    return std::count(list.begin(), list.end(), word) > 0;
  }

  /// Returns the value of a set of options as records show it.
  RecordValues::mapped_type
  value_of(const OptionSet &set, const std::string &text)
  {
    const OptionValues options = set.read(text);
    const auto number          = set.options[0].number(options);
    if (set.options.size() == 1 && number)
      return std::int64_t(*number);
    return text;
  }

  constexpr const char *const cusparse_prefix = "cusparse_";
} // namespace


SolverBenchmark::SolverBenchmark(Parameters &parameters,
                                 const program::CommandLine &line)
  : parameters(with_options(parameters, line)), line(line),
    study(read_study(parameters, line.device)), all(variants(study))
{
  if (study.of_file())
    files = read_system(study.matrix, study.right_hand_side, study.solution);
}


bool
SolverBenchmark::has_peer(const std::string &name) const
{
  return contains(study.peers, name);
}


ExitCode
SolverBenchmark::run(program::Record &record)
{
  set_threads(line.threads);
  const auto &backends = study.values[static_cast<int>(Factor::backend)];
  record.set_parameters(parameters.values());
  record.set_seed(study.seed);
  report = std::make_unique<benchmarks::Report>(
    record, program::not_measured, 1., benchmarks::TableOf::solves);
  if (contains(backends, "cuda"))
    try
      {
        use_backend("cuda", line.device);
        record.set_device(runtime::properties(line.device),
                          program::copy_bandwidth(Backend::cuda));
      }
    catch (const DeviceError &)
      {} // rows say so
  record.open(line.output_folder);
  std::cerr << counted(all.size(), "solve") << ", peers apart" << std::endl;

  return benchmarks::finish(record, *report, [&]() {
    for (const Variants &group :
         group_by(all, {Factor::cell_type, Factor::degree, Factor::dofs}))
      run_system(group);
  });
}


void
SolverBenchmark::run_system(const Variants &group)
{
  const Variant &first = group.front();
  system.reset();
  attempt(group, [&]() {
    Connectivity mesh;
    if (!study.of_file())
      {
        const CellType type = cell_type_from_string(first[Factor::cell_type]);
        mesh =
          benchmarks::make_mesh(type, std::stod(first[Factor::dofs]),
                                std::stoi(first[Factor::degree]), study.seed, 0,
                                1, study.elasticity ? dimension(type) : 1);
      }
    for (const Variants &same : group_by(group, {Factor::backend}))
      run_backend(same, mesh);
  });
}


void
SolverBenchmark::run_backend(const Variants &group, const Connectivity &mesh)
{
  system.reset();
  bool is_created = false;
  attempt(group, [&]() {
    const Backend backend =
      use_backend(group.front()[Factor::backend], line.device).backend;
    if (bandwidths.count(backend) == 0)
      bandwidths[backend] = program::copy_bandwidth(backend);
    report->set_copy_bandwidth(bandwidths.at(backend));
    system     = study.of_file() ? make_file_system(files, backend, study.seed)
                                 : make_mesh_system(mesh, backend, study.seed);
    is_created = true;
  });
  if (!is_created)
    return;
  for (const Variants &same : group_by(group, {Factor::number, Factor::op}))
    if (same.front()[Factor::number] == "float")
      run_operator<float>(same);
    else
      run_operator<double>(same);
  const auto &numbers = study.values[static_cast<int>(Factor::number)];
  if (system->backend == Backend::host)
    run_host_solvers();
  else
    {
      if (contains(numbers, "double"))
        run_cusparse<double>();
      if (contains(numbers, "float"))
        run_cusparse<float>();
    }
}


template <class Number>
void
SolverBenchmark::run_operator(const Variants &group)
{
  System::Made<Number> A;
  double seconds = program::not_measured; // to make it
  Accuracy accuracy;
  for (const Variant &variant : group)
    report->measure(
      row_of(variant),
      [&](Row &row) {
        check_memory(variant);
        if (!A)
          {
            const program::Timer timer;
            system->make(A, variant[Factor::op]);
            if (A->backend() == Backend::cuda)
              runtime::synchronize({});
            seconds  = timer.seconds();
            accuracy = accuracy_of(*system, *A);
          }
        row.solve->operator_seconds = seconds;
        row.stored_bytes            = A->traffic().stored;
        const program::Timer timer;
        std::unique_ptr<benchmarks::Solver<Number>> solver;
        if constexpr (sizeof(Number) == 8)
          if (row.number == "mixed")
            {
              System::Made<float> rounded;
              system->make(rounded, variant[Factor::op]);
              const double bytes = system->product_bytes(*rounded);
              solver = make_mixed_solver(*A, system->product_bytes(*A),
                                         std::move(rounded), bytes,
                                         choice_of(variant));
            }
        if (!solver)
          solver =
            make_our_solver(*A, system->product_bytes(*A), choice_of(variant));
        row.setup_seconds = timer.seconds();
        measure_solver(row, *solver, *system, accuracy, study, *report);
      },
      [&]() { A.reset(); });
}


SolverChoice
SolverBenchmark::choice_of(const Variant &variant) const
{
  SolverChoice choice;
  choice.preconditioner       = variant[Factor::preconditioner];
  choice.method               = variant[Factor::method];
  choice.problem.options      = options_of(study, variant);
  choice.problem.n_components = system->n_components;
  choice.problem.space        = system->space;
  choice.problem.matrix       = [this]() { return system->matrix(); };
  return choice;
}


template <class Number>
void
SolverBenchmark::run_cusparse()
{
  System::Made<Number> A;
  Vector<Number> diagonal;
  Accuracy accuracy;
  for (const std::string &peer : study.peers)
    if (peer.rfind(cusparse_prefix, 0) == 0)
      {
        const std::string preconditioner =
          peer.substr(std::string(cusparse_prefix).size());
        report->measure(
          row_of_peer("cuSPARSE", sizeof(Number) == 8 ? "double" : "float",
                      preconditioner),
          [&](Row &row) {
            if (!A)
              {
                system->make(A, "csr", true);
                diagonal = A->make_vector();
                A->diagonal(diagonal);
                accuracy = accuracy_of(*system, *A);
              }
            const program::Timer timer;
            const auto solver = benchmarks::make_cusparse_cg(
              dynamic_cast<const Csr<Number> &>(*A).matrix(), diagonal,
              preconditioner);
            row.setup_seconds = timer.seconds();
            measure_solver(row, *solver, *system, accuracy, study, *report);
          },
          [&]() { A.reset(); });
      }
}


void
SolverBenchmark::run_host_solvers()
{
  SparseMatrix matrix;
  Accuracy accuracy;
  for (const benchmarks::HostSolver &peer : benchmarks::host_solvers)
    if (has_peer(peer.name))
      report->measure(
        row_of_peer(peer.library, "double", peer.preconditioner),
        [&](Row &row) {
          if (matrix.pattern.row_start.empty())
            {
              System::Made<double> A;
              system->make(A, "csr", true);
              accuracy = accuracy_of(*system, *A);
              matrix   = collect_rows(
                  dynamic_cast<const Csr<double> &>(*A).matrix(), A->n_owned());
            }
          row.parameters["threads"]   = std::int64_t(1); // of a process
          row.parameters["processes"] = std::int64_t(n_processes());
          start_peer(peer, matrix);
          const program::Timer timer;
          const auto solver = make_peer(peer, matrix);
          row.setup_seconds = timer.seconds();
          measure_solver(row, *solver, *system, accuracy, study, *report);
        },
        [&]() { matrix = {}; });
}


SolverBenchmark::Row
SolverBenchmark::row_of(const Variant &variant) const
{
  Row row;
  if (system)
    row = system->row();
  else
    {
      row.case_name = study.of_file() ? files.name
                                      : variant[Factor::cell_type] +
                                          ", degree " + variant[Factor::degree];
      row.degree    = study.of_file() ? 0 : std::stoi(variant[Factor::degree]);
    }
  row.kind    = "solve";
  row.op      = variant[Factor::op];
  row.backend = variant[Factor::backend];
  row.number  = variant[Factor::number];
  if (!variant[Factor::dofs].empty())
    row.parameters["dofs_asked"] =
      std::int64_t(std::stoll(variant[Factor::dofs]));
  for (std::size_t i = 0; i < varied_sets().size(); ++i)
    if (const std::string &text = variant[option_factor(i)]; !text.empty())
      row.parameters[varied_sets()[i]->key()] =
        value_of(*varied_sets()[i], text);
  if (variant[Factor::method] == "auto")
    row.parameters["method_asked"] = variant[Factor::method];
  row.solve.emplace();
  row.solve->preconditioner = variant[Factor::preconditioner];
  row.solve->method         = variant[Factor::method];
  row.solve->tolerance      = study.relative_tolerance;
  return row;
}


SolverBenchmark::Row
SolverBenchmark::row_of_peer(const std::string &library,
                             const std::string &number,
                             const std::string &preconditioner) const
{
  Row row     = system->row();
  row.kind    = "solve";
  row.op      = "csr";
  row.library = library;
  row.backend = to_string(system->backend);
  row.number  = number;
  row.numbering.clear();
  row.solve.emplace();
  row.solve->preconditioner = preconditioner;
  row.solve->method         = "classical";
  row.solve->tolerance      = study.relative_tolerance;
  return row;
}


void
SolverBenchmark::attempt(const Variants &group,
                         const std::function<void()> &work)
{
  benchmarks::attempt(work, [&](const std::exception_ptr &failure) {
    for (const Variant &variant : group)
      report->measure(row_of(variant),
                      [&](Row &) { std::rethrow_exception(failure); });
  });
}
