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

    /// y += A x from stored cell matrices, one thread a cell, coalesced
    /// (KiranGautamSharma2020, EbE and EbE_sym). Bytes a cell: 8 n^2 or
    /// 4 n (n + 1) of values, 4 n of dofs, x, and y read and written.
    template <bool symmetric, int degree, class Number>
    TESSERA_KERNEL(threads, (tuning::local_matrices_blocks<degree, Number>))
    void apply_local(TESSERA_ARGUMENT(CellApply<Number>) apply,
                     const Number *__restrict__ values)
    {
      constexpr int n1      = degree + 1;
      constexpr int n       = n1 * n1;
      constexpr int entries = n_local_entries(symmetric, n);
      const auto cell       = cell_of_thread(apply.cells, apply.blocks);
      const Number *mine    = values + cell.place(entries, 0);
      RegisterValues<n, Number> u;
      Number r[n];
      gather<n1>(cell, apply.cells, apply.x, u);
      local_product<n, symmetric>(
        [&](const int k) {
          return device::load_once(mine + k * DeviceCell<Number>::lanes);
        },
        u.values, r);
      const Number product = energy(u, r);
      scatter<n1>(cell, apply, r);
      sum_energy(apply, product);
    }

    /// y += the diagonals.
    template <bool symmetric, int degree, class Number>
    TESSERA_KERNEL(threads, 2)
    void add_diagonal(TESSERA_ARGUMENT(CellApply<Number>) apply,
                      const Number *__restrict__ values)
    {
      constexpr int n1      = degree + 1;
      constexpr int n       = n1 * n1;
      constexpr int entries = n_local_entries(symmetric, n);
      const auto cell       = cell_of_thread(apply.cells, apply.blocks);
      Number d[n];
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        d[i] = cell.load(values, entries, local_entry(symmetric, n, i, i));
      scatter<n1>(cell, apply, d);
    }

    template <bool symmetric, int degree, class Number>
    void
    launch_local(const CellApply<Number> &apply, const Number *values,
                 const bool diagonal, const Stream stream)
    {
      launch(diagonal ? add_diagonal<symmetric, degree, Number>
                      : apply_local<symmetric, degree, Number>,
             {apply.blocks.n_blocks, threads}, stream, apply, values);
    }
  } // namespace

  template <int degree, class Number>
  void
  apply_local_matrices(Cuda, const CellApply<Number> &apply,
                       const LocalValues<Number> &local, const bool diagonal,
                       const Stream stream)
  {
    if (local.symmetric)
      launch_local<true, degree>(apply, local.values, diagonal, stream);
    else
      launch_local<false, degree>(apply, local.values, diagonal, stream);
  }

#define INSTANTIATE(degree, Number)                                     \
  template void apply_local_matrices<degree, Number>(                   \
    Cuda, const CellApply<Number> &, const LocalValues<Number> &, bool, \
    Stream);
#include <tessera/base/instantiate.inc>
} // namespace tessera
