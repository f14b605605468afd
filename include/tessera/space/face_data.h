#pragma once

#include <tessera/space/boundary_faces.h>
#include <tessera/space/cell_data.h>

namespace tessera
{
  /// Makes a space whose cells are boundary faces, so that faces are stored in
  /// batches, coloured and launched like cells. It has the type and degree of
  /// the faces, no vertices, and the local indices of `cells`. Faces on which
  /// all of `data`, [n_faces][nq][b (b + 1) / 2] with the b components of the
  /// faces, are zero are left out; `mesh_cell` holds the numbers of the faces
  /// that remain, and `mesh_dof` is empty. Throws std::length_error if type,
  /// degree or sizes do not fit, and std::out_of_range for a degree of freedom
  /// that `cells` does not have.
  Space
  make_boundary_space(const Space &cells, const BoundaryFaces &faces,
                      const std::vector<double> &data);

  /// Returns the values of the shape functions of a face at its quadrature
  /// points, [n][nq], point fastest.
  std::vector<double>
  face_shape_values(CellType face_type, int degree);

  /// The data at the quadrature points of faces as kernels read them.
  template <class Number>
  struct FaceView
  {
    int n;                      ///< nodes per face
    int n_points;               ///< quadrature points per face, nq
    int n_components;           ///< b
    const Number *shape_values; ///< [n][nq]
    const Number *data;         ///< [n_batches][nq][b (b + 1) / 2][lanes]
  };

  /// Faces with data at their quadrature points, in the memory of one backend.
  template <class Number>
  class FaceData
  {
  public:
    /// Takes the faces of `make_boundary_space` and throws what it throws.
    FaceData(const Space &cells, const BoundaryFaces &faces,
             const std::vector<double> &data, Backend backend);

    /// Returns the faces as cells, with their batches, colours and launches.
    const std::shared_ptr<const CellData<Number>> &
    faces() const
    {
      return batches;
    }

    FaceView<Number>
    view() const
    {
      const Space &space = batches->space();
      return {space.dofs_per_cell(), space.points_per_cell(), n_components,
              shape_values.data(), packed.data()};
    }

  private:
    int n_components;
    std::shared_ptr<const CellData<Number>> batches;
    Array<Number> shape_values;
    Array<Number> packed;
  };
} // namespace tessera
