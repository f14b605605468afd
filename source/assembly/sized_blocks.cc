#include <tessera/assembly/sized_blocks.h>
#include <tessera/base/error.h>
#include <tessera/base/names.h>

#include <algorithm>

namespace tessera
{
  const std::vector<int> &
  block_sizes()
  {
    static const std::vector<int> sizes = {64, 128, 256};
    return sizes;
  }

  void
  check_block_size(const int n_threads)
  {
    if (std::count(block_sizes().begin(), block_sizes().end(), n_threads) > 0)
      return;
    std::vector<std::string> legal;
    for (const int size : block_sizes())
      legal.push_back(std::to_string(size));
    throw ParameterError("The threads of a block that assembles are " +
                         std::to_string(n_threads) + "; legal are " +
                         list_of(legal) + '.');
  }

  namespace
  {
    template <class Number>
    void
    check_blocks(const CellData<Number> &cells, const int n_threads,
                 const Strategy strategy)
    {
      const Space &space = cells.space();
      check_block_size(n_threads);
      if (cells.backend() == Backend::host ||
          space.cell_type != CellType::quadrilateral ||
          space.geometry != Geometry::vertices)
        throw ParameterError(
          "Sizes of blocks can be chosen for the assembly of quadrilaterals "
          "with straight edges on the backend cuda, not of cells of the type " +
          to_string(space.cell_type) + " on the backend " +
          to_string(cells.backend()) +
          (space.geometry == Geometry::vertices ? "." : " with Jacobians."));
      const std::size_t bytes =
        kept_bytes(n_threads, strategy, space.degree, sizeof(Number));
      if (bytes > block_shared_bytes)
        throw ParameterError(
          "Blocks of " + std::to_string(n_threads) + " threads would keep " +
          std::to_string(bytes) + " bytes of the metric of degree " +
          std::to_string(space.degree) + " for the strategy " +
          to_string(strategy) + ", beyond the " +
          std::to_string(block_shared_bytes) +
          " bytes of shared memory of a block.");
    }
  } // namespace

  template <class Number>
  SizedBlocks<Number>::SizedBlocks(const CellData<Number> &cells,
                                   const int n_threads, const Strategy strategy,
                                   const bool colored)
    : cells(cells), n_threads(n_threads), strategy(strategy)
  {
    check_blocks(cells, n_threads, strategy);
    if (!colored)
      return;
    colors = color(cells.space(), n_threads);
    blocks = Array<int>(Backend::cuda, colors.blocks);
    std::vector<unsigned char> filled_up = colors.cell_color;
    filled_up.resize(static_cast<std::size_t>(cells.n_batches()) *
                     cells.lanes());
    of_cell = Array<unsigned char>(Backend::cuda, filled_up);
  }

  template <class Number>
  void
  SizedBlocks<Number>::assemble_local(Number *values,
                                      const FormData<Number> &form,
                                      const Stream stream) const
  {
    const int n_blocks = (cells.space().n_cells() + n_threads - 1) / n_threads;
    const AssemblyCells<Number> in = {cells.view(Conflict::atomics),
                                      cells.batches_per_block(),
                                      {nullptr, 0, n_blocks},
                                      Conflict::atomics,
                                      form.view()};
    form.kernels().assemble_local_sized(cells.space(), in, n_threads, values,
                                        strategy, stream);
  }

  template <class Number>
  void
  SizedBlocks<Number>::assemble_rows(const SlotSink<Number> &sink,
                                     const FormData<Number> &form,
                                     const Stream stream) const
  {
    if (colors.block_start.empty())
      throw std::logic_error("these blocks have no colours");
    AssemblyCells<Number> in = {cells.view(Conflict::atomics),
                                cells.batches_per_block(),
                                {blocks.data(), 0, 0},
                                Conflict::coloring,
                                form.view()};
    in.cells.cell_color      = of_cell.data();
    in.cells.n_cell_colors   = colors.n_cell_colors;
    for (int c = 0; c < colors.n_block_colors(); ++c)
      {
        in.blocks.first    = colors.block_start[c];
        in.blocks.n_blocks = colors.block_start[c + 1] - in.blocks.first;
        form.kernels().assemble_rows_sized(cells.space(), in, n_threads, sink,
                                           strategy, stream);
      }
  }

  template class SizedBlocks<double>;
  template class SizedBlocks<float>;
} // namespace tessera
