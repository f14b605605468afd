#pragma once

#include <tessera/matrix/sparse_matrix.h>
#include <tessera/operators/operator.h>

#include <memory>

namespace tessera::benchmarks
{
  /// The type of what `tessera_epetra` exports under `epetra_symbol`.
  using MakeEpetra = Operator<double> *(const SparseMatrix &matrix);

  constexpr char epetra_symbol[] = "tessera_make_epetra";

  /// Returns true if this build has the module.
  bool
  has_epetra();

  /// y = A x by a copy of the matrix in an Epetra_CrsMatrix, on the host, with
  /// one thread. The first call loads the module, so that programs run where
  /// Trilinos is missing. Throws ParameterError with the loader's words if the
  /// module cannot be loaded, and Error if Epetra fails.
  std::unique_ptr<Operator<double>>
  make_epetra(const SparseMatrix &matrix);
} // namespace tessera::benchmarks
