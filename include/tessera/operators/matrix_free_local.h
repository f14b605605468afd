#pragma once

#include <tessera/assembly/options.h>
#include <tessera/operators/matrix_free.h>

namespace tessera
{
  /// Matrix-free as RegulyGiles2015, sections 3.4 and 9, has it: the matrix of
  /// every cell is computed again, entry by entry as assembly would by its
  /// strategy, in every product, and used up at once:
  ///   y += sum over cells of P_e^T K_e P_e x.
  /// Moves what MatrixFree moves; its arithmetic is that of assembly, of order
  /// (p+1)^(2 dim) a cell instead of (p+1)^(dim + 1).
  template <class Number>
  class MatrixFreeLocal : public MatrixFree<Number>
  {
  public:
    MatrixFreeLocal(
      std::shared_ptr<const CellData<Number>> cells, const Coefficient &kappa,
      Strategy strategy, Conflict conflict,
      std::shared_ptr<const Tail<Number>> tail                 = {},
      std::shared_ptr<const BoundaryMatrices<Number>> boundary = {})
      : MatrixFree<Number>(std::move(cells), kappa, conflict, std::move(tail),
                           std::move(boundary), false),
        strategy(strategy)
    {}

    std::string
    name() const override
    {
      return "matrix_free_local";
    }

  protected:
    void
    launch_apply(const CellApply<Number> &apply, Stream stream) const override;

    /// Rows come more than once.
    bool
    stores_inner_nodes() const override
    {
      return false;
    }

  private:
    Strategy strategy;
  };
} // namespace tessera
