#pragma once

#include <tessera/assembly/form_data.h>
#include <tessera/operators/cell_operator.h>
#include <tessera/operators/options.h>

namespace tessera
{
  /// Stores the dense matrix K_e of every cell, or its upper half, and computes
  /// y = sum over cells of P_e^T K_e P_e x (the local matrix approach, LMA;
  /// RegulyGiles2015, sections 3.3 and 8.2).
  template <class Number>
  class LocalMatrices : public CellOperator<Number>
  {
  public:
    /// Assembles the cell matrices with the given strategy. Only upper halves
    /// are stored if `symmetric`. Throws what CellOperator throws, and
    /// ParameterError for a form of several components, unless it has one for
    /// each dimension and the degree is at most 2. `n_blocks_of_cells` is
    /// passed to CellOperator. With `in_float`, upper halves of double are
    /// stored in float, on the device alone; products and sums stay in double.
    /// Throws MatrixError for entries beyond the largest float.
    LocalMatrices(std::shared_ptr<const CellData<Number>> cells,
                  const FormData<Number> &form, bool symmetric,
                  const std::string &strategy, Conflict conflict,
                  std::shared_ptr<const Tail<Number>> tail                 = {},
                  std::shared_ptr<const BoundaryMatrices<Number>> boundary = {},
                  int n_blocks_of_cells = 0, bool in_float = false);

    void
    assemble(const FormData<Number> &form, const std::string &strategy,
             Stream stream = {}) override;

    void
    diagonal(Vector<Number> &d, Stream stream = {}) const override;

    Traffic
    traffic() const override;

    Precision
    precision() const override;

    /// Says whether values are in float.
    RecordValues
    layout_parameters() const override;

    std::string
    name() const override
    {
      return symmetric ? "local_matrices_symmetric" : "local_matrices";
    }

    /// True if `values` holds the upper halves of the matrices.
    bool
    is_symmetric() const
    {
      return symmetric;
    }

    /// The entries of the matrices of cells with n degrees of freedom each,
    /// with the cell of a batch fastest:
    ///   [n_batches][n n or n (n + 1) / 2][lanes]
    /// Empty if they are stored in float.
    const Array<Number> &
    values() const
    {
      return local_values;
    }

  protected:
    void
    launch_apply(const CellApply<Number> &apply, Stream stream) const override;

    /// Does the same, but stores the contribution of every cell in `of_cells`,
    /// [n_batches][n][lanes].
    void
    launch_apart(const CellApply<Number> &apply, Number *of_cells,
                 Stream stream) const;

  private:
    void
    launch(const CellApply<Number> &apply, bool diagonal, Number *of_cells,
           Stream stream) const;

    /// Assembles a part of the cells at a time into separate memory.
    void
    assemble_rounded(const FormData<Number> &form, const std::string &strategy,
                     Stream stream);

    bool symmetric, in_float;
    Array<Number> local_values;
    Array<float> rounded; ///< instead of `local_values`
  };

  /// The option of operators whose cell matrices can be stored in float.
  const OptionSet &
  cell_values_options();

  /// True if these options ask for float.
  bool
  stores_float(const StorageOptions &options);
} // namespace tessera
