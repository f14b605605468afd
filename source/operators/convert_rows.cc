#include <tessera/base/error.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/operators/convert_rows.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace tessera
{
  namespace
  {
    /// Returns the pattern of nodes whose components have the rows of `rows`.
    SparsityPattern
    pattern_of_nodes(const SparsityPattern &rows, const int block)
    {
      SparsityPattern nodes;
      nodes.row_start = {0};
      for (int row = 0; row < rows.n_rows(); row += block)
        {
          for (std::int64_t k = rows.row_start[row];
               k < rows.row_start[row + 1]; k += block)
            nodes.columns.push_back(rows.columns[k] / block);
          nodes.row_start.push_back(nodes.columns.size());
        }
      return nodes;
    }

    std::string
    to_text(const double value)
    {
      std::ostringstream text;
      text << value;
      return text.str();
    }

    /// Refuses what overflows, and rows of which nothing is left.
    template <class To>
    std::vector<To>
    rounded(const SparseMatrix &rows)
    {
      std::vector<To> result(rows.values.size());
      for (int row = 0; row < rows.n_rows(); ++row)
        {
          double largest = 0;
          bool is_finite = true;
          for (std::int64_t k = rows.pattern.row_start[row];
               k < rows.pattern.row_start[row + 1]; ++k)
            {
              result[k] = static_cast<To>(rows.values[k]);
              largest   = std::max(largest, std::abs(rows.values[k]));
              is_finite = is_finite && (std::isfinite(result[k]) ||
                                        !std::isfinite(rows.values[k]));
            }
          const bool vanishes =
            largest > 0 && largest < std::numeric_limits<To>::min();
          if (!is_finite || vanishes)
            throw MatrixError(
              "A row of the matrix has values of the magnitude " +
              to_text(largest) +
              ", which float cannot hold; choose other units or double.");
        }
      return result;
    }
  } // namespace

  template <class To, class From>
  std::unique_ptr<RowOperator<To>>
  convert_rows(const RowOperator<From> &A, const std::string &name,
               const AssemblyOptions &options, const Parts<To> &parts)
  {
    const RowMatrix<From> &matrix = A.matrix();
    const int n_shared            = matrix.n_rows() - A.n_owned();
    if (A.exchanges_tail() && !parts.are_several())
      throw ParameterError(
        "Rows that are shared with other parts or with "
        "hanging nodes cannot be rounded.");
    const SparseMatrix rows = collect_rows(matrix, A.n_owned() + A.n_tail());
    const int block         = matrix.blocks().size;
    CsrPattern pattern(block == 1 ? rows.pattern
                                  : pattern_of_nodes(rows.pattern, block),
                       A.backend());
    pattern.block       = block;
    const bool appended = !descriptor(name).has_pattern();
    auto converted =
      make_row_operator<To>(appended ? "csr" : name, std::move(pattern),
                            A.n_tail() - n_shared, options);
    const Array<std::int64_t> row_start(A.backend(), rows.pattern.row_start);
    const Array<To> values(A.backend(), rounded<To>(rows));
    place_values(converted->matrix(), row_start, values);
    converted->values_changed();
    converted->set_form(A.form_without_symmetry(),
                        A.form_without_symmetry().empty());
    converted->set_parts(parts);
    if (parts.are_several())
      converted->set_tail(parts.ghosts(), n_shared, nullptr, nullptr);
    if (A.backend() == Backend::cuda)
      runtime::synchronize({}); // what was copied from goes away
    return converted;
  }

  template std::unique_ptr<RowOperator<float>>
  convert_rows<float, double>(const RowOperator<double> &, const std::string &,
                              const AssemblyOptions &, const Parts<float> &);
} // namespace tessera
