#pragma once

#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/form_data.h>
#include <tessera/operators/row_operator.h>

#include <memory>
#include <string>

namespace tessera
{
  /// What the values of rows are computed from, and how.
  template <class Number>
  struct RowValues
  {
    const FormData<Number> &form;
    const BoundaryMatrices<Number> *boundary; ///< of faces, or null
    const std::string &strategy;
    Conflict conflict;
  };

  /// Rows to which assembly appends, so that no sparsity pattern is needed. A
  /// library with such operators derives a class from this one, which has what
  /// is kept besides an operator; its descriptor makes it (`from_appended`).
  template <class Number>
  class AppendedRows
  {
  public:
    virtual ~AppendedRows() = default;

    /// Returns the operator with these values; its vectors have `n_tail`
    /// entries behind the entries with rows. Throws std::logic_error if the
    /// rows were taken by the operator that was made before.
    virtual std::unique_ptr<RowOperator<Number>>
    make_operator(const RowValues<Number> &values, int n_tail) = 0;

    /// Overwrites the values of an operator that was made in the same way.
    /// Throws std::logic_error for another operator.
    virtual void
    assemble(RowOperator<Number> &op, const RowValues<Number> &values,
             Stream stream) = 0;

    /// Returns the bytes that are kept besides the operator.
    virtual std::size_t
    bytes() const = 0;
  };
} // namespace tessera
