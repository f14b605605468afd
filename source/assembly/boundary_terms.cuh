#pragma once

#include <tessera/assembly/assemble.h>
#include <tessera/space/cells.cuh>
#include <tessera/space/face_data.h>
#include <tessera/space/local_entry.h>

// Mathematics of faces, one a thread (or one a lane), entry by entry: nothing
// is kept, so that sizes may be known at run time alone.
namespace tessera
{
  /// sum_q load_q phi_i(q), load_q including the weight.
  template <class Cells, class Number>
  TESSERA_HOST_DEVICE typename Cells::Value
  face_load(const Cells &face, const FaceView<Number> &view, const int i)
  {
    typename Cells::Value sum(Number(0));
    TESSERA_ROLLED
    for (int q = 0; q < view.n_points; ++q)
      sum += face.load(view.data, view.n_points, q) *
             read_only(view.shape_values + i * view.n_points + q);
    return sum;
  }

  /// sum_q mass_q phi_i(q) phi_j(q), entry (i, j >= i) of a face's matrix.
  template <class Cells, class Number>
  TESSERA_HOST_DEVICE typename Cells::Value
  face_mass(const Cells &face, const FaceView<Number> &view, const int i,
            const int j)
  {
    typename Cells::Value sum(Number(0));
    const int n_values = n_local_entries(true, view.n_components);
    const int value =
      local_entry(true, view.n_components, i / view.n, j / view.n);
    const Number *const phi_i = view.shape_values + i % view.n * view.n_points;
    const Number *const phi_j = view.shape_values + j % view.n * view.n_points;
    TESSERA_ROLLED
    for (int q = 0; q < view.n_points; ++q)
      sum +=
        face.load(view.data, n_values * view.n_points, q * n_values + value) *
        (read_only(phi_i + q) * read_only(phi_j + q));
    return sum;
  }

  /// Entry (i, j) of a face's matrix of n rows.
  template <class Cells, class Number>
  TESSERA_HOST_DEVICE typename Cells::Value
  face_entry(const Cells &face, const Number *values, const int n, const int i,
             const int j)
  {
    return face.load(values, n_local_entries(true, n),
                     i < j ? local_entry(true, n, i, j)
                           : local_entry(true, n, j, i));
  }

  /// Where the entry of a local matrix is added in a row, if the entry of its
  /// nodes stands at `place` in the slots and its column is `component` of so
  /// many; null where it is not stored.
  template <class Number>
  TESSERA_HOST_DEVICE Number *
  slot_address(const SlotSink<Number> &sink, const int row,
               const std::int64_t place, const int n_components,
               const int component)
  {
    const bool bytes = sink.slots_8 != nullptr;
    const int slot   = bytes ? sink.slots_8[place] : sink.slots_16[place];
    return slot == (bytes ? 0xff : 0xffff)
             ? nullptr
             : sink.values +
                 sink.rows.position(row, n_components * slot + component);
  }
} // namespace tessera
