#pragma once

#include "engine.h"
#include "oracle.h"

#include <tessera/operators/options.h>
#include <tessera/space/parts.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::benchmarks
{
  struct PeerDescriptor;

  /// Says what is measured on one space; names are in the *.def lists.
  struct Sweep
  {
    Backend backend = Backend::host;
    /// `application`: y = A x; `assembly`: values that are stored, without the
    /// pattern; `cg`: an iteration of conjugate gradients; `preconditioner`:
    /// z = M^-1 r; and `load_vector`.
    std::vector<std::string> kinds;
    std::vector<std::string> operators;
    std::vector<std::string> strategies      = {default_strategy};
    std::vector<std::string> conflicts       = {"default"};
    std::vector<std::string> preconditioners = {"jacobi"};
    /// The methods of conjugate gradients that are measured; see
    /// `cg_method_names`.
    std::vector<std::string> methods = {"classical"};
    /// Routes of rows with a known pattern and of load vectors; `default` is
    /// what the library takes.
    std::vector<std::string> routes = {"default"};
    /// Values of the sets of options that are varied, by the names of their
    /// lists (OptionSet::varied_as). A set that is not here has its defaults.
    std::map<std::string, std::vector<std::string>> storage;
    /// Says whether formats that store blocks store single entries instead.
    std::vector<bool> single_entries = {false};
    program::MeasureOptions timing   = {};
    /// They say what is exchanged if the space is a part of a mesh.
    std::shared_ptr<const OtherParts> others =
      std::make_shared<const OtherParts>();
    /// Chooses the rows that are measured; if empty, all are. The options
    /// belong to assembled rows and their products.
    std::function<bool(const program::Row &, const AssemblyOptions &)> wanted;
    /// The peers on a device that multiply the matrix of `csr`, which has to
    /// be whole.
    std::vector<const PeerDescriptor *> peers = {};

    bool
    measures(const std::string &kind) const
    {
      return contains(kinds, kind);
    }
  };

  /// Returns the sweep over the values that the lists of a study have in a
  /// group of variants, or over all of the lists if there is none. What a study
  /// has no list for keeps its default. All peers multiply.
  Sweep
  make_sweep(const Study &study, Backend backend, const Variants &group = {});

  /// Adds a row for every kind and combination that differs, and for products
  /// and iterations of the peers. The form
  /// is the one of `make_oracle`; if it is not compiled for the elements or the
  /// number type, throws ParameterError. `common` has what rows share, with the
  /// number type. `shared_memory` is a value of the factor of that name, or
  /// empty. A set that does not fit into memory becomes one row that is not
  /// completed; if there is `wanted`, DeviceError is thrown instead.
  void
  run_sweep(const Sweep &sweep, Report &report, const Oracle &oracle,
            const std::shared_ptr<const Space> &space, program::Row common,
            const std::string &shared_memory);
} // namespace tessera::benchmarks
