#pragma once

#include <tessera/base/backend.h>

#include <functional>
#include <string>

namespace tessera
{
  struct CompiledForm;
  struct OperatorDescriptor;

  /// The operators, backends and numbers of processes with which a
  /// preconditioner or a CG method works, the forms for which an operator is
  /// made, and the words of the sentences that refuse all others. By default
  /// everything works. Makers tell the number types.
  struct WorksWith
  {
    /// Tells which operators it reads; empty: all of them.
    std::function<bool(const OperatorDescriptor &)> operators = {};
    /// A requirement on operators and backends, as the end of "a preconditioner
    /// that ...": "needs the entries of a matrix".
    std::string needs = {};
    bool host = true, device = true;

    bool several_processes = true;
    /// Tells which operators it reads in several processes; empty: the same as
    /// in one process.
    std::function<bool(const OperatorDescriptor &)> operators_of_parts = {};
    /// Names these operators, "an operator that stores rows".
    std::string needs_of_parts = {};

    bool hanging_nodes = true;

    /// Tells for which forms an operator can be made; empty: for all of them.
    std::function<bool(const CompiledForm &)> forms = {};
    /// Names these forms, "symmetric forms".
    std::string needs_of_forms = {};

    bool
    reads(const OperatorDescriptor &op) const
    {
      return !operators || operators(op);
    }

    bool
    reads_parts_of(const OperatorDescriptor &op) const
    {
      return several_processes &&
             (operators_of_parts ? operators_of_parts(op) : reads(op));
    }

    bool
    is_for(const Backend backend) const
    {
      return backend == Backend::host ? host : device;
    }

    /// Returns the limits as lists of names show them: "needs the
    /// entries of a matrix, for one process". Empty if it works with
    /// everything.
    std::string
    limits() const
    {
      std::string result;
      const auto add = [&](const std::string &limit) {
        result += (result.empty() || limit.empty() ? "" : ", ") + limit;
      };
      add(needs);
      if (forms)
        add("for " + needs_of_forms);
      if (operators_of_parts)
        add("in several processes needs " + needs_of_parts);
      if (!several_processes)
        add("for one process");
      if (!hanging_nodes)
        add("for meshes without hanging nodes");
      return result;
    }
  };
} // namespace tessera
