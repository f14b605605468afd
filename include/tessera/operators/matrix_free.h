#pragma once

#include <tessera/forms/coefficient_data.h>
#include <tessera/operators/cell_operator.h>

namespace tessera
{
  /// Matrix-free -div(K grad u) (RegulyGiles2015, section 3.4): nothing but
  /// the cells' vertices and degrees of freedom is read, where they suit as
  /// CellEntities; sum factorisation makes it 16 (p+1)^3 + 40 (p+1)^2 flops a
  /// cell.
  template <class Number>
  class MatrixFree : public CellOperator<Number>
  {
  public:
    /// For a few products `by_entities` does not pay: it takes memory and time.
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
    /// Null where every node has an index.
    const CellEntities<Number> *entities = nullptr;
  };
} // namespace tessera
