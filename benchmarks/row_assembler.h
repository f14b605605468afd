#pragma once

#include <tessera/assembly/append.h>
#include <tessera/assembly/gather.h>
#include <tessera/assembly/sized_blocks.h>
#include <tessera/assembly/slot_map.h>
#include <tessera/operators/ell.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/lazy_ell.h>

#include <optional>

namespace tessera::benchmarks
{
  /// Values of a matrix of rows, computed and written again and again.
  template <class Number>
  class RowAssembler
  {
  public:
    /// Keeps the slots of a new operator, and assembles it once by what serves
    /// the backend best.
    std::unique_ptr<RowOperator<Number>>
    make_operator(const std::string &name,
                  const std::shared_ptr<const CellData<Number>> &of,
                  const CoefficientView<Number> &kappa,
                  const AssemblyOptions &options)
    {
      cells = of;
      if (is_appended(name))
        return make_appended(name, kappa);
      CsrPattern pattern = make_csr_pattern(*cells);
      slots.emplace(pattern, *cells);
      auto op = make_row_operator<Number>(name, std::move(pattern),
                                          cells->space().n_tail(), options);
      assemble(
        op->matrix(), kappa, Strategy(),
        default_conflict(name, cells->space().cell_type, cells->backend()));
      op->values_changed();
      return op;
    }

    /// Takes what a conflict handling keeps from one assembly to the next.
    /// `block_size`: of blocks that go by colour, see SizedBlocks.
    void
    begin(const Strategy strategy, const Conflict conflict,
          const std::optional<int> &block_size = {})
    {
      if (!slots)
        return check_conflict(conflict, cells->backend(), "appending to rows");
      check_conflict(conflict, cells->backend(), "assembly into rows", true);
      end();
      if (block_size)
        sized.emplace(*cells, *block_size, strategy, true);
      if (conflict == Conflict::gather)
        gather.emplace(*cells);
    }

    void
    assemble(RowMatrix<Number> &matrix, const CoefficientView<Number> &kappa,
             const Strategy strategy, const Conflict conflict)
    {
      if (!slots)
        {
          auto *const lazy = dynamic_cast<LazyEllMatrix<Number> *>(&matrix);
          append(lazy != nullptr ? *lazy : *appended, kappa, strategy,
                 conflict);
          if (lazy == nullptr)
            dynamic_cast<EllMatrix<Number> &>(matrix) = appended->consolidate();
          return;
        }
      const RowEntries<Number> entries = matrix.entries();
      const auto sink = slots->sink(entries.values, entries.rows);
      if (gather)
        return gather->assemble(sink, kappa, strategy);
      matrix.values().zero();
      if (sized)
        return sized->assemble_rows(sink, kappa);
      assemble_rows(sink, *cells, kappa, strategy, conflict);
    }

    /// Gives back what `begin` took.
    void
    end()
    {
      gather.reset();
      sized.reset();
    }

  private:
    std::unique_ptr<RowOperator<Number>>
    make_appended(const std::string &name, const CoefficientView<Number> &kappa)
    {
      const int n_tail = cells->space().n_tail();
      LazyEllMatrix<Number> matrix(*cells);
      append(matrix, kappa, Strategy(), default_conflict(cells->backend()));
      if (name == "lazy_ell")
        return std::make_unique<LazyEll<Number>>(std::move(matrix), n_tail);
      appended.emplace(std::move(matrix));
      return std::make_unique<Ell<Number>>(appended->consolidate(), n_tail,
                                           name);
    }

    void
    append(LazyEllMatrix<Number> &matrix, const CoefficientView<Number> &kappa,
           const Strategy strategy, const Conflict conflict) const
    {
      append_rows(matrix.begin_assembly(), *cells, kappa, strategy, conflict);
    }

    std::shared_ptr<const CellData<Number>> cells;
    std::optional<LazyEllMatrix<Number>> appended; ///< to be consolidated
    std::optional<SlotMap<Number>> slots; ///< of what is made of a pattern
    std::optional<Gather<Number>> gather;
    std::optional<SizedBlocks<Number>> sized;
  };
} // namespace tessera::benchmarks
