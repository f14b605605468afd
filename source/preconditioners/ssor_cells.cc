#include <tessera/matrix/cells_of_rows.h>
#include <tessera/space/local_entry.h>

#include "ssor_cells.cuh"
#include "ssor_sweeps.h"

namespace tessera
{
  namespace
  {
    std::vector<int>
    count_parts(const CellsOfRows &cells, const int n_rows)
    {
      std::vector<int> count(n_rows, 0);
      for (int row = 0; row < n_rows; ++row)
        count[row] = static_cast<int>(cells.start.data()[row + 1] -
                                      cells.start.data()[row]);
      return count;
    }

    /// The arrays that LocalRows points to, except for the values. They are
    /// empty if there are no cells.
    template <class Number>
    class LocalLists
    {
    public:
      LocalLists() = default;

      LocalLists(const CellData<Number> &cells,
                 const CellsOfRows &cells_of_rows,
                 const std::vector<int> &count, const ColorOrder &order)
      {
        const auto starts = slice_starts(order, count);
        std::vector<unsigned int> all(slice_rows * starts.back(),
                                      LocalRows<Number>::none);
        for (std::size_t row = 0; row < count.size(); ++row)
          {
            const int place       = order.place[row];
            const std::int64_t at = starts[place / slice_rows];
            for (int k = 0; k < count[row]; ++k)
              all[(at + k) * slice_rows + place % slice_rows] =
                cells_of_rows.entries
                  .data()[cells_of_rows.start.data()[row] + k];
          }
        start  = Array<std::int64_t>(cells.backend(), starts);
        parts  = Array<unsigned int>(cells.backend(), all);
        places = Array<int>(cells.backend(), places_of_nodes(cells, order));
      }

      LocalRows<Number>
      view(const CellData<Number> &cells, const Array<Number> &values,
           const bool symmetric) const
      {
        return {start.data(),
                parts.data(),
                places.data(),
                values.data(),
                cells.space().dofs_per_cell(),
                cells.lanes(),
                symmetric};
      }

      std::size_t
      bytes() const
      {
        return start.bytes() + parts.bytes() + places.bytes();
      }

    private:
      /// [n_batches][n][lanes]
      static std::vector<int>
      places_of_nodes(const CellData<Number> &cells, const ColorOrder &order)
      {
        const Space &space = cells.space();
        const int n = space.dofs_per_cell(), lanes = cells.lanes();
        std::vector<int> result(std::size_t(cells.n_batches()) * n * lanes, -1);
#pragma omp parallel for schedule(static)
        for (int cell = 0; cell < space.n_cells(); ++cell)
          for (int j = 0; j < n; ++j)
            {
              const int dof = space.cell_dofs[std::size_t(n) * cell + j];
              if (dof < space.n_owned)
                result[(std::size_t(cell / lanes) * n + j) * lanes +
                       cell % lanes] = order.place[dof];
            }
        return result;
      }

      Array<std::int64_t> start;
      Array<unsigned int> parts;
      Array<int> places;
    };

    template <class Number>
    class CellSweeps : public SsorSweeps<Number>
    {
    public:
      CellSweeps(const LocalMatrices<Number> &A, ColorOrder order,
                 LocalLists<Number> cells, LocalLists<Number> faces,
                 const double relaxation, const Stream stream)
        : SsorSweeps<Number>(std::move(order), A.backend()), A(A),
          cells(std::move(cells)), faces(std::move(faces)),
          factor(A.backend(), this->color_order.n_places())
      {
        Vector<Number> diagonal = A.make_vector();
        A.diagonal(diagonal, stream);
        for_each(A.backend(), A.n_owned(),
                 SsorScales<Number>{diagonal.data(), this->place.data(),
                                    static_cast<Number>(relaxation),
                                    this->scale.data(), factor.data()},
                 stream);
        if (A.backend() == Backend::cuda)
          runtime::synchronize(stream);
      }

    protected:
      void
      sweep(Number *y, const int color, const bool lower,
            const Stream stream) const override
      {
        CellSweep<Number> sweep{
          cells.view(A.cell_data(), A.values(), A.is_symmetric()),
          {},
          factor.data(),
          y,
          {this->color_order.first_slice[color],
           this->color_order.n_slices(color)},
          lower};
        if (const auto *boundary = A.boundary_matrices())
          sweep.faces = faces.view(boundary->faces(), boundary->values(), true);
        on_target(this->backend(), [&](const auto target) {
          sweep_ssor<Number>(target, sweep, stream);
        });
      }

      /// Compulsory bytes: every off-diagonal entry is read once. Both sweeps
      /// read the places of a cell for each of its nodes, the node itself, and
      /// the factor of a row.
      Traffic
      entries() const override
      {
        const auto of = [](const CellData<Number> &data) {
          const std::uint64_t n = data.space().dofs_per_cell();
          return data.space().n_cells() *
                 (sizeof(Number) * n * (n - 1) + 8 * n * (n + 1));
        };
        const auto *boundary = A.boundary_matrices();
        return {of(A.cell_data()) + (boundary ? of(boundary->faces()) : 0) +
                  2 * sizeof(Number) * A.n_owned(),
                cells.bytes() + faces.bytes() + factor.bytes()};
      }

    private:
      const LocalMatrices<Number> &A;
      LocalLists<Number> cells, faces;
      Array<Number> factor; ///< [n_places]: w / D_i
    };
  } // namespace


  template <class Number>
  std::unique_ptr<SsorSweeps<Number>>
  make_ssor_sweeps(const LocalMatrices<Number> &A, const double relaxation,
                   const Stream stream)
  {
    const CellData<Number> &cells = A.cell_data();
    const CellsOfRows of_cells =
      list_cells_of_rows(cells.space(), cells.space().n_owned);
    const std::vector<int> n_cells = count_parts(of_cells, A.n_owned());
    const auto *boundary           = A.boundary_matrices();
    CellsOfRows of_faces;
    std::vector<int> n_faces(A.n_owned(), 0);
    if (boundary)
      {
        of_faces =
          list_cells_of_rows(boundary->faces().space(), cells.space().n_owned);
        n_faces = count_parts(of_faces, A.n_owned());
      }
    ColorOrder order = order_by_color(
      color_rows(make_sparsity_pattern(cells.space())), n_cells, n_faces);
    LocalLists<Number> cell_lists(cells, of_cells, n_cells, order), face_lists;
    if (boundary)
      face_lists =
        LocalLists<Number>(boundary->faces(), of_faces, n_faces, order);
    return std::make_unique<CellSweeps<Number>>(
      A, std::move(order), std::move(cell_lists), std::move(face_lists),
      relaxation, stream);
  }

  template std::unique_ptr<SsorSweeps<double>>
  make_ssor_sweeps(const LocalMatrices<double> &, double, Stream);
  template std::unique_ptr<SsorSweeps<float>>
  make_ssor_sweeps(const LocalMatrices<float> &, double, Stream);
} // namespace tessera
