#pragma once

#include <tessera/assembly/options.h>
#include <tessera/forms/coefficient_data.h>
#include <tessera/operators/cell_operator.h>

namespace tessera
{
  template <class Number>
  class SizedBlocks;

  /// The matrix of every cell (LMA; RegulyGiles2015, sections 3.3 and 8.2), all
  /// of it or its upper half, and y = sum over cells of P_e^T K_e P_e x.
  template <class Number>
  class LocalMatrices : public CellOperator<Number>
  {
  public:
    /// Assembles the values by `strategy`.
    LocalMatrices(
      std::shared_ptr<const CellData<Number>> cells, const Coefficient &kappa,
      bool symmetric, Strategy strategy, Conflict conflict,
      std::shared_ptr<const Tail<Number>> tail                 = {},
      std::shared_ptr<const BoundaryMatrices<Number>> boundary = {});

    /// Computes the values again, for new coefficients or to be timed.
    void
    assemble(const CoefficientView<Number> &kappa, Strategy strategy,
             Stream stream = {});

    /// The same by blocks of another size. Throws ParameterError for halves.
    void
    assemble(const CoefficientView<Number> &kappa,
             const SizedBlocks<Number> &blocks, Stream stream = {});

    void
    diagonal(Vector<Number> &d, Stream stream = {}) const override;

    Traffic
    traffic() const override;

    std::string
    name() const override
    {
      return symmetric ? "local_matrices_symmetric" : "local_matrices";
    }

    /// Whether `values` are upper halves.
    bool
    is_symmetric() const
    {
      return symmetric;
    }

    /// [n_batches][n n or n (n + 1) / 2][lanes]
    const Array<Number> &
    values() const
    {
      return local_values;
    }

  protected:
    void
    launch_apply(const CellApply<Number> &apply, Stream stream) const override;

  private:
    bool symmetric;
    Array<Number> local_values;
  };
} // namespace tessera
