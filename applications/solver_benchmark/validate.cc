#include "solver_benchmark.h"

#include <oracle.h>

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/program/memory_estimate.h>
#include <tessera/program/table.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>

using namespace tessera;

namespace
{
  program::CaseSize
  size_of(const Variant &variant, const Study &study)
  {
    program::CaseSize size;
    size.cell_type      = cell_type_from_string(variant[Factor::cell_type]);
    size.degree         = std::stoi(variant[Factor::degree]);
    size.n_components   = study.elasticity ? dimension(size.cell_type) : 1;
    size.operator_name  = variant[Factor::op];
    size.number_bytes   = variant[Factor::number] == "float" ? 4 : 8;
    size.preconditioner = variant[Factor::preconditioner];
    size.preconditioner_options = options_of(study, variant);
    if (variant[Factor::number] == "mixed")
      size.inner_operator = size.operator_name;
    if (variant[Factor::backend] == to_string(Backend::cuda))
      size.backend = Backend::cuda;
    size.n_cells = benchmarks::n_cells_of_mesh(
      size.cell_type, std::stod(variant[Factor::dofs]) / size.n_components,
      size.degree);
    return size;
  }
} // namespace


void
SolverBenchmark::check_memory(const Variant &variant) const
{
  if (study.of_file())
    return;
  program::MemoryEstimate(size_of(variant, study))
    .check("The solve with " + variant[Factor::op] + " of degree " +
             variant[Factor::degree] + " on " +
             program::format_count(std::stoll(variant[Factor::dofs])) +
             " degrees of freedom",
           line.device, "fewer degrees of freedom");
}


void
SolverBenchmark::validate(std::ostream &out) const
{
  if (study.of_file())
    out << files.name << " has "
        << counted(files.matrix.n_rows(), "row",
                   program::format_count(files.matrix.n_rows()))
        << " and "
        << counted(files.matrix.n_nonzeros(), "entry",
                   program::format_count(files.matrix.n_nonzeros()))
        << ".\n";
  else
    {
      program::Table table;
      table.add_column("cells", "", program::Table::Align::left);
      table.add_column("degree");
      table.add_column("cells");
      table.add_column("DoFs asked for");
      table.add_column("solves");
      for (const Variants &group :
           group_by(all, {Factor::cell_type, Factor::degree, Factor::dofs}))
        {
          const Variant &first = group.front();
          table.add_row(
            {first[Factor::cell_type], first[Factor::degree],
             program::format_count(std::llround(size_of(first, study).n_cells)),
             program::format_count(std::stoll(first[Factor::dofs])),
             std::to_string(group.size())});
        }
      out << table.str();
    }
  std::set<std::string> said;
  const auto warn = [&](const Error &error) {
    if (said.insert(error.what()).second)
      out << "warning: " << error.what()
          << " Such rows will not be completed.\n";
  };
  for (const Variant &variant : all)
    try
      {
        use_backend(variant[Factor::backend], line.device);
        check_memory(variant);
      }
    catch (const DeviceError &error)
      {
        warn(error);
        break;
      }
  for (const Variants &group : group_by(all, {Factor::number, Factor::op}))
    try
      {
        if (study.elasticity && group.front()[Factor::number] != "double")
          check_float_elasticity(group.front()[Factor::op]);
      }
    catch (const ParameterError &error)
      {
        warn(error);
      }
  out << counted(all.size(), "solve") << ", peers apart.\n"
      << "VALID: nothing was solved." << std::endl;
}
