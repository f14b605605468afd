#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/gather_vector.h>
#include <tessera/space/local_entry.h>

#include <stdexcept>

#include "add_components.cuh"
#include "boundary_terms_kernels.h"

namespace tessera
{
  namespace
  {
    BoundaryFaces
    no_faces(const int n_components)
    {
      BoundaryFaces faces;
      faces.n_components = n_components;
      return faces;
    }
  } // namespace

  template <class Number>
  void
  add_boundary_load(Vector<Number> &b, const CellData<Number> &cells,
                    const BoundaryFaces &faces, const Conflict conflict,
                    const Route route, const Stream stream)
  {
    check_route(route, "the boundary load", {Route::scatter, Route::gather});
    const int n = faces.n_components;
    if (b.size() != cells.space().n_local() * n)
      throw std::length_error("a boundary load of " + std::to_string(n) +
                              " components for a vector of another size");
    if (n > 1)
      return add_components(
        b, cells.space(), n,
        [&](const int c, Vector<Number> &of_component) {
          BoundaryFaces scalar = faces;
          scalar.n_components  = 1;
          scalar.load          = component_of(faces.load, n, c);
          add_boundary_load(of_component, cells, scalar, conflict, route,
                            stream);
        },
        stream);
    const FaceData<Number> data(cells.space(), faces, faces.load,
                                cells.backend());
    std::optional<GatherVector<Number>> gather;
    if (route == Route::gather)
      gather.emplace(*data.faces());
    // Where faces are gathered, every entry has one writer: atomics are named
    // for a parallel loop and never used.
    for_each_face_launch<Number>(
      *data.faces(), gather ? Conflict::atomics : conflict, nullptr,
      gather ? gather->values() : b.data(),
      [&](const auto target, const auto &apply) {
        add_boundary_load_on(target, apply, data.view(), route, stream);
      });
    if (gather)
      gather->add_to(b, stream);
    // The memory behind must outlive what was issued.
    if (cells.backend() == Backend::cuda)
      runtime::synchronize(stream);
  }

  template <class Number>
  BoundaryMatrices<Number>::BoundaryMatrices(const Space &cells,
                                             const BoundaryFaces &faces,
                                             const Backend backend)
    : BoundaryMatrices(
        faces.mass.empty()
          ? FaceData<Number>(cells, no_faces(faces.n_components), {}, backend)
          : FaceData<Number>(cells, faces, faces.mass, backend))
  {}

  template <class Number>
  BoundaryMatrices<Number>::BoundaryMatrices(const FaceData<Number> &data)
    : batches(data.faces()), b(data.view().n_components),
      matrices(batches->backend(),
               static_cast<std::size_t>(batches->n_batches()) *
                 batches->lanes() *
                 n_local_entries(true, batches->space().dofs_per_cell() * b))
  {
    // Every entry has one writer: atomics are named for a parallel loop and
    // never used.
    for_each_face_launch<Number>(*batches, Conflict::atomics, nullptr, nullptr,
                                 [&](const auto target, const auto &launched) {
                                   compute_face_matrices_on(
                                     target, launched, data.view(),
                                     matrices.data(), {});
                                 });
    if (batches->backend() == Backend::cuda)
      runtime::synchronize({});
  }

  template <class Number>
  FaceMatrices<Number>
  BoundaryMatrices<Number>::view(const Number factor, const int first_partial,
                                 const bool diagonal) const
  {
    return {matrices.data(), b, factor, first_partial, diagonal};
  }

  template <class Number>
  void
  BoundaryMatrices<Number>::apply(const CellApply<Number> &apply,
                                  const Number factor, const int first_partial,
                                  const Stream stream) const
  {
    on_target(batches->backend(), [&](const auto target) {
      apply_face_matrices_on(target, apply, view(factor, first_partial),
                             stream);
    });
  }

  template <class Number>
  void
  BoundaryMatrices<Number>::apply_add(Vector<Number> &y,
                                      const Vector<Number> &x,
                                      const Number factor,
                                      const Conflict conflict,
                                      const Stream stream) const
  {
    for_each_face_launch<Number>(*batches, conflict, x.data(), y.data(),
                                 [&](const auto, const auto &launched) {
                                   apply(launched, factor, 0, stream);
                                 });
  }

  template <class Number>
  void
  BoundaryMatrices<Number>::add_diagonal(Vector<Number> &d,
                                         const Conflict conflict,
                                         const Stream stream) const
  {
    for_each_face_launch<Number>(*batches, conflict, nullptr, d.data(),
                                 [&](const auto target, const auto &launched) {
                                   apply_face_matrices_on(
                                     target, launched, view(Number(1), 0, true),
                                     stream);
                                 });
  }

  template <class Number>
  void
  BoundaryMatrices<Number>::add_to_rows(const SlotSink<Number> &sink,
                                        const Conflict conflict,
                                        const Stream stream) const
  {
    for_each_face_launch<Number>(*batches, conflict, nullptr, nullptr,
                                 [&](const auto target, const auto &launched) {
                                   add_face_rows_on(target, launched, view(),
                                                    sink, stream);
                                 });
  }

  template <class Number>
  std::size_t
  BoundaryMatrices<Number>::compulsory_bytes() const
  {
    const std::size_t n = batches->space().dofs_per_cell();
    return batches->space().n_cells() *
           (4 * n + sizeof(Number) * n_local_entries(true, n * b));
  }

#define INSTANTIATE(Number)                                            \
  template void add_boundary_load<Number>(                             \
    Vector<Number> &, const CellData<Number> &, const BoundaryFaces &, \
    Conflict, Route, Stream);                                          \
  template class BoundaryMatrices<Number>;
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
