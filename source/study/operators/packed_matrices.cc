#include <tessera/assembly/assemble.h>
#include <tessera/base/error.h>
#include <tessera/base/for_each.h>
#include <tessera/operators/models.h>
#include <tessera/space/element.h>

#include "../../operators/launch_diagonals.h"
#include "../../operators/round_values.h"
#include "packed_matrices.h"
#include "packed_matrices_kernels.h"

#include <algorithm>

namespace tessera
{
  namespace
  {
    bool
    is_team(const CellPacking packing)
    {
      return packing == CellPacking::by_node ||
             packing == CellPacking::by_dof || packing == CellPacking::pairs;
    }

    bool
    wants_zero_sums(const CellPacking packing)
    {
      return packing == CellPacking::zero_sums ||
             packing == CellPacking::float_zero_sums;
    }

    /// Returns the places of entries on a backend.
    CellPlaces
    places_of(const CellPacking packing, const Backend backend,
              const Space &space, const int lanes, const int n_components)
    {
      const int nodes     = space.dofs_per_cell();
      const int n         = nodes * n_components;
      const bool is_pairs = packing == CellPacking::pairs;
      const bool zero_sums =
        wants_zero_sums(packing) && n <= most_values_of_differences;
      const bool halves = is_pairs || wants_zero_sums(packing);
      const bool device = backend == Backend::cuda;
      CellPlaces places{CellLayout::cells,          halves, nodes, n_components,
                        n_local_entries(halves, n), lanes};
      if (zero_sums)
        {
          places.layout   = CellLayout::off_diagonal;
          places.n_stored = n_off_diagonal(nodes, n_components);
        }
      else if (is_pairs && device)
        places.layout = CellLayout::pairs;
      else if (is_team(packing) && device)
        places.layout = CellLayout::rows;
      if (packing == CellPacking::by_dof)
        {
          places.n_nodes      = n;
          places.n_components = 1;
        }
      return places;
    }

    /// Stores the matrices of some cells, which are whole batches. On the host
    /// the lanes of an entry stand side by side, so that its place is computed
    /// once for all of them.
    template <class Number>
    void
    pack(const Backend backend, const std::int64_t n_cells,
         const PackCells<Number> &cells, const Stream stream)
    {
      const CellPlaces places = cells.places;
      const int n             = places.n_nodes * places.n_components;
      const int lanes         = places.lanes;
      if (backend == Backend::cuda)
        return for_each_on_device(n_cells * n * n, cells, stream);
#pragma omp parallel for schedule(static)
      for (std::int64_t batch = 0; batch < n_cells / lanes; ++batch)
        for (int i = 0; i < n; ++i)
          for (int j = places.halves ? i : 0; j < n; ++j)
            {
              const std::int64_t place =
                places(cells.first_cell + batch * lanes, i, j);
              if (place >= 0)
                std::copy_n(cells.from + cells.source(batch, i, j), lanes,
                            cells.to + place);
            }
    }
  } // namespace

  template <class Number>
  PackedMatrices<Number>::PackedMatrices(
    std::string name, const CellPacking packing,
    std::shared_ptr<const CellData<Number>> cells_in,
    const FormData<Number> &form, const std::string &strategy,
    const Conflict conflict, std::shared_ptr<const Tail<Number>> tail,
    std::shared_ptr<const BoundaryMatrices<Number>> boundary)
    : CellOperator<Number>(std::move(cells_in), conflict, std::move(tail),
                           std::move(boundary), form.n_components()),
      own_name(std::move(name)), packing(packing)
  {
    const CellData<Number> &cells = *this->cells;
    check_components("The operator " + own_name, cells.space(),
                     this->n_components);
    n_stored = places_of(packing, this->backend(), cells.space(), cells.lanes(),
                         this->n_components)
                 .n_stored;
    const std::size_t size =
      std::size_t(cells.n_batches()) * cells.lanes() * n_stored;
    if (in_float())
      rounded = {this->backend(), size};
    else
      values = {this->backend(), size};
    assemble(form, strategy);
    if (this->backend() == Backend::cuda)
      runtime::synchronize({});
  }

