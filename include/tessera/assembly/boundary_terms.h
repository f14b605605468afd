#pragma once

#include <tessera/assembly/assemble.h>
#include <tessera/matrix/append_sink.h>
#include <tessera/matrix/sparsity_pattern.h>
#include <tessera/space/cell_apply.h>
#include <tessera/space/face_data.h>

// What natural boundary conditions, (kappa grad u) . n + alpha u = g, add to a
// system.
namespace tessera
{
  /// b_i += sum over faces of the integral of g phi_i, on owned entries.
  /// Throws what `FaceData` throws, and ParameterError for `owner`, and for
  /// `none` on the device.
  template <class Number>
  void
  add_boundary_load(Vector<Number> &b, const CellData<Number> &cells,
                    const BoundaryFaces &faces, Conflict conflict,
                    Stream stream = {});

  /// The matrices of faces, M_ij = integral of alpha phi_i phi_j, where alpha
  /// is not zero. They are of lower dimension than the cells, so one stored
  /// form serves every operator.
  template <class Number>
  class BoundaryMatrices
  {
  public:
    /// Computes the matrices. Throws what `FaceData` throws.
    BoundaryMatrices(const Space &cells, const BoundaryFaces &faces,
                     Backend backend);

    /// The faces, for their launches and for a SlotMap.
    const CellData<Number> &
    faces() const
    {
      return *batches;
    }

    /// y += factor M x on the faces of a block list; x . M x is summed up
    /// where apply.sum.result is not null, the partial sum of block k at
    /// `first_partial` + k. `apply.cells` is a view of `faces()`.
    void
    apply(const CellApply<Number> &apply, Number factor, int first_partial,
          Stream stream) const;

    /// y += factor M x on all faces, tails included.
    void
    apply_add(Vector<Number> &y, const Vector<Number> &x, Number factor,
              Conflict conflict, Stream stream = {}) const;

    /// Adds the diagonal to d, tails included.
    void
    add_diagonal(Vector<Number> &d, Conflict conflict,
                 Stream stream = {}) const;

    /// Adds the entries to a matrix of rows; `sink` is of a SlotMap of
    /// `faces()`.
    void
    add_to_rows(const SlotSink<Number> &sink, Conflict conflict,
                Stream stream = {}) const;

    /// Appends the rows of all matrices to those of a matrix.
    void
    append_to_rows(const AppendSink<Number> &sink, Conflict conflict,
                   Stream stream = {}) const;

    /// Bytes an application must move besides x and y: degrees of freedom and
    /// entries.
    std::size_t
    compulsory_bytes() const;

    std::size_t
    bytes() const
    {
      return batches->bytes() + matrices.bytes();
    }

    /// [n_batches][n (n + 1) / 2][lanes], upper halves
    const Array<Number> &
    values() const
    {
      return matrices;
    }

  private:
    explicit BoundaryMatrices(const FaceData<Number> &data);

    std::shared_ptr<const CellData<Number>> batches;
    Array<Number> matrices;
  };
} // namespace tessera
