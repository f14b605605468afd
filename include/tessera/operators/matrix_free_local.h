#pragma once

#include <tessera/assembly/options.h>
#include <tessera/operators/matrix_free.h>

namespace tessera
{
  /// Matrix-free application by cell matrices (RegulyGiles2015, sections 3.4
  /// and 9). Every product computes the matrix of each cell again, entry by
  /// entry as assembly does with the same strategy, and uses it at once:
  ///   y += sum over cells of P_e^T K_e P_e x.
  /// It moves as much data as MatrixFree without entities. Its arithmetic is
  /// that of assembly: the order per cell is (p+1)^(2 dim), instead of
  /// (p+1)^(dim + 1).
  template <class Number>
  class MatrixFreeLocal : public MatrixFree<Number>
  {
  public:
    /// Throws ParameterError if the form is not compiled for this operator.
    MatrixFreeLocal(
      std::shared_ptr<const CellData<Number>> cells,
      std::shared_ptr<const FormData<Number>> form, Strategy strategy,
      Conflict conflict, std::shared_ptr<const Tail<Number>> tail = {},
      std::shared_ptr<const BoundaryMatrices<Number>> boundary = {})
      : MatrixFree<Number>(std::move(cells), std::move(form), conflict,
                           std::move(tail), std::move(boundary), false),
        strategy(strategy)
    {
      this->form->kernels().check_apply_local(this->cells->space());
    }

    std::string
    name() const override
    {
      return "matrix_free_local";
    }

  protected:
    void
    launch_apply(const CellApply<Number> &apply, Stream stream) const override;

    /// The kernels add to a node several times, so they cannot store its value.
    bool
    stores_inner_nodes() const override
    {
      return false;
    }

  private:
    Strategy strategy;
  };
} // namespace tessera
