#include "study.h"

#include <meshes.h>

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/program/table.h>

#include <ostream>
#include <set>

using namespace tessera;
using namespace benchmarks;

namespace
{
  program::CaseSize
  size_of(const Variant &variant, const SolverStudy &study)
  {
    program::CaseSize size      = benchmarks::size_of(variant);
    size.library_mesh           = program::LibraryMesh::none;
    size.preconditioner_options = study.options_of(variant);
    if (variant["Numbers"] == "mixed")
      size.inner_operator = size.operator_name;
    return size;
  }
} // namespace


void
SolverStudy::check_memory(const Variant &variant) const
{
  if (of_file())
    return;
  program::MemoryEstimate(size_of(variant, *this))
    .check("The solve with " + variant["Operators"] + " of degree " +
             variant["Degrees"] + " on " +
             program::format_count(std::stoll(variant["Degrees of freedom"])) +
             " degrees of freedom",
           line.device, "fewer degrees of freedom");
}


void
validate(const SolverStudy &study, std::ostream &out)
{
  if (study.of_file())
    out << study.files.name << " has "
        << counted(study.files.matrix.n_rows(), "row",
                   program::format_count(study.files.matrix.n_rows()))
        << " and "
        << counted(study.files.matrix.n_nonzeros(), "entry",
                   program::format_count(study.files.matrix.n_nonzeros()))
        << ".\n";
  else
    print_meshes(out, study.solves, "solves");
  std::set<std::string> said;
  const auto warn = [&](const Error &error) {
    if (said.insert(error.what()).second)
      out << "warning: " << error.what()
          << " Such rows will not be completed.\n";
  };
  for (const Variant &variant : study.solves)
    try
      {
        use_backend(variant["Backends"], study.line.device);
        study.check_memory(variant);
      }
    catch (const DeviceError &error)
      {
        warn(error);
        break;
      }
  for (const Variant &variant : study.solves)
    try
      {
        if (!study.of_file() && variant["Numbers"] != "double" &&
            mesh_of(variant).n_components > 1)
          check_float_elasticity(variant["Operators"]);
      }
    catch (const ParameterError &error)
      {
        warn(error);
      }
  out << counted(study.solves.size(), "solve") << ", peers apart.\n"
      << "VALID: nothing was solved." << std::endl;
}
