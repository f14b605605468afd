#include <tessera/base/launch.h>
#include <tessera/space/device_scatter.cuh>

#include "local_matrices.cuh"
#include "local_matrices_kernels.h"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = CellData<double>::device_threads;

    /// Adds value(i) for all entries i = c n_nodes + k of the cell.
    template <class E, int n_components, class Number, class Value>
    TESSERA_DEVICE void
    scatter_components(const DeviceCell<Number> &cell,
                       const CellApply<Number> &apply, const bool active,
                       const Value &value)
    {
      TESSERA_UNROLL
      for (int c = 0; c < n_components; ++c)
        scatter_each<E, E::n, n_components>(
          cell, apply, active, [](const int i) { return i; },
          [&](const int i) { return value(c * E::n + i); }, c);
    }

    /// y += A x with stored cell matrices, and the sum x . A x if requested
    /// (KiranGautamSharma2020, EbE and EbE_sym).
    ///   values: [n_batches][n n or n (n + 1) / 2][lanes], lane fastest
    /// One thread works on a cell, with coalesced reads of its values.
    /// Repeatable unless conflicts are handled by atomics.
    ///
    /// Bytes per cell in double: 8 n^2 or 4 n (n + 1) of values, 4 n of degrees
    /// of freedom, x, and y read and written.
    template <bool symmetric, class E, class Number>
    TESSERA_KERNEL(threads, (tuning::local_matrices_blocks<E, Number>))
    void apply_local(TESSERA_ARGUMENT(CellApply<Number>) apply,
                     const Number *__restrict__ values)
    {
      constexpr int n       = E::n;
      constexpr int entries = n_local_entries(symmetric, n);
      const IndexedCell<E, Number> cell(
        cell_of_thread(apply.cells, apply.blocks), apply.cells);
      const Number *mine = values + cell.place(entries, 0);
      RegisterValues<n, Number> u;
      Number r[n];
      gather<E>(cell, apply.x, u);
      local_product<n, symmetric>(
        [&](const int k) {
          return device::load_once(mine + k * DeviceCell<Number>::lanes);
        },
        u.values, r);
      const Number product = energy(u, r);
      scatter<E>(cell, apply, r);
      sum_energy<threads>(apply, product);
    }

    /// The same product for cells with too many values for registers, and for
    /// nodes with several components. The vectors u and r of a cell stand in
    /// shared memory, where each thread uses its own column, and a block works
    /// through its 128 cells, `staged` at a time.
    template <bool symmetric, class E, int n_components, class Number>
    TESSERA_KERNEL((tuning::staged_threads<n_components * E::n>), 1)
    void apply_local_staged(TESSERA_ARGUMENT(CellApply<Number>) apply,
                            const Number *__restrict__ values)
    {
      constexpr int n       = n_components * E::n;
      constexpr int entries = n_local_entries(symmetric, n);
      constexpr int staged  = tuning::staged_cells<n>;
      constexpr int lanes   = DeviceCell<Number>::lanes;
      constexpr int part    = 8; // number of loads in flight
      TESSERA_SHARED Number u[n][staged], r[n][staged];
      const bool active = device::thread_index() < staged;
      const int me      = device::thread_index() % staged;
      Number product    = Number(0);
      TESSERA_ROLLED
      for (int first = 0; first < threads; first += staged)
        {
          const auto cell =
            cell_of_block(apply.cells, apply.blocks, first + me);
          const Number *mine = values + cell.place(entries, 0);
          if (active)
            {
              for (int c = 0; c < n_components; ++c)
                for (int k = 0; k < E::n; ++k)
                  {
                    const int node      = cell.load(apply.cells.dofs, E::n, k);
                    u[c * E::n + k][me] = apply.x[n_components * node + c];
                    r[c * E::n + k][me] = Number(0);
                  }
              TESSERA_ROLLED
              for (int i = 0; i < n; ++i)
                {
                  const Number *row =
                    mine + local_entry(symmetric, n, i, 0) * lanes;
                  const Number u_i = u[i][me];
                  Number sum       = Number(0);
                  const auto use   = [&](const int j, const Number k) {
                    sum += k * u[j][me];
                    if (symmetric && j > i)
                      r[j][me] += k * u_i;
                  };
                  int j = symmetric ? i : 0;
                  TESSERA_ROLLED
                  for (; j + part <= n; j += part)
                    {
                      Number k[part];
                      TESSERA_UNROLL
                      for (int l = 0; l < part; ++l)
                        k[l] = device::load_once(row + (j + l) * lanes);
                      TESSERA_UNROLL
                      for (int l = 0; l < part; ++l)
                        use(j + l, k[l]);
                    }
                  for (; j < n; ++j)
                    use(j, device::load_once(row + j * lanes));
                  r[i][me] += sum;
                }
              for (int i = 0; i < n; ++i)
                product += u[i][me] * r[i][me];
            }
          scatter_components<E, n_components>(
            cell, apply, active, [&](const int i) { return r[i][me]; });
        }
      sum_energy<tuning::staged_threads<n>>(apply, product);
    }

    /// Adds the diagonals of the cell matrices to y, one thread per cell.
    template <bool symmetric, class E, int n_components, class Number>
    TESSERA_KERNEL(threads, 1)
    void add_diagonal(TESSERA_ARGUMENT(CellApply<Number>) apply,
                      const Number *__restrict__ values)
    {
      constexpr int n       = n_components * E::n;
      constexpr int entries = n_local_entries(symmetric, n);
      const auto cell       = cell_of_thread(apply.cells, apply.blocks);
      scatter_components<E, n_components>(cell, apply, true, [&](const int i) {
        return cell.load(values, entries, local_entry(symmetric, n, i, i));
      });
    }

    template <bool symmetric, class E, int n_components, class Number>
    void
    launch_local(const CellApply<Number> &apply, const Number *values,
                 const bool diagonal, const Stream stream)
    {
      constexpr int n = n_components * E::n;
      const auto run  = [&](const auto kernel, const int n_threads) {
        launch(kernel, {apply.blocks.n_blocks, n_threads}, stream, apply,
                values);
      };
      if (diagonal)
        run(add_diagonal<symmetric, E, n_components, Number>, threads);
      else if constexpr (n > tuning::most_values_in_registers ||
                         n_components > 1)
        run(apply_local_staged<symmetric, E, n_components, Number>,
            tuning::staged_threads<n>);
      else
        run(apply_local<symmetric, E, Number>, threads);
    }
  } // namespace

  template <class E, class Number>
  void
  apply_local_matrices(Cuda, const CellApply<Number> &apply,
                       const LocalValues<Number> &local, const bool diagonal,
                       const Stream stream)
  {
    on_components<E>(local.n_components, [&](const auto n) {
      if (local.symmetric)
        launch_local<true, E, decltype(n)::value>(apply, local.values, diagonal,
                                                  stream);
      else
        launch_local<false, E, decltype(n)::value>(apply, local.values,
                                                   diagonal, stream);
    });
  }

#define INSTANTIATE(E, Number)                                          \
  template void apply_local_matrices<E, Number>(                        \
    Cuda, const CellApply<Number> &, const LocalValues<Number> &, bool, \
    Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
