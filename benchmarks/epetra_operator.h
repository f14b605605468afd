#pragma once

#include <tessera/matrix/sparse_matrix.h>
#include <tessera/operators/operator.h>

#include <memory>

namespace tessera::benchmarks
{
  /// What the module `tessera_epetra` exports under `epetra_symbol`.
  using MakeEpetra = Operator<double> *(const SparseMatrix &matrix);

  constexpr char epetra_symbol[] = "tessera_make_epetra";

  /// Whether this build has that module.
  bool
  has_epetra();

  /// y = A x by a copy of the matrix in an Epetra_CrsMatrix, on the host, with
  /// one thread. The module is loaded by the first call, so that programs run
  /// where Trilinos is missing. Throws ParameterError where it cannot be
  /// loaded, with the loader's words, and Error where Epetra fails.
  std::unique_ptr<Operator<double>>
  make_epetra(const SparseMatrix &matrix);
} // namespace tessera::benchmarks
