#pragma once

#include <tessera/assembly/assemble.h>
#include <tessera/matrix/sparsity_pattern.h>
#include <tessera/space/cell_apply.h>
#include <tessera/space/face_data.h>

// This header computes the terms that natural boundary conditions, (kappa grad
// u) . n + alpha u = g, add to a system of equations.
namespace tessera
{
  /// Adds the boundary load: b_i += sum over faces of the integral of g phi_i,
  /// for owned entries and the tail. b has as many components as g,
  /// [node][component]. The route is `scatter` or `gather`, as of
  /// `add_load_vector`. Waits for the device. Throws what `FaceData` throws,
  /// ParameterError for another route or for conflict handling that does not
  /// suit the backend, and std::length_error for a vector of another size.
  template <class Number>
  void
  add_boundary_load(Vector<Number> &b, const CellData<Number> &cells,
                    const BoundaryFaces &faces, Conflict conflict,
                    Route route = Route::scatter, Stream stream = {});

  template <class Number>
  struct FaceMatrices;

  /// The matrices of faces, M_ij = integral of alpha phi_i phi_j, for the faces
  /// on which alpha is not zero. They are of lower dimension than the cells and
  /// therefore small, so all operators use the same stored matrices. With b
  /// components, alpha is a tensor: the entry between component c of node i and
  /// component d of node j is the integral of alpha_cd phi_i phi_j.
  template <class Number>
  class BoundaryMatrices
  {
  public:
    /// Computes the matrices and waits for the device. Throws what `FaceData`
    /// throws.
    BoundaryMatrices(const Space &cells, const BoundaryFaces &faces,
                     Backend backend);

    /// Returns the faces. `apply` needs their launches, and a SlotMap can be
    /// made from them.
    const CellData<Number> &
    faces() const
    {
      return *batches;
    }

    /// Computes y += factor M x on the faces of a block list; `apply.cells` is
    /// a view of `faces()`. If apply.sum.result is not null, also sums up
    /// x . M x, with the partial sum of block k at `first_partial` + k.
    void
    apply(const CellApply<Number> &apply, Number factor, int first_partial,
          Stream stream) const;

    /// Computes y += factor M x on all faces, including the tails. Throws what
    /// `check_conflict` throws.
    void
    apply_add(Vector<Number> &y, const Vector<Number> &x, Number factor,
              Conflict conflict, Stream stream = {}) const;

    /// Adds the diagonal of M to d, including the tail. Throws what
    /// `check_conflict` throws.
    void
    add_diagonal(Vector<Number> &d, Conflict conflict,
                 Stream stream = {}) const;

    /// Adds the entries of all matrices to a matrix of rows. `sink` is made by
    /// a SlotMap of `faces()`. Throws what `check_conflict` throws.
    void
    add_to_rows(const SlotSink<Number> &sink, Conflict conflict,
                Stream stream = {}) const;

    /// Returns the bytes that a product must read besides x and y: node indices
    /// and entries of the matrices.
    std::size_t
    compulsory_bytes() const;

    std::size_t
    bytes() const
    {
      return batches->bytes() + matrices.bytes();
    }

    int
    n_components() const
    {
      return b;
    }

    /// Returns the upper halves of the matrices of m = n b rows,
    /// [n_batches][m (m + 1) / 2][lanes], lane fastest; component c of node k
    /// has the index c n + k.
    const Array<Number> &
    values() const
    {
      return matrices;
    }

  private:
    explicit BoundaryMatrices(const FaceData<Number> &data);

    FaceMatrices<Number>
    view(Number factor = Number(1), int first_partial = 0,
         bool diagonal = false) const;

    std::shared_ptr<const CellData<Number>> batches;
    int b; ///< components
    Array<Number> matrices;
  };
} // namespace tessera
