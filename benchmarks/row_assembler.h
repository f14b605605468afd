#pragma once

#include <tessera/assembly/sized_blocks.h>
#include <tessera/operators/assembler.h>
#include <tessera/operators/factory.h>

#include <optional>

namespace tessera::benchmarks
{
  /// Computes and writes the values of a matrix of rows repeatedly, in blocks
  /// of other sizes (SizedBlocks) if asked for.
  template <class Number>
  class RowAssembler
  {
  public:
    RowAssembler(const std::string &name,
                 const std::shared_ptr<const CellData<Number>> &cells,
                 const AssemblyOptions &options)
      : cells(cells), simplest(legal_routes(name).front()),
        assembler(name, cells, options, {}, cells->space().n_components)
    {}

    std::unique_ptr<RowOperator<Number>>
    make_operator(const FormData<Number> &form)
    {
      return assembler.make_operator(form);
    }

    /// Sets how values are computed from now on.
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
    assemble(RowOperator<Number> &op, const FormData<Number> &form)
    {
      if (!sized)
        return assembler.assemble(op, form);
      op.matrix().values().zero();
      sized->assemble_rows(assembler.sink(op.matrix()), form);
      op.values_changed();
    }

    /// Frees the memory that `begin` took.
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
