#pragma once

#include <meshes.h>
#include <peer_descriptor.h>

#include <iosfwd>

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
  const int n_cores; ///< that this process may use
  const tessera::benchmarks::Peers peers;
  const tessera::benchmarks::Variants all;
};

/// Says what would be measured, on which meshes, and how much memory the
/// largest one takes.
void
validate(const OperatorStudy &study, std::ostream &out);

/// Measures everything and prints the table: meshes, on them backends and
/// numbers of threads, then spaces, number types and, by the sweep of the
/// benchmarks, the rest. If mpirun started several processes, each has a part
/// of every mesh, and all measure together.
tessera::ExitCode
run(const OperatorStudy &study, tessera::program::Record &record);
