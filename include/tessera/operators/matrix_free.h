#pragma once

#include <tessera/assembly/form_data.h>
#include <tessera/operators/cell_operator.h>

namespace tessera
{
  /// Matrix-free application of a form (RegulyGiles2015, section 3.4). A
  /// product reads only the vertices, the degrees of freedom and the fields of
  /// the cells. For quadrilaterals and flux forms (forms/flux_form.h), the
  /// degrees of freedom are read as CellEntities if the numbering allows; on
  /// tetrahedra devices read BlockNodes for all forms. Sum factorisation
  /// reduces the arithmetic of a flux form to 16 (p+1)^3 + 40 (p+1)^2 flops per
  /// cell, and on hexahedra of p > 2 to 16 (p+1)^4 + 70 (p+1)^3 operations.
  ///
  /// The form is read at every product, so that a new coefficient, solution or
  /// state of it changes the operator.
  template <class Number>
  class MatrixFree : public CellOperator<Number>
  {
  public:
    /// Set `by_entities` to false if the operator is used for few products
    /// only: CellEntities take memory and time to build. The first product,
    /// which must not be recorded then, makes the cells list their BlockNodes.
    MatrixFree(std::shared_ptr<const CellData<Number>> cells,
               std::shared_ptr<const FormData<Number>> form, Conflict conflict,
               std::shared_ptr<const Tail<Number>> tail                 = {},
               std::shared_ptr<const BoundaryMatrices<Number>> boundary = {},
               bool by_entities                                         = true);

    /// Reads `form` from now on. Another form than before is a revision.
    void
    update(const std::shared_ptr<const FormData<Number>> &form,
           Stream stream = {}) override;

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

    std::shared_ptr<const FormData<Number>> form;

  private:
    /// What the product reads in place of one index per node, if not null.
    const CellEntities<Number> *entities = nullptr;
    const BlockNodes *blocks             = nullptr;
  };
} // namespace tessera
