#pragma once

#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/form_data.h>
#include <tessera/matrix/csr_pattern.h>
#include <tessera/matrix/sparse_matrix.h>
#include <tessera/operators/options.h>
#include <tessera/operators/row_operator.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/tail.h>

#include <memory>
#include <optional>

namespace tessera
{
  struct CompiledForm;
  struct OperatorDescriptor;

  /// Names of the operators, of all linked libraries, in alphabetical order.
  std::vector<std::string>
  operator_names();

  /// The names of the operators and `auto`, which times a few row formats
  /// when it is made and keeps the one with the fastest product
  /// (format_choice.h).
  std::vector<std::string>
  operator_choices();

  /// Names of the operators that store an assembled matrix by rows
  /// (`RowOperator`).
  std::vector<std::string>
  row_operator_names();

  /// True if the operator stores an assembled matrix by rows; also for `auto`.
  bool
  stores_rows(const std::string &operator_name);

  /// The routes by which the entries of that operator can be written: `append`
  /// if assembly appends to its rows, `scatter` or `gather` if it stores rows
  /// otherwise. Operators that multiply cell by cell have `scatter`.
  std::vector<Route>
  legal_routes(const std::string &operator_name);

  /// The route that performs best: `gather` for rows of quadrilaterals and
  /// hexahedra on the device, where few cells meet at a row; otherwise the
  /// first of `legal_routes`. The first one is also used if conflict handling
  /// was asked for, for nodes with components in slices, which `gather` fills
  /// hardly sooner but with cell matrices in memory, and where it is not built.
  Route
  default_route(const std::string &operator_name, CellType type, int degree,
                int n_components, Backend backend,
                std::optional<Conflict> asked = {});

  /// Throws ParameterError if an option was set that the operator does not have
  /// on that backend; its route and conflict handling are checked too.
  void
  check_options(const std::string &name, Backend backend,
                const AssemblyOptions &options);

  /// Throws ParameterError if an operator cannot be made for a form, naming the
  /// operators that can.
  void
  check_form(const OperatorDescriptor &d, const CompiledForm &form);

  /// Makes an operator that stores the rows of `pattern`; all values are zero.
  /// Throws ParameterError if the name is unknown or belongs to an operator
  /// whose rows are appended to, or if an option is illegal.
  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_row_operator(const std::string &name, CsrPattern pattern, int n_tail,
                    const AssemblyOptions &options = {});

  /// Makes an operator that stores a host matrix of any shape in the memory of
  /// a backend. If the matrix is not square, the product reads x by column and
  /// writes y by row.
  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_row_operator(const std::string &name, const SparseMatrix &matrix,
                    Backend backend, const AssemblyOptions &options = {});

  /// Makes the operator of that name for a form, for example `laplace(kappa)`,
  /// including the contributions of the faces of `boundary`. An operator that
  /// stores values is assembled. The operator is one of `parts` of a problem.
  /// The seconds spent on the pattern and on the values are added to
  /// `options.timing` if it is given. Throws ParameterError for an unknown
  /// name, naming the legal ones, if the form is not compiled for this case,
  /// and whatever `check_options` throws.
  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_operator(const std::string &name,
                std::shared_ptr<const CellData<Number>> cells, const Form &form,
                const AssemblyOptions &options                           = {},
                const Parts<Number> &parts                               = {},
                std::shared_ptr<const BoundaryMatrices<Number>> boundary = {});

  /// Does the same for a form whose fields the caller changes later. An
  /// operator that stores nothing reads them at every product; others keep the
  /// values of this call until `Operator::update`.
  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_operator(const std::string &name,
                std::shared_ptr<const CellData<Number>> cells,
                std::shared_ptr<const FormData<Number>> form,
                const AssemblyOptions &options                           = {},
                const Parts<Number> &parts                               = {},
                std::shared_ptr<const BoundaryMatrices<Number>> boundary = {});
} // namespace tessera
