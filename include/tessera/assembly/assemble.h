#pragma once

#include <tessera/assembly/form_data.h>

namespace tessera
{
  /// Assembles the matrix of a form, a_ij = a(phi_j, phi_i), into the values of
  /// a matrix of rows. The entries are added to the present values, which the
  /// caller usually sets to zero before: the route `scatter`. The route
  /// `gather` is the class Gather. Throws ParameterError for `Conflict::none`
  /// on the device, and for a strategy that the form is not compiled for.
  template <class Number>
  void
  assemble_rows(const SlotSink<Number> &sink, const FormData<Number> &form,
                const std::string &strategy, Conflict conflict,
                Stream stream = {});

  /// Writes the matrix of every cell to `values`,
  /// [n_batches][n (i)][n (j)][lanes], lane fastest, where n is the number of
  /// nodes of a cell times the number of components; component c of node k is c
  /// n_nodes + k. If `upper`, writes only the upper half,
  /// [n_batches][n (n + 1) / 2][lanes], with entry (i, j >= i) at
  /// i n - i (i - 1) / 2 + j - i. No two threads write to the same place, so no
  /// conflict handling is needed. Throws ParameterError for the half of a form
  /// that is not symmetric, and for a strategy that it is not compiled for.
  template <class Number>
  void
  assemble_local(Number *values, bool upper, const FormData<Number> &form,
                 const std::string &strategy, Stream stream = {});

  /// Does the same for the `n_blocks` blocks of cells from `first_block` on;
  /// `values` belongs to these blocks.
  template <class Number>
  void
  assemble_local(Number *values, bool upper, const FormData<Number> &form,
                 const std::string &strategy, int first_block, int n_blocks,
                 Stream stream = {});

  /// Adds the diagonal of the matrix to d. Throws what `check_conflict` throws.
  template <class Number>
  void
  assemble_diagonal(Vector<Number> &d, const FormData<Number> &form,
                    Conflict conflict, Stream stream = {});
} // namespace tessera
