#pragma once

#include <tessera/assembly/sized_blocks.h>
#include <tessera/operators/assembler.h>
#include <tessera/operators/factory.h>

#include <optional>

namespace tessera::benchmarks
{
  /// Values of a matrix of rows, computed and written again and again, in
  /// blocks of other sizes (SizedBlocks) if those are asked for.
  template <class Number>
  class RowAssembler
  {
  public:
    RowAssembler(const std::string &name,
                 const std::shared_ptr<const CellData<Number>> &cells,
                 const AssemblyOptions &options)
      : cells(cells), simplest(legal_routes(name).front()),
        assembler(name, cells, options)
    {}

    std::unique_ptr<RowOperator<Number>>
    make_operator(const CoefficientView<Number> &kappa)
    {
      return assembler.make_operator(kappa);
    }

    /// Says how the values are computed from now on.
    void
    begin(const Strategy strategy, const Route route, const Conflict conflict,
          const std::optional<int> &block_size)
    {
      assembler.choose(strategy, route, conflict);
      sized.reset();
      if (block_size)
        sized.emplace(*cells, *block_size, strategy, true);
    }

    void
    assemble(RowOperator<Number> &op, const CoefficientView<Number> &kappa)
    {
      if (!sized)
        return assembler.assemble(op, kappa);
      op.matrix().values().zero();
      sized->assemble_rows(assembler.sink(op.matrix()), kappa);
      op.values_changed();
    }

    /// Gives back the memory that `begin` took.
    void
    end()
    {
      assembler.choose(Strategy(), simplest,
                       default_conflict(cells->backend()));
      sized.reset();
    }

  private:
    std::shared_ptr<const CellData<Number>> cells;
    const Route simplest; ///< takes no memory
    Assembler<Number> assembler;
    std::optional<SizedBlocks<Number>> sized;
  };
} // namespace tessera::benchmarks
