#include "operator_benchmark.h"

#include <tessera/base/counted.h>
#include <tessera/fem/driver/discretization.h>
#include <tessera/operators/factory.h>
#include <tessera/program/table.h>

#include <algorithm>
#include <ostream>

using namespace tessera;
using namespace benchmarks;

namespace
{
  std::string
  name_of(const Variant &variant)
  {
    return "The " + variant.kind + " of " + variant["Operators"] + " in " +
           variant["Numbers"] + " of degree " + variant["Degrees"] + " on " +
           program::format_count(std::stoll(variant["Degrees of freedom"])) +
           " degrees of freedom of cells of the type " + variant["Cell types"];
  }

  const std::string fewer = "fewer degrees of freedom";
} // namespace


program::MemoryEstimate
OperatorStudy::memory(const Variant &variant, const std::string &operator_name,
                      const Backend backend) const
{
  program::CaseSize size   = size_of(variant);
  size.library             = bytes_of_deal_ii(size.cell_type); // of peers
  size.backend             = backend;
  size.operator_name       = operator_name;
  const std::string &route = variant["Routes"];
  size.route               = stores_rows(operator_name) && !route.empty()
                               ? route_from_string(route)
                               : default_route(operator_name, size.cell_type, size.degree, 1,
                                               backend_of(variant));
  size.storage             = variant.options();
  size.n_processes         = line.n_processes;
  if (processes.size() > 1)
    {
      size.n_processes = processes.size();
      size.n_on_host   = processes.size_on_machine();
    }
  size.distributed = size.n_processes > 1;
  if (size.n_processes > 1) // there are no peers
    size.library_mesh = program::LibraryMesh::none;
  return program::MemoryEstimate(size);
}


void
OperatorStudy::check_host_memory(const Variant &variant) const
{
  const bool on_host = backend_of(variant) == Backend::host;
  memory(variant, on_host ? variant["Operators"] : "matrix_free", Backend::host)
    .check(name_of(variant), 0, fewer);
}


void
validate(const OperatorStudy &study, std::ostream &out)
{
  print_meshes(out, study.all, "variants");
  out << counted(study.all.size(), "variant") << ", peers apart.\n";

  for (const Variants &group : group_by(study.all, {"Backends"}))
    {
      const auto bytes = [&](const Variant &variant) {
        return study.memory(variant, variant["Operators"], backend_of(variant))
          .on_backend();
      };
      const auto &largest = *std::max_element(
        group.begin(), group.end(), [&](const Variant &a, const Variant &b) {
          return bytes(a) < bytes(b);
        });
      const program::MemoryEstimate most =
        study.memory(largest, largest["Operators"], backend_of(largest));
      out << name_of(largest) << " takes most memory:\n";
      most.print(out);
      try
        {
          use_backend(largest["Backends"], study.line.device);
          most.check(name_of(largest), study.line.device, fewer);
        }
      catch (const DeviceError &error)
        {
          out << "warning: " << error.what()
              << " Such rows will not be completed.\n";
        }
    }
  out << "VALID: nothing was measured." << std::endl;
}
