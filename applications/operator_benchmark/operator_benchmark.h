#pragma once

#include <engine.h>
#include <process_team.h>

#include <tessera/program/memory_estimate.h>

#include <iosfwd>
#include <memory>

/// The factors of the study, in the order of its loops: those before
/// `Numberings` make another mesh, backend or number of threads.
const tessera::benchmarks::Factors &
factors();

void
declare_parameters(tessera::Parameters &parameters);

/// The study that the parameters and the command line ask for.
struct OperatorStudy : tessera::benchmarks::Study
{
  using Variant = tessera::benchmarks::Variant;

  /// The backend and the threads of the command line replace the lists of the
  /// file.
  OperatorStudy(tessera::Parameters &parameters,
                const tessera::program::CommandLine &line);

  /// Replaces 0 threads, and the route and the conflict handling `default`, by
  /// their values, and empties the entries on which the measurement does not
  /// depend.
  void
  make_canonical(Variant &v) const;

  /// Returns the memory of one process for a variant with another operator, on
  /// a backend that may be another one, too.
  tessera::program::MemoryEstimate
  memory(const Variant &variant, const std::string &operator_name,
         tessera::Backend backend) const;

  /// Throws DeviceError if the host data of a variant, without matrices on the
  /// device, needs more than the free memory.
  void
  check_host_memory(const Variant &variant) const;

  const tessera::program::CommandLine &line;
  const tessera::Processes &processes;
  const std::shared_ptr<const tessera::benchmarks::Team> team;
  const int n_cores;                          ///< that this process may use
  const tessera::benchmarks::Names libraries; ///< to be measured beside ours
  const tessera::benchmarks::Variants all;
};

/// Returns the part of a row that the rows of a group share.
tessera::program::Row
common_row(const tessera::benchmarks::Variant &variant,
           const OperatorStudy &study,
           const tessera::benchmarks::MeshPiece &piece,
           const std::string &affinity);

/// Adds rows that say why libraries are not measured in several processes.
void
refuse_peers(const tessera::program::Row &common, tessera::Backend backend,
             const OperatorStudy &study, tessera::benchmarks::Report &report);

/// Prints the measurements and meshes of a run, and the memory of the largest
/// mesh.
void
validate(const OperatorStudy &study, std::ostream &out);

/// Measures everything and prints the table: meshes, on them backends and
/// numbers of threads, then spaces, number types and, by the sweep of the
/// benchmarks, the rest. If mpirun started several processes, each has a part
/// of every mesh, and all measure together.
tessera::ExitCode
run(const OperatorStudy &study, tessera::program::Record &record);
