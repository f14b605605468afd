#include <tessera/base/algorithms.h>
#include <tessera/base/error.h>
#include <tessera/matrix/cells_of_rows.h>
#include <tessera/study/matrix/lazy_ell.h>

#include <algorithm>
#include <limits>

#include "lazy_ell.cuh"

namespace tessera
{
  namespace
  {
    /// The largest number of places per row for which 32 bits address a slice.
    constexpr int largest =
      std::numeric_limits<std::int32_t>::max() / ell_slice_rows;

    std::int64_t
    sum(const Array<std::int32_t> &lengths)
    {
      const auto n = static_cast<std::int64_t>(lengths.size());
      if (lengths.backend() == Backend::cuda)
        return n == 0 ? 0 : algorithms::sum(lengths.data(), n);
      const std::int32_t *const from = lengths.data();
      std::int64_t total             = 0;
#pragma omp parallel for reduction(+ : total)
      for (std::int64_t row = 0; row < n; ++row)
        total += from[row];
      return total;
    }

    int
    maximum(const Array<std::int32_t> &lengths)
    {
      const auto n = static_cast<std::int64_t>(lengths.size());
      if (lengths.backend() == Backend::cuda)
        return algorithms::maximum(lengths.data(), n);
      const std::int32_t *const from = lengths.data();
      std::int32_t most              = 0;
#pragma omp parallel for reduction(max : most)
      for (std::int64_t row = 0; row < n; ++row)
        most = std::max(most, from[row]);
      return most;
    }

    /// Throws MeshError if a row would have more than `largest` places.
    template <class Number>
    void
    check_places(const CellData<Number> &cells, const std::int64_t n_of_faces,
                 const int n_components, Array<std::int32_t> &count)
    {
      const std::int64_t n =
        std::int64_t(n_components) * cells.space().dofs_per_cell();
      if (n * cells.space().n_cells() + n_of_faces <= largest)
        return;
      count_cells_of_rows(cells, 1, count);
      const std::int64_t places = n * maximum(count) + n_of_faces;
      count.zero();
      if (places > largest)
        throw MeshError("A row of lazy ELLPACK would have up to " +
                        std::to_string(places) + " places; legal are at most " +
                        std::to_string(largest) + '.');
    }
  } // namespace


  template <class Number>
  EllRows
  LazyEllMatrix<Number>::make_rows(const CellData<Number> &cells,
                                   const CellData<Number> *faces,
                                   const int n_components)
  {
    const Backend backend = cells.backend();
    Array<std::int32_t> of_nodes(backend, cells.space().n_stored());
    const int n_of_face = faces == nullptr ? 0 : faces->space().dofs_per_cell();
    check_places(cells,
                 faces == nullptr ? 0
                                  : std::int64_t(n_of_face) * n_components *
                                      faces->space().n_cells(),
                 n_components, of_nodes);
    count_cells_of_rows(cells, cells.space().dofs_per_cell(), of_nodes);
    if (faces != nullptr)
      count_cells_of_rows(*faces, n_of_face, of_nodes);
    EllRows rows;
    rows.n_rows     = cells.space().n_stored() * n_components;
    rows.lengths    = Array<std::int32_t>(backend, rows.n_rows);
    rows.width      = maximum(of_nodes) * n_components;
    rows.n_nonzeros = sum(of_nodes) * n_components * n_components;
    rows.columns =
      Array<int>(backend, rows.width * ell_padded_rows(rows.n_rows));
    return rows;
  }


  template <class Number>
  LazyEllMatrix<Number>::LazyEllMatrix(const CellData<Number> &cells,
                                       const CellData<Number> *faces,
                                       const int n_components)
    : EllMatrix<Number>(make_rows(cells, faces, n_components))
  {}


  template <class Number>
  AppendSink<Number>
  LazyEllMatrix<Number>::begin_assembly(const Stream stream)
  {
    this->stored_lengths().zero(stream);
    return {this->values().data(), this->stored_columns().data(),
            this->stored_lengths().data(), this->width(), this->n_rows()};
  }


  template <class Number>
  EllMatrix<Number>
  LazyEllMatrix<Number>::consolidate() const
  {
    EllRows rows;
    rows.n_rows  = this->n_rows();
    rows.lengths = Array<std::int32_t>(this->backend(), rows.n_rows);
    Consolidation<Number> work{this->width(),
                               this->lengths(),
                               this->columns(),
                               this->values().data(),
                               0,
                               rows.lengths.data(),
                               nullptr,
                               nullptr};
    for_each(this->backend(), rows.n_rows, ConsolidateRow<true, Number>{work});
    rows.width      = maximum(rows.lengths);
    rows.n_nonzeros = sum(rows.lengths);
    rows.columns =
      Array<int>(this->backend(), rows.width * ell_padded_rows(rows.n_rows));
    work.width   = rows.width;
    work.columns = rows.columns.data();
    EllMatrix<Number> result(std::move(rows));
    work.values = result.values().data();
    for_each(this->backend(), result.n_rows(),
             ConsolidateRow<false, Number>{work});
    if (this->backend() == Backend::cuda)
      runtime::synchronize({});
    return result;
  }


  template <class Number>
  SparsityPattern
  LazyEllMatrix<Number>::pattern() const
  {
    const SparsityPattern repeated = EllMatrix<Number>::pattern();
    SparsityPattern result;
    result.row_start.assign(1, 0);
    for (int row = 0; row < repeated.n_rows(); ++row)
      {
        std::vector<int> mine(
          repeated.columns.begin() + repeated.row_start[row],
          repeated.columns.begin() + repeated.row_start[row + 1]);
        std::sort(mine.begin(), mine.end());
        mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
        result.columns.insert(result.columns.end(), mine.begin(), mine.end());
        result.row_start.push_back(result.columns.size());
      }
    return result;
  }


  template class LazyEllMatrix<double>;
  template class LazyEllMatrix<float>;
} // namespace tessera