  template <class Number>
  void
  PackedMatrices<Number>::assemble(const FormData<Number> &form,
                                   const std::string &strategy,
                                   const Stream stream)
  {
    this->strategy                = strategy;
    const CellData<Number> &cells = *this->cells;
    const CellPlaces places = places_of(packing, this->backend(), cells.space(),
                                        cells.lanes(), this->n_components);
    const int n = cells.space().dofs_per_cell() * this->n_components;
    const std::int64_t cells_of_block =
      std::int64_t(cells.batches_per_block()) * cells.lanes();
    const std::int64_t most = blocks_of_part(cells.n_blocks()) *
                              cells_of_block *
                              n_local_entries(places.halves, n);
    Array<Number> whole(this->backend(), static_cast<std::size_t>(most));
    Array<float> single(this->backend(),
                        in_float() ? static_cast<std::size_t>(most) : 0);
    Array<unsigned int> beyond(this->backend(), 1);
    for_each_cell_part(cells.n_blocks(), [&](const int first, const int count) {
      const std::int64_t n_cells = count * cells_of_block;
      assemble_local(whole.data(), places.halves, form, strategy, first, count,
                     stream);
      if constexpr (std::is_same_v<Number, double>)
        if (in_float())
          {
            round_values_on_device(whole.data(), single.data(),
                                   n_cells * n_local_entries(places.halves, n),
                                   beyond.data(), stream);
            return pack(this->backend(), n_cells,
                        PackCells<float>{places, first * cells_of_block,
                                         single.data(), rounded.data()},
                        stream);
          }
      pack(this->backend(), n_cells,
           PackCells<Number>{places, first * cells_of_block, whole.data(),
                             values.data()},
           stream);
    });
    check_rounded(beyond, stream); // before memory of parts goes away
  }

  template <class Number>
  bool
  PackedMatrices<Number>::stores_inner_nodes() const
  {
    return CellOperator<Number>::stores_inner_nodes() &&
           !(is_team(packing) && this->backend() == Backend::cuda);
  }

  template <class Number>
  void
  PackedMatrices<Number>::launch(const CellApply<Number> &apply,
                                 const bool diagonal, const Stream stream) const
  {
    const Space &space = this->cells->space();
    const CellPlaces places =
      places_of(packing, this->backend(), space, this->cells->lanes(),
                this->n_components);
    if (places.layout == CellLayout::rows || places.layout == CellLayout::pairs)
      return apply_teams(apply,
                         TeamValues<Number>{places, values.data(),
                                            space.dofs_per_cell(),
                                            this->n_components, diagonal},
                         stream);
    on_element(space.cell_type, space.degree, [&](auto e) {
      using E = decltype(e);
      on_target(this->backend(), [&](const auto target) {
        const auto apply_to = [&](const auto *stored) {
          const LocalValues<Number, std::decay_t<decltype(*stored)>> local{
            stored, places.halves, this->n_components, diagonal};
          if (places.layout == CellLayout::off_diagonal)
            apply_differences<E>(target, apply, local, stream);
          else
            apply_local_matrices<E>(target, apply, local, stream);
        };
        if constexpr (std::is_same_v<Number, double> &&
                      std::is_same_v<std::decay_t<decltype(target)>, Cuda>)
          if (in_float())
            return apply_to(rounded.data());
        apply_to(values.data());
      });
    });
  }

  template <class Number>
  void
  PackedMatrices<Number>::launch_apply(const CellApply<Number> &apply,
                                       const Stream stream) const
  {
    launch(apply, false, stream);
  }

  template <class Number>
  void
  PackedMatrices<Number>::diagonal(Vector<Number> &d, const Stream stream) const
  {
    launch_diagonals(
      *this->cells, this->conflict, d, stream,
      [&](const CellApply<Number> &apply) { launch(apply, true, stream); });
    this->finish_diagonal(d, stream);
  }

  template <class Number>
  Precision
  PackedMatrices<Number>::precision() const
  {
    return in_float() ? precision_of<float>() : precision_of<Number>();
  }

  /// Compulsory: x and y once, the degrees of freedom and the values of every
  /// cell.
  template <class Number>
  Traffic
  PackedMatrices<Number>::traffic() const
  {
    const Space &space = this->cells->space();
    const std::uint64_t cell =
      4 * space.dofs_per_cell() +
      (in_float() ? sizeof(float) : sizeof(Number)) * n_stored;
    return this->with_boundary(
      {2 * sizeof(Number) * this->n_owned() + space.n_cells() * cell,
       this->cells->bytes() + values.bytes() + rounded.bytes()});
  }

  template <class Number>
  RecordValues
  PackedMatrices<Number>::layout_parameters() const
  {
    return in_float() ? RecordValues{{"stored_number", "float"}}
                      : RecordValues{};
  }

  template class PackedMatrices<double>;
  template class PackedMatrices<float>;

  double
  bytes_of_packed_matrices(const CellPacking packing, const MemoryCounts &n)
  {
    const bool in_float = packing == CellPacking::float_zero_sums;
    const bool differences =
      wants_zero_sums(packing) && n.nodes <= most_values_of_differences;
    const bool whole =
      packing == CellPacking::by_node || packing == CellPacking::by_dof;
    return (whole ? n.nodes * n.nodes
                  : n.nodes * (n.nodes + (differences ? -1 : 1)) / 2) *
           (in_float ? sizeof(float) +
                         (sizeof(float) + 1. * n.number_bytes) / n_cell_parts
                     : n.number_bytes * (1 + 1. / n_cell_parts));
  }
} // namespace tessera
