#include <tessera/base/launch.h>

#include "node_products_kernels.h"

namespace tessera
{
  namespace
  {
    /// y_n = sum over the cells e of a node of K_e P_e x, with `n_sums` of the
    /// m components of a node a thread (KiranGautamSharma2020, algorithm 1).
    /// Repeatable.
    ///
    /// Bytes per cell in double: 8 (m n)^2 of values, 4 n^2 of degrees of
    /// freedom, which all threads of a cell read, and 4 n of lists.
    template <int n_sums, int m, class Number>
    TESSERA_KERNEL(rows_per_block, 1)
    void multiply_rows(TESSERA_ARGUMENT(CellApply<Number>) apply,
                       TESSERA_ARGUMENT(NodeRows<Number>) rows)
    {
      const std::int64_t item =
        std::int64_t(device::block_index()) * rows_per_block +
        device::thread_index();
      Number product = Number(0);
      if (item < std::int64_t(rows.n_rows) * (m / n_sums))
        product = work_on_rows<n_sums, m>(rows, apply, item);
      if (apply.sum.result != nullptr)
        device::leave_sum<rows_per_block>(product, device::block_index(),
                                          apply.sum);
    }

    /// y_i = what the cells of a degree of freedom have stored for it: 8 bytes
    /// of the list and one number for each cell of a node. Repeatable.
    template <class Number>
    TESSERA_KERNEL(rows_per_block, 1)
    void add_up_rows(TESSERA_ARGUMENT(CellApply<Number>) apply,
                     TESSERA_ARGUMENT(NodeRows<Number>) rows)
    {
      const std::int64_t item =
        std::int64_t(device::block_index()) * rows_per_block +
        device::thread_index();
      const int m = rows.n_components;
      if (item < std::int64_t(rows.n_rows) * m)
        put_row(apply, item,
                sum_gathered(rows, static_cast<int>(item / m),
                             static_cast<int>(item % m)));
    }
  } // namespace

  template <class Number>
  void
  apply_rows_of_nodes(const NodeRows<Number> &rows,
                      const CellApply<Number> &apply, const Stream stream)
  {
    const Shape shape = {(std::int64_t(rows.n_items()) + rows_per_block - 1) /
                           rows_per_block,
                         rows_per_block};
    if (rows.adds_up())
      return launch(add_up_rows<Number>, shape, stream, apply, rows);
    on_sums(rows, [&](auto n_sums, auto m) {
      launch(multiply_rows<decltype(n_sums)::value, decltype(m)::value, Number>,
             shape, stream, apply, rows);
    });
  }

  template void
  apply_rows_of_nodes(const NodeRows<double> &, const CellApply<double> &,
                      Stream);
  template void
  apply_rows_of_nodes(const NodeRows<float> &, const CellApply<float> &,
                      Stream);
} // namespace tessera
