#include <tessera/base/algorithms.h>
#include <tessera/base/ordered_sum.h>
#include <tessera/matrix/sparse_product.h>
#include <tessera/preconditioners/smoothed_prolongation.h>
#include <tessera/preconditioners/spectrum.h>

#include <algorithm>
#include <cmath>

#include "smoothed_prolongation.cuh"

namespace tessera
{
  OrthonormalModes
  orthonormalize(const Aggregates &aggregates, const int row_block,
                 const int n_modes, const Array<double> &modes)
  {
    const Backend backend = aggregates.of_node.backend();
    const auto n_nodes    = std::int64_t(aggregates.of_node.size());
    const auto nodes = algorithms::group(backend, aggregates.of_node.data(),
                                         n_nodes, aggregates.n);
    OrthonormalModes result{
      n_modes, Array<double>(backend, modes.size()),
      Array<double>(backend, std::size_t(aggregates.n) * n_modes * n_modes)};
    const OrthonormalizeAggregate work{
      nodes.start.data(), nodes.items.data(), row_block,      n_modes,
      modes.data(),       result.q.data(),    result.r.data()};
    if (backend == Backend::cuda)
      {
        orthonormalize_on_device(work, aggregates.n);
        runtime::synchronize({});
        return result;
      }
#pragma omp parallel for schedule(static) if (n_nodes > entries_of_one_thread)
    for (int aggregate = 0; aggregate < aggregates.n; ++aggregate)
      work.orthonormalize(OnlyLane(), aggregate);
    return result;
  }


  /// The coefficients of conjugate gradients with M = D are the ones of
  /// Lanczos's method for D^-1/2 A D^-1/2. A device makes all steps, which the
  /// host does not wait for; those after convergence do not count.
  double
  largest_eigenvalue(const RowsView &A, const int n_steps,
                     const Backend backend, const PartExchange &parts)
  {
    const auto n         = std::int64_t(A.n_rows) * A.row_block;
    const auto n_columns = std::int64_t(A.n_columns) * A.column_block;
    Array<double> vectors(backend, 5 * n + n_columns),
      products(backend, 2 * n_steps + 1);
    double *const d = vectors.data(), *const r = d + n, *const z = r + n,
                  *const q = z + n, *const share = q + n, *const p = share + n;
    const LanczosDots dots{products.data()};
    algorithms::OrderedSum ordered_sum(backend, n);
    const auto sum_to = [&](const int place) {
      double *const result = products.data() + place;
      ordered_sum(share, n, result);
      parts.sum(result);
    };
    for_each(backend, n, BeginLanczos{A, d, r, z, share});
    sum_to(0);
    for (int k = 0; k < n_steps; ++k)
      {
        for_each(backend, n, LanczosDirection{z, dots, k, p});
        parts.import(p, A.column_block);
        for_each(backend, n, LanczosProduct{A, p, q, share});
        sum_to(2 * k + 1);
        for_each(backend, n, LanczosStep{d, q, dots, k, r, z, share});
        sum_to(2 * k + 2);
      }

    const auto [diagonal, off_diagonal] = lanczos_matrix(products.to_vector());
    return diagonal.empty()
             ? 1.
             : tridiagonal_eigenvalue(diagonal, off_diagonal,
                                      static_cast<int>(diagonal.size()) - 1);
  }


  SparseRows
  smoothed_prolongation(const RowsView &A, const StrongGraph &graph,
                        const Aggregates &aggregates,
                        const Array<double> &modes,
                        const OrthonormalModes &orthonormal,
                        const double weight)
  {
    const Backend backend = aggregates.of_node.backend();
    const int n           = A.n_columns;
    const int *const of   = aggregates.of_node.data();
    Array<int> count(backend, n);
    for_each(backend, n, HasAggregate{of, aggregates.n, count.data()});
    const auto row_start = starts_of(count);
    Array<int> columns(backend, last_of(row_start));
    for_each(backend, n,
             ColumnOfAggregate{of, row_start.data(), columns.data()});
    const RowsView tentative{
      n, aggregates.n, 1, 1, row_start.data(), columns.data(), nullptr};
    const RowsView strong{
      A.n_rows, n, 1, 1, graph.row_start.data(), graph.columns.data(), nullptr};
    SparseRows P   = product_pattern(strong, tentative, backend);
    P.row_block    = A.row_block;
    P.column_block = orthonormal.n;
    P.values       = Array<double>(backend, P.n_nonzeros());
    for_each(backend, std::int64_t(A.n_rows) * A.row_block,
             SmoothRow{strength_of(A, graph), graph.row_start.data(), of,
                       aggregates.n, orthonormal.n, modes.data(),
                       orthonormal.q.data(), orthonormal.r.data(), weight,
                       P.row_start.data(), P.columns.data(), P.values.data()});
    if (backend == Backend::cuda)
      runtime::synchronize({});
    return P;
  }
} // namespace tessera
