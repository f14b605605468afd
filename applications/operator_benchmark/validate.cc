#include "operator_benchmark.h"

#include <oracle.h>

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/operators/factory.h>
#include <tessera/program/memory_estimate.h>
#include <tessera/program/table.h>

#include <algorithm>
#include <ostream>

using namespace tessera;

namespace
{
  Backend
  backend_of(const Variant &variant)
  {
    return variant[Factor::backend] == "cuda" ? Backend::cuda : Backend::host;
  }

  double
  n_cells(const Variant &variant)
  {
    return benchmarks::n_cells_of_mesh(
      cell_type_from_string(variant[Factor::cell_type]),
      std::stod(variant[Factor::dofs]), std::stoi(variant[Factor::degree]));
  }

  std::string
  name_of(const Variant &variant)
  {
    return "The " + variant.kind + " of " + variant[Factor::op] + " in " +
           variant[Factor::number] + " of degree " + variant[Factor::degree] +
           " on " + program::format_count(std::stoll(variant[Factor::dofs])) +
           " degrees of freedom of cells of the type " +
           variant[Factor::cell_type];
  }

  const std::string fewer = "fewer degrees of freedom";
} // namespace


program::MemoryEstimate
OperatorBenchmark::memory(const Variant &variant,
                          const std::string &operator_name,
                          const Backend backend) const
{
  program::CaseSize size;
  size.backend             = backend;
  size.cell_type           = cell_type_from_string(variant[Factor::cell_type]);
  size.degree              = std::stoi(variant[Factor::degree]);
  size.n_cells             = n_cells(variant);
  size.operator_name       = operator_name;
  size.number_bytes        = variant[Factor::number] == "float" ? 4 : 8;
  const std::string &route = variant[Factor::route];
  size.route               = stores_rows(operator_name) && !route.empty()
                               ? route_from_string(route)
                               : default_route(operator_name, size.cell_type, size.degree, 1,
                                               backend_of(variant));
  for (std::size_t i = 0; i < varied_sets().size(); ++i)
    if (const std::string &text = variant[option_factor(i)]; !text.empty())
      size.storage.merge(varied_sets()[i]->read(text));
  if (!variant[Factor::preconditioner].empty())
    size.preconditioner = variant[Factor::preconditioner];
  size.n_processes = line.n_processes;
  if (processes != nullptr)
    {
      size.n_processes = processes->size();
      size.n_on_host   = processes->size_on_machine();
    }
  size.distributed = size.n_processes > 1;
  size.of_dealii   = size.n_processes == 1; // peers are
  return program::MemoryEstimate(size);
}


void
OperatorBenchmark::check_host_memory(const Variant &variant) const
{
  const bool on_host = backend_of(variant) == Backend::host;
  memory(variant, on_host ? variant[Factor::op] : "matrix_free", Backend::host)
    .check(name_of(variant), 0, fewer);
}


void
OperatorBenchmark::validate(std::ostream &out) const
{
  program::Table table;
  table.add_column("cells", "", program::Table::Align::left);
  table.add_column("degree");
  table.add_column("cells");
  table.add_column("DoFs asked for");
  table.add_column("variants");
  for (const Variants &group :
       group_by(all, {Factor::cell_type, Factor::degree, Factor::dofs}))
    table.add_row(
      {group.front()[Factor::cell_type], group.front()[Factor::degree],
       program::format_count(std::llround(n_cells(group.front()))),
       program::format_count(std::stoll(group.front()[Factor::dofs])),
       std::to_string(group.size())});
  out << table.str() << counted(all.size(), "variant") << ", peers apart.\n";

  for (const Variants &group : group_by(all, {Factor::backend}))
    {
      const auto bytes = [this](const Variant &variant) {
        return memory(variant, variant[Factor::op], backend_of(variant))
          .on_backend();
      };
      const auto &largest = *std::max_element(
        group.begin(), group.end(), [&](const Variant &a, const Variant &b) {
          return bytes(a) < bytes(b);
        });
      const program::MemoryEstimate most =
        memory(largest, largest[Factor::op], backend_of(largest));
      out << name_of(largest) << " takes most memory:\n";
      most.print(out);
      try
        {
          use_backend(largest[Factor::backend], line.device);
          most.check(name_of(largest), line.device, fewer);
        }
      catch (const DeviceError &error)
        {
          out << "warning: " << error.what()
              << " Such rows will not be completed.\n";
        }
    }
  out << "VALID: nothing was measured." << std::endl;
}
