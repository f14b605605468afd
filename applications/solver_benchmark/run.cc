#include "measure.h"
#include "our_solver.h"
#include "processes.h"

#include <meshes.h>
#include <peer_operator.h>

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/fem/driver/threads.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/operators/csr.h>
#include <tessera/program/program.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

using namespace tessera;
using namespace benchmarks;

class SolverBenchmark
{
public:
  SolverBenchmark(const SolverStudy &study, program::Record &record)
    : study(study), report(record, program::not_measured, 1., solve_layout())
  {}

  ExitCode
  run(program::Record &record)
  {
    set_threads(study.line.threads);
    benchmarks::open(record, study, study.line,
                     [&]() { use_backend("cuda", study.line.device); });
    std::cerr << counted(study.solves.size(), "solve") << ", peers apart"
              << std::endl;
    if (processes.size() > 1 &&
        std::none_of(study.peers.begin(), study.peers.end(),
                     [](const PeerDescriptor *const peer) {
                       return peer->works_with.several_processes;
                     }))
      std::cerr << "note: the first of " << processes.size()
                << " processes measures Tessera's solvers alone; the others "
                   "serve peers on the host, of which 'Study/Peers' names "
                   "none."
                << std::endl;

    const std::vector<Level> levels = {
      {{"Forms", "Cell types", "Degrees", "Degrees of freedom"},
       [this](Variants &group) { make_mesh(group); }},
      {{"Backends"},
       [this](Variants &group) { make_system(group); },
       [this](const Variants &) { measure_peers(); }},
      {{"Numbers", "Operators"},
       [this](Variants &group) { measure_solves(group); }}};
    const auto give_up = [this](const Variants &group,
                                const std::exception_ptr &failure) {
      for (const Variant &variant : group)
        report.measure(row_of(variant),
                       [&](Row &) { std::rethrow_exception(failure); });
    };
    return finish(record, report,
                  [&]() { run_levels(study.solves, levels, give_up); });
  }

private:
  using Row = program::Row;

  void
  make_mesh(const Variants &group)
  {
    system.reset();
    if (study.of_file())
      return;
    mesh = {};
    mesh =
      make_piece(mesh_of(group.front(), study.seed, study.distortion)).mesh;
  }

  /// Makes the system on a backend.
  void
  make_system(const Variants &group)
  {
    system.reset();
    const Backend backend =
      use_backend(group.front()["Backends"], study.line.device).backend;
    if (bandwidths.count(backend) == 0)
      bandwidths[backend] = program::copy_bandwidth(backend);
    report.set_copy_bandwidth(bandwidths.at(backend));
    system = study.of_file()
               ? make_file_system(study.files, backend, study.seed)
               : make_mesh_system(mesh, backend, study.seed);
  }

  /// Measures the solvers of other libraries on the system.
  void
  measure_peers()
  {
    if (system->backend == Backend::host)
      return measure_host_solvers();
    if (contains(study["Numbers"], "double"))
      measure_device_solvers<double>();
    if (contains(study["Numbers"], "float"))
      measure_device_solvers<float>();
  }

  void
  measure_solves(const Variants &group)
  {
    if (group.front()["Numbers"] == "float")
      measure<float>(group);
    else
      measure<double>(group);
  }

  /// Measures the solves with one operator.
  template <class Number>
  void
  measure(const Variants &group)
  {
    System::Made<Number> A;
    double seconds = program::not_measured; // to make it
    Accuracy accuracy;
    for (const Variant &variant : group)
      report.measure(
        row_of(variant),
        [&](Row &row) {
          study.check_memory(variant);
          if (!A)
            {
              const program::Timer timer;
              system->make(A, variant["Operators"]);
              if (A->backend() == Backend::cuda)
                runtime::synchronize({});
              seconds  = timer.seconds();
              accuracy = accuracy_of(*system, *A);
            }
          row.solve->operator_seconds = seconds;
          row.stored_bytes            = A->traffic().stored;
          const program::Timer timer;
          std::unique_ptr<Solver<Number>> solver;
          if constexpr (sizeof(Number) == 8)
            if (row.number == "mixed")
              {
                System::Made<float> rounded;
                system->make(rounded, variant["Operators"]);
                const double bytes = system->product_bytes(*rounded);
                auto M             = preconditioner_of(*rounded, variant);
                solver = make_mixed_solver(*A, system->product_bytes(*A),
                                           std::move(rounded), bytes,
                                           std::move(M), variant["Methods"]);
              }
          if (!solver)
            solver = make_our_solver<Number>(*A, system->product_bytes(*A),
                                             preconditioner_of(*A, variant),
                                             variant["Methods"]);
          row.setup_seconds = timer.seconds();
          measure_solver(row, *solver, *system, accuracy, study, report);
        },
        [&]() { A.reset(); });
  }

