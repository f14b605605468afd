#pragma once

#include <tessera/operators/options.h>
#include <tessera/operators/row_operator.h>

#include <memory>
#include <string>

namespace tessera
{
  /// Makes an operator with the rows of another one, with values rounded to
  /// another number type (A^L of ZhangZhang2013, algorithm 6). It has the
  /// format of that name, or `csr` if that format is made from appended rows,
  /// and blocks if A has them. The rows are copied through the host, which
  /// needs memory for two copies. Rows that are shared with other parts need
  /// the `parts` in the other number type. Throws ParameterError if there is
  /// none, as for hanging nodes, and MatrixError if a value exceeds the largest
  /// number of the other type or all values of a row are below its smallest.
  template <class To, class From>
  std::unique_ptr<RowOperator<To>>
  convert_rows(const RowOperator<From> &A, const std::string &name,
               const AssemblyOptions &options = {},
               const Parts<To> &parts         = {});
} // namespace tessera
