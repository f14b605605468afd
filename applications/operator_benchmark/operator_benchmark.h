#pragma once

#include "study.h"

#include <dealii_rows.h>
#include <process_team.h>
#include <sweep.h>

#include <tessera/program/affinity.h>
#include <tessera/program/command_line.h>
#include <tessera/program/memory_estimate.h>

#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <set>

/// Runs a study: meshes, on them backends and numbers of threads, then spaces,
/// number types and, by the sweep of the benchmarks, the rest. If mpirun
/// started several processes, each has a part of every mesh, and all measure
/// together.
class OperatorBenchmark
{
public:
  /// Takes the backend and the threads of the command line in the place of
  /// those of the file.
  OperatorBenchmark(tessera::Parameters &parameters,
                    const tessera::program::CommandLine &line);

  /// Says what would be measured, on which meshes, and how much memory the
  /// largest one takes.
  void
  validate(std::ostream &out) const;

  /// Measures everything and prints the table. Returns
  /// ExitCode::validation_failed where a row is wrong.
  tessera::ExitCode
  run(tessera::program::Record &record);

private:
  using Variants = std::vector<Variant>;
  using Row      = tessera::program::Row;

  void
  run_mesh(const Variants &group);

  /// Lets all threads of the start work on any core, as meshes and the host
  /// beside the device need.
  void
  use_all_threads();

  void
  run_backend(const Variants &group);

  /// Measures on the space of a whole mesh, or of the part of this process.
  void
  run_layout(const Variants &group);

  /// Measures one number type.
  void
  run_space(const Variants &group,
            const std::shared_ptr<const tessera::Space> &space);

  void
  run_peers(const Variants &group);

  /// Adds rows that say why libraries are not measured in several processes.
  void
  refuse_peers(const Variants &group);

  /// Chooses a backend, and on a device that of this process.
  tessera::Backend
  use(const std::string &backend_name);

  tessera::benchmarks::Sweep
  make_sweep(const Variants &group);

  /// What the rows of a group share.
  Row
  common_row(const Variant &variant) const;

  /// Calls `work`. Where there is no device, no memory or no such combination,
  /// what is pending of the group becomes rows that are not completed, with
  /// that reason.
  void
  attempt(const Variants &group, const std::function<void()> &work);

  /// Adds what is pending of the group as rows in which `fail`, which throws,
  /// is all that happens.
  void
  give_up(const Variants &group,
          const std::function<void(const Variant &)> &fail);

  /// Throws DeviceError where what the host has to hold for a variant, matrices
  /// on the device aside, is more than is free.
  void
  check_host_memory(const Variant &variant) const;

  /// Returns what one process needs for a variant with another operator, on a
  /// backend that may be another one, too.
  tessera::program::MemoryEstimate
  memory(const Variant &variant, const std::string &operator_name,
         tessera::Backend backend) const;

  bool
  has_peer(const std::string &name) const;

  const tessera::Parameters &parameters;
  const tessera::program::CommandLine &line;
  const tessera::Processes *const processes; ///< null if this one is alone
  const std::shared_ptr<const tessera::benchmarks::Team> team;
  const Study study;
  const Variants all;
  const int n_default_threads; ///< as the environment says
  int device = 0;

  std::unique_ptr<tessera::benchmarks::Report> report;
  std::set<Variant> pending;
  std::map<int, double> bandwidths; ///< of copies, by threads; 0: the device

  // of the mesh at hand
  tessera::benchmarks::MeshPiece piece; ///< the whole one of one process
  tessera::benchmarks::Oracle oracle;
  std::unique_ptr<tessera::benchmarks::DealiiRows> peers;

  // of the backend and the threads at hand
  tessera::Backend backend = tessera::Backend::host;
  int n_threads            = 0;
  std::string affinity;
  std::shared_ptr<const tessera::Transport> transport;

  tessera::SharedNodes shared; ///< of the layout at hand
};