  template <class Number>
  std::unique_ptr<Preconditioner<Number>>
  preconditioner_of(const Operator<Number> &A, const Variant &variant) const
  {
    return system->make_preconditioner(variant["Preconditioners"], A,
                                       study.options_of(variant));
  }

  template <class Number>
  void
  measure_device_solvers()
  {
    System::Made<Number> A;
    Vector<Number> diagonal;
    Accuracy accuracy;
    for (const PeerDescriptor *const peer : study.peers)
      if (const auto &make =
            std::get<PeerDescriptor::SolverMaker<Number>>(peer->solvers))
        report.measure(
          row_of_peer(*peer, sizeof(Number) == 8 ? "double" : "float"),
          [&](Row &row) {
            if (!A)
              {
                system->make(A, compared_operator, true);
                diagonal = A->make_vector();
                A->diagonal(diagonal);
                accuracy = accuracy_of(*system, *A);
              }
            const program::Timer timer;
            const auto solver =
              make(dynamic_cast<const Csr<Number> &>(*A).matrix(), diagonal);
            row.setup_seconds = timer.seconds();
            measure_solver(row, *solver, *system, accuracy, study, report);
          },
          [&]() { A.reset(); });
  }

  void
  measure_host_solvers()
  {
    SparseMatrix matrix;
    Accuracy accuracy;
    for (const PeerDescriptor *const peer : study.peers)
      if (peer->works_with.host)
        report.measure(
          row_of_peer(*peer, "double"),
          [&](Row &row) {
            if (matrix.pattern.row_start.empty())
              {
                System::Made<double> A;
                system->make(A, compared_operator, true);
                accuracy = accuracy_of(*system, *A);
                matrix   = collect_rows(
                    dynamic_cast<const Csr<double> &>(*A).matrix(), A->n_owned());
              }
            row.parameters["threads"]   = std::int64_t(1); // of a process
            row.parameters["processes"] = std::int64_t(processes.size());
            start_peer(*peer, matrix);
            const program::Timer timer;
            const auto solver = make_peer(*peer, matrix);
            row.setup_seconds = timer.seconds();
            measure_solver(row, *solver, *system, accuracy, study, report);
          },
          [&]() { matrix = {}; });
  }

  /// Returns a row of the system at hand.
  Row
  row_of(const Variant &variant) const
  {
    Row row;
    if (system)
      row = system->row();
    else if (study.of_file())
      {
        row.case_name = study.files.name;
        row.degree    = 0;
      }
    else
      {
        row.case_name =
          variant["Cell types"] + ", degree " + variant["Degrees"];
        row.degree = std::stoi(variant["Degrees"]);
      }
    row.op      = variant["Operators"];
    row.backend = variant["Backends"];
    row.number  = variant["Numbers"];
    if (const std::string &asked = variant["Degrees of freedom"];
        !asked.empty())
      row.parameters["dofs_asked"] = std::int64_t(std::stoll(asked));
    variant.show_options(row);
    if (variant["Methods"] == "auto")
      row.parameters["method_asked"] = variant["Methods"];
    set_solve(row, variant["Preconditioners"], variant["Methods"]);
    return row;
  }

  Row
  row_of_peer(const PeerDescriptor &peer, const std::string &number) const
  {
    Row row     = system->row();
    row.op      = compared_operator;
    row.library = peer.library;
    row.backend = to_string(system->backend);
    row.number  = number;
    row.numbering.clear();
    set_solve(row, peer.preconditioner, "classical");
    return row;
  }

  /// Sets what all rows of solves have.
  void
  set_solve(Row &row, const std::string &preconditioner,
            const std::string &method) const
  {
    row.kind = "solve";
    row.solve.emplace();
    row.solve->preconditioner = preconditioner;
    row.solve->method         = method;
    row.solve->tolerance      = study.relative_tolerance;
  }

  const SolverStudy &study;
  const Processes &processes = Processes::of_program();
  Report report;
  std::map<Backend, double> bandwidths; ///< of copies
  Connectivity mesh;                    ///< the one at hand, or none
  std::unique_ptr<System> system;       ///< the one at hand
};


ExitCode
run(const SolverStudy &study, program::Record &record)
{
  return SolverBenchmark(study, record).run(record);
}
