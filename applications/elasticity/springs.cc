#include "springs.h"

#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/distributed/face_trace.h>
#include <tessera/space/face_data.h>

#include <algorithm>

namespace tessera
{
  template <int dim>
  std::vector<Spring<dim>>
  springs(const BoundaryConditions<dim> &boundary, const Mesh<dim> &mesh,
          const CellNodes<dim> &cells)
  {
    std::vector<Spring<dim>> result;
    for (const auto &faces : boundary.tensor_faces(mesh, cells))
      for (std::size_t i = 0; i < faces.dS.size(); ++i)
        {
          dealii::Point<dim> point;
          std::copy_n(&faces.points[i * dim], dim, point.begin_raw());
          result.push_back(
            {point, faces.K[i],
             faces.cells[i / (faces.dS.size() / faces.cells.size())]});
        }
    return result;
  }


  namespace
  {
    /// The shape functions of faces at their quadrature points.
    template <int dim>
    struct FaceShapes
    {
      using Faces = typename BoundaryConditions<dim>::TensorFaces;

      const std::vector<double> phi; ///< [n][nq]

      explicit FaceShapes(const CellNodes<dim> &cells)
        : phi(face_shape_values(face_type(cells.cell_type()), cells.degree()))
      {}

      /// Calls visit(component, degree of freedom, value of its shape
      /// function) for all degrees of freedom of the face with point i.
      template <class Visit>
      void
      at_point(const Faces &faces, const std::size_t i,
               const Visit &visit) const
      {
        const std::size_t nq   = faces.dS.size() / faces.cells.size();
        const std::size_t n    = faces.dofs.size() / faces.cells.size();
        const auto *const dofs = &faces.dofs[i / nq * n];
        for (std::size_t k = 0; k < n; ++k)
          visit(k % dim, dofs[k], phi[k / dim * nq + i % nq]);
      }
    };
  } // namespace


  template <int dim>
  std::vector<std::pair<std::string, dealii::Vector<double>>>
  spring_forces(const BoundaryConditions<dim> &boundary, const Mesh<dim> &mesh,
                const CellNodes<dim> &cells, const dealii::Vector<double> &u)
  {
    const FaceShapes<dim> shapes(cells);
    std::vector<std::pair<std::string, dealii::Vector<double>>> result;
    for (const auto &faces : boundary.tensor_faces(mesh, cells))
      {
        dealii::Vector<double> forces(u.size());
        for (std::size_t i = 0; i < faces.dS.size(); ++i)
          {
            dealii::Tensor<1, dim> stretch = faces.at_rest[i];
            shapes.at_point(faces, i,
                            [&](const int c, const auto dof, const double phi) {
                              stretch[c] -= phi * u(dof);
                            });
            const dealii::Tensor<1, dim> force =
              faces.dS[i] * (faces.K[i] * stretch);
            shapes.at_point(faces, i,
                            [&](const int c, const auto dof, const double phi) {
                              forces(dof) += phi * force[c];
                            });
          }
        result.emplace_back(faces.name, std::move(forces));
      }
    return result;
  }


  template <int dim>
  std::vector<dealii::Vector<double>>
  spring_sizes(const BoundaryConditions<dim> &boundary, const Mesh<dim> &mesh,
               const CellNodes<dim> &cells, const double largest_u)
  {
    const FaceShapes<dim> shapes(cells);
    std::vector<dealii::Vector<double>> result;
    for (const auto &faces : boundary.tensor_faces(mesh, cells))
      {
        dealii::Vector<double> sizes(cells.n_dofs());
        for (std::size_t i = 0; i < faces.dS.size(); ++i)
          shapes.at_point(
            faces, i, [&](const int k, const auto dof, const double phi) {
              for (int c = 0; c < dim; ++c)
                sizes(dof) += faces.dS[i] * std::abs(phi) *
                              std::abs(faces.K[i][k][c]) *
                              (std::abs(faces.at_rest[i][c]) + largest_u);
            });
        result.push_back(std::move(sizes));
      }
    return result;
  }


#define INSTANTIATE(dim)                                                     \
  template std::vector<Spring<dim>> springs(const BoundaryConditions<dim> &, \
                                            const Mesh<dim> &,               \
                                            const CellNodes<dim> &);         \
  template std::vector<std::pair<std::string, dealii::Vector<double>>>       \
  spring_forces(const BoundaryConditions<dim> &, const Mesh<dim> &,          \
                const CellNodes<dim> &, const dealii::Vector<double> &);     \
  template std::vector<dealii::Vector<double>> spring_sizes(                 \
    const BoundaryConditions<dim> &, const Mesh<dim> &,                      \
    const CellNodes<dim> &, double);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
