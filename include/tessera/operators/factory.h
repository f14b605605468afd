#pragma once

#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/options.h>
#include <tessera/forms/coefficient.h>
#include <tessera/matrix/csr_pattern.h>
#include <tessera/operators/row_operator.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/tail.h>

#include <memory>

namespace tessera
{
  /// Names of `operators.def`, in its order.
  std::vector<std::string>
  operator_names();

  /// These, and `auto`: the format of rows that is the quickest of a few, which
  /// are timed (format_choice.h).
  std::vector<std::string>
  operator_choices();

  /// Those of them that store an assembled matrix by rows (`RowOperator`).
  std::vector<std::string>
  row_operator_names();

  /// Whether it is one of these.
  bool
  stores_rows(const std::string &operator_name);

  /// Whether they stand in slices (SellShape).
  bool
  has_slices(const std::string &operator_name);

  /// Whether its rows are appended to by assembly (`append_rows`), so that it
  /// is made of cells, not of a pattern.
  bool
  is_appended(const std::string &operator_name);

  /// Whether it has no values that could be assembled.
  bool
  stores_nothing(const std::string &operator_name);

  /// What serves its assembly, or its products cell by cell, best.
  Conflict
  default_conflict(const std::string &operator_name, CellType type,
                   Backend backend);

  /// Throws ParameterError where an option that was set is not one of that
  /// operator on that backend.
  void
  check_options(const std::string &name, Backend backend,
                const AssemblyOptions &options);

  /// An operator of rows with the places of a pattern; values are zero. Throws
  /// ParameterError where the name, which must not be of one that is appended
  /// to, or an option is not legal.
  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_row_operator(const std::string &name, CsrPattern pattern, int n_tail,
                    const AssemblyOptions &options = {});

  /// The operator of that name for -div(kappa grad u), assembled where it
  /// stores something, with what faces of the `boundary` add to it. Seconds
  /// spent on the pattern and on the values are added to `options.timing` where
  /// that is given. Throws ParameterError for an unknown name, naming the legal
  /// ones, and what `check_options` throws.
  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_operator(const std::string &name,
                std::shared_ptr<const CellData<Number>> cells,
                const Coefficient &kappa, const AssemblyOptions &options = {},
                std::shared_ptr<const Tail<Number>> tail                 = {},
                std::shared_ptr<const BoundaryMatrices<Number>> boundary = {});
} // namespace tessera
