#pragma once

#include <tessera/space/boundary_faces.h>
#include <tessera/space/cell_data.h>

namespace tessera
{
  /// The faces as cells of a space of their own: their type and degree, no
  /// vertices, and the local indices of `cells`, so that they are kept in
  /// batches, coloured and launched as cells are. Faces on which all of `data`
  /// [n_faces][nq] is zero are left out; `mesh_cell` says which ones are
  /// there, `mesh_dof` is left empty. Throws std::length_error where type,
  /// degree or sizes do not fit, std::out_of_range for a degree of freedom
  /// that `cells` does not have.
  Space
  make_boundary_space(const Space &cells, const BoundaryFaces &faces,
                      const std::vector<double> &data);

  /// Values of the shape functions of a face at its quadrature points:
  /// [n][nq].
  std::vector<double>
  face_shape_values(CellType face_type, int degree);

  /// Data at quadrature points of faces, as kernels read them.
  template <class Number>
  struct FaceView
  {
    int n;                      ///< nodes of a face
    int n_points;               ///< nq
    const Number *shape_values; /// [n][nq]
    const Number *data;         /// [n_batches][nq][lanes]
  };

  /// Faces with data in the memory of one backend.
  template <class Number>
  class FaceData
  {
  public:
    /// Throws what `make_boundary_space` throws.
    FaceData(const Space &cells, const BoundaryFaces &faces,
             const std::vector<double> &data, Backend backend);

    /// Batches, colours and launches of the faces.
    const std::shared_ptr<const CellData<Number>> &
    faces() const
    {
      return batches;
    }

    FaceView<Number>
    view() const
    {
      const Space &space = batches->space();
      return {space.dofs_per_cell(), space.points_per_cell(),
              shape_values.data(), packed.data()};
    }

  private:
    std::shared_ptr<const CellData<Number>> batches;
    Array<Number> shape_values;
    Array<Number> packed;
  };
} // namespace tessera
