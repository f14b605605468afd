#pragma once

#include <tessera/operators/cell_operator.h>
#include <tessera/space/coefficient_data.h>

namespace tessera
{
  /// Matrix-free application of -div(K grad u) (RegulyGiles2015, section 3.4).
  /// A product reads only the vertices and the degrees of freedom of the cells;
  /// the latter as CellEntities if the numbering allows. Sum factorisation
  /// reduces the arithmetic to 16 (p+1)^3 + 40 (p+1)^2 flops per cell.
  template <class Number>
  class MatrixFree : public CellOperator<Number>
  {
  public:
    /// Set `by_entities` to false if the operator is used for few products
    /// only: the entity indices take memory and time to build.
    MatrixFree(std::shared_ptr<const CellData<Number>> cells,
               const Coefficient &kappa, Conflict conflict,
               std::shared_ptr<const Tail<Number>> tail                 = {},
               std::shared_ptr<const BoundaryMatrices<Number>> boundary = {},
               bool by_entities                                         = true);

    void
    diagonal(Vector<Number> &d, Stream stream = {}) const override;

    Traffic
    traffic() const override;

    std::string
    name() const override
    {
      return "matrix_free";
    }

  protected:
    void
    launch_apply(const CellApply<Number> &apply, Stream stream) const override;

    CoefficientData<Number> coefficient;

  private:
    /// Entity indices; null if the product reads one index per node.
    const CellEntities<Number> *entities = nullptr;
  };
} // namespace tessera
