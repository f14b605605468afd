#include "packed_matrices.h"

// Layouts of cell matrices that papers compare, and the layout of forms that
// map constants to zero.
namespace tessera
{
  namespace
  {
    OperatorDescriptor
    describe_layout(const std::string &name, const std::string &sentence,
                    const std::string &source, const CellPacking packing)
    {
      OperatorDescriptor d{name, sentence, source};
      d.hides_entries = true;
      if (packing == CellPacking::pairs)
        d.takes_symmetric_forms();
      d.from_cells([name, packing](auto, const auto &problem) {
        return make_packed_matrices(name, packing, problem);
      });
      d.memory = [packing](const MemoryCounts &n, const StorageOptions &) {
        return bytes_of_packed_matrices(packing, n);
      };
      return d;
    }

    OperatorDescriptor
    describe_ebe_by_node()
    {
      return describe_layout(
        "ebe_by_node",
        "the dense matrix of every cell; a thread for each node of a cell "
        "(EbE)",
        "KiranGautamSharma2020, section 2.4", CellPacking::by_node);
    }

    OperatorDescriptor
    describe_ebe_by_dof()
    {
      return describe_layout(
        "ebe_by_dof",
        "the dense matrix of every cell; a thread for each degree of freedom "
        "of a cell, the reference of the paper",
        "KiranGautamSharma2020, section 2.4", CellPacking::by_dof);
    }

    OperatorDescriptor
    describe_ebe_symmetric()
    {
      return describe_layout(
        "ebe_symmetric",
        "the upper half of the matrix of every cell; a thread for each node, "
        "which meets the others in turn (EbE_sym)",
        "KiranGautamSharma2020, section 3.2", CellPacking::pairs);
    }

    OperatorDescriptor
    describe_local_matrices_zero_sums()
    {
      const auto packing = [](const StorageOptions &options) {
        return stores_float(options) ? CellPacking::float_zero_sums
                                     : CellPacking::zero_sums;
      };
      OperatorDescriptor d{
        "local_matrices_zero_sums",
        "the entries of cell matrices between different nodes, of forms that "
        "map constants to zero",
        "Tessera",
        {&cell_values_options()}};
      d.hides_entries    = true;
      d.works_with.forms = [](const CompiledForm &form) {
        return form.symmetric && form.ignores_constants;
      };
      d.works_with.needs_of_forms =
        "symmetric forms that map constants to zero, whose cell matrices have "
        "rows that add up to zero";
      d.from_cells([packing](auto, const auto &problem) {
        return make_packed_matrices("local_matrices_zero_sums",
                                    packing(problem.storage), problem);
      });
      d.memory = [packing](const MemoryCounts &n,
                           const StorageOptions &options) {
        return bytes_of_packed_matrices(packing(options), n);
      };
      d.model = [](const int degree, const int s) {
        const double n = (degree + 1) * (degree + 1);
        return (s * n * (n - 1) / 2 + 4 * n) / (degree * degree) + 4. * s;
      };
      return d;
    }

    const Registration<OperatorDescriptor> by_node(describe_ebe_by_node);
    const Registration<OperatorDescriptor> by_dof(describe_ebe_by_dof);
    const Registration<OperatorDescriptor> symmetric(describe_ebe_symmetric);
    const Registration<OperatorDescriptor> zero_sums(
      describe_local_matrices_zero_sums);
  } // namespace
} // namespace tessera
