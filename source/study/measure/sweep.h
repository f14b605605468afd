#pragma once

#include "factors.h"
#include "oracle.h"
#include "report.h"

#include <tessera/operators/options.h>
#include <tessera/space/space.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::benchmarks
{
  /// Says what is measured on one space; names are those of the *.def lists.
  struct Sweep
  {
    Backend backend = Backend::host;
    int device      = 0;
    /// `application`: y = A x; `assembly`: values that are stored, without the
    /// pattern; `cg`: an iteration of conjugate gradients; `preconditioner`:
    /// z = M^-1 r; and `load_vector`.
    std::vector<std::string> kinds;
    std::vector<std::string> operators, strategies, conflicts, preconditioners;
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
    int n_samples                    = 20;
    /// They say what is exchanged if the space is a part of a mesh.
    Neighbours neighbours = {};
    /// Chooses the rows that are measured; if empty, all are. The options are
    /// those of assembled rows and their products.
    std::function<bool(const program::Row &, const AssemblyOptions &)> wanted;

    bool
    measures(const std::string &kind) const
    {
      return contains(kinds, kind);
    }
  };

  /// Adds a row for every kind and combination that differs, on the device also
  /// for products and iterations with cuSPARSE on the matrix of `csr`. The form
  /// is that of `make_oracle`; if it is not compiled for the elements or the
  /// number type, throws ParameterError. `common` has what rows share, with the
  /// number type. `shared_memory` is a value of the factor of that name, or
  /// empty. A set that does not fit into memory becomes one row that is not
  /// completed; if there is `wanted`, DeviceError is thrown instead.
  void
  run_sweep(const Sweep &sweep, Report &report, const Oracle &oracle,
            const std::shared_ptr<const Space> &space, program::Row common,
            const std::string &shared_memory);
} // namespace tessera::benchmarks
