#pragma once

#include <tessera/assembly/assemble.h>
#include <tessera/base/target.h>
#include <tessera/space/cell_apply.h>
#include <tessera/space/face_data.h>

// Kernels on faces. Sizes are known at run time alone: faces are few, and so
// one kernel serves every type and degree.
namespace tessera
{
  /// The matrices of faces with n nodes and b components, and what is to be
  /// done with them. They have m = n b rows, and row c n + k is component c of
  /// node k.
  template <class Number>
  struct FaceMatrices
  {
    const Number *values; ///< [n_batches][m (m + 1) / 2][lanes]
    int n_components;     ///< b
    Number factor;        ///< y += factor M x
    int first_partial;    ///< place of the first block among partial sums
    bool diagonal;        ///< adds the diagonal instead
  };

  /// Adds load vectors to `apply.y`, or writes them there,
  /// [n_batches][n][lanes], by Route::gather; `apply.x` is not read.
  template <class Number>
  void
  add_boundary_load_on(Cuda, const CellApply<Number> &apply,
                       const FaceView<Number> &load, Route route,
                       Stream stream);

  /// Computes `values` as in FaceMatrices.
  template <class Number>
  void
  compute_face_matrices_on(Cuda, const CellApply<Number> &faces,
                           const FaceView<Number> &mass, Number *values,
                           Stream stream);

  template <class Number>
  void
  apply_face_matrices_on(Cuda, const CellApply<Number> &apply,
                         const FaceMatrices<Number> &matrices, Stream stream);

  template <class Number>
  void
  add_face_rows_on(Cuda, const CellApply<Number> &faces,
                   const FaceMatrices<Number> &matrices,
                   const SlotSink<Number> &sink, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  add_boundary_load_on(Target, const CellApply<Number> &apply,
                       const FaceView<Number> &load, Route route,
                       Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  compute_face_matrices_on(Target, const CellApply<Number> &faces,
                           const FaceView<Number> &mass, Number *values,
                           Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  apply_face_matrices_on(Target, const CellApply<Number> &apply,
                         const FaceMatrices<Number> &matrices, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  add_face_rows_on(Target, const CellApply<Number> &faces,
                   const FaceMatrices<Number> &matrices,
                   const SlotSink<Number> &sink, Stream stream);

  /// Calls `f(target, apply)` for every block list of the faces. Throws
  /// ParameterError for `Conflict::none` on the device.
  template <class Number, class F>
  void
  for_each_face_launch(const CellData<Number> &faces, const Conflict conflict,
                       const Number *x, Number *y, const F &f)
  {
    check_conflict(conflict, faces.backend(), "a term of the boundary");
    on_target(faces.backend(), [&](const auto target) {
      for (const BlockList &blocks : faces.launches(conflict))
        f(target, CellApply<Number>{faces.view(conflict),
                                    faces.batches_per_block(),
                                    blocks,
                                    conflict,
                                    x,
                                    y,
                                    true,
                                    {}});
    });
  }
} // namespace tessera
