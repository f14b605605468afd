#include "operator_benchmark.h"

#include <tessera/base/target.h>

#include <utility>

using namespace tessera;
using namespace benchmarks;

program::Row
common_row(const Variant &variant, const OperatorStudy &study,
           const MeshPiece &piece, const std::string &affinity)
{
  program::Row row;
  row.case_name  = variant["Cell types"] + ", degree " + variant["Degrees"];
  row.backend    = variant["Backends"];
  row.number     = variant["Numbers"];
  row.degree     = std::stoi(variant["Degrees"]);
  row.numbering  = variant["Numberings"];
  row.dofs       = piece.n_free;
  row.cells      = piece.n_cells;
  auto &shown    = row.parameters;
  const auto set = [&](const char *name, const std::string &value) {
    if (!value.empty() && value != "auto")
      shown[name] = std::int64_t(std::stoll(value));
  };
  shown["cell_type"]  = variant["Cell types"];
  shown["cell_order"] = variant["Cell orders"];
  set("dofs_asked", variant["Degrees of freedom"]);
  if (study.processes.size() > 1)
    shown["processes"] = std::int64_t(study.processes.size());
  set("block", variant["Block sides"]);
  set("carveout", variant["Shared memory"]);
  set("threads", variant["Threads"]);
  if (!variant["Threads"].empty())
    {
      shown["affinity"] = affinity;
      shown["simd_width"] =
        std::int64_t(row.number == "double" ? lanes<double>(Backend::host)
                                            : lanes<float>(Backend::host));
    }
  return row;
}


void
refuse_peers(const program::Row &common, const Backend backend,
             const OperatorStudy &study, Report &report)
{
  const std::pair<const char *, const char *> libraries[] = {
    {"dealii_sparse_matrix", "deal.II"},
    {"dealii_matrix_free", "deal.II"},
    {"trilinos_epetra", "Trilinos"},
    {"cusparse", "cuSPARSE"}};
  for (const auto &[peer, library] : libraries)
    if (const bool of_device = std::string(peer) == "cusparse";
        contains(study.libraries, peer) &&
        of_device == (backend == Backend::cuda))
      {
        program::Row row = common;
        row.library      = library;
        row.op           = peer;
        row.numbering.clear();
        report.measure(row, [](program::Row &r) {
          throw ParameterError("The peer " + r.op +
                               " is measured in one process; start the program "
                               "without mpirun for its rows.");
        });
      }
}
