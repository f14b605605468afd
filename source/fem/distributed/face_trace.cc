#include "../mesh/mesh_tools.h"
#include <tessera/fem/distributed/face_trace.h>
#include <tessera/space/quadrature.h>

#include <deal.II/grid/reference_cell.h>

namespace tessera
{
  template <int dim>
  std::vector<dealii::Point<dim>>
  face_nodes(const bool simplex, const int degree)
  {
    using dealii::Point;
    std::vector<Point<dim>> nodes;
    if constexpr (dim == 2)
      if (simplex)
        {
          nodes = {Point<2>(0, 0), Point<2>(1, 0), Point<2>(0, 1)};
          if (degree == 2)
            nodes.insert(nodes.end(), {Point<2>(0.5, 0), Point<2>(0.5, 0.5),
                                       Point<2>(0, 0.5)});
          return nodes;
        }
    // On lines these are the nodes 0, 1, 1/2 of a simplex in ascending order.
    const auto line = gauss_lobatto_points(degree + 1);
    if constexpr (dim == 1)
      for (const double x : line)
        nodes.emplace_back(x);
    else
      for (const double y : line)
        for (const double x : line)
          nodes.emplace_back(x, y);
    return nodes;
  }


  template <int dim>
  FaceTrace<dim>::FaceTrace(const CellNodes<dim> &cells,
                            const std::vector<dealii::Point<dim - 1>> &points)
    : cells(cells)
  {
    const auto shape   = cells.element().reference_cell();
    const bool simplex = shape.is_simplex();
    const auto map     = [](const Face &face, const dealii::Point<dim - 1> &p) {
      dealii::Point<dim> result = face.origin;
      for (int k = 0; k < dim - 1; ++k)
        result += p[k] * face.tangents[k];
      return result;
    };
    const auto support = cells.unit_nodes();
    for (const unsigned int f : shape.face_indices())
      {
        Face face;
        if (simplex)
          {
            const auto vertex = [&](const unsigned int v) {
              return shape.template vertex<dim>(
                shape.face_to_cell_vertices(f, v, 1));
            };
            face.origin = vertex(0);
            for (int k = 0; k < dim - 1; ++k)
              face.tangents[k] = vertex(k + 1) - vertex(0);
          }
        else
          {
            const int normal    = f / 2;
            face.origin[normal] = f % 2;
            for (int k = 0, d = 0; d < dim; ++d)
              if (d != normal)
                face.tangents[k++][d] = 1.;
          }
        if constexpr (dim == 2)
          face.normal = dealii::cross_product_2d(face.tangents[0]);
        else
          face.normal =
            dealii::cross_product_3d(face.tangents[0], face.tangents[1]);
        if (face.normal * (face.origin - shape.template barycenter<dim>()) < 0)
          face.normal *= -1.;
        for (const auto &node : face_nodes<dim - 1>(simplex, cells.degree()))
          for (std::size_t i = 0; i < support.size(); ++i)
            if (support[i].distance(map(face, node)) < 1e-8)
              face.nodes.push_back(static_cast<int>(i));

        std::vector<dealii::Point<dim>> places;
        for (const auto &p : points)
          places.push_back(map(face, p));
        values.emplace_back(cells, places);
        faces.push_back(face);
      }
  }


  template <int dim>
  void
  FaceTrace<dim>::reinit(const std::size_t cell, const unsigned int face_no)
  {
    current      = face_no;
    current_cell = cell;
    values[current].reinit(cell);
    of_face.clear();
    for (const int i : faces[current].nodes)
      of_face.push_back(cells.nodes(cell)[i]);
  }


  template <int dim>
  std::vector<int>
  FaceTrace<dim>::corners() const
  {
    const MeshArrays &mesh = cells.mesh();
    std::vector<int> result;
    for (const int v : mesh_tools::faces_of(mesh.cell_type)[current])
      result.push_back(
        mesh.corners.data()[current_cell * mesh.corners_per_cell() + v]);
    return result;
  }


  template <int dim>
  double
  FaceTrace<dim>::measure(const unsigned int q) const
  {
    const auto jacobian   = values[current].jacobian(q);
    const auto &reference = faces[current].tangents;
    std::array<dealii::Tensor<1, dim>, dim - 1> tangents;
    for (int k = 0; k < dim - 1; ++k)
      tangents[k] = jacobian * reference[k];
    if constexpr (dim == 2)
      return tangents[0].norm();
    else
      return dealii::cross_product_3d(tangents[0], tangents[1]).norm();
  }


  template <int dim>
  dealii::Tensor<1, dim>
  FaceTrace<dim>::normal(const unsigned int q) const
  {
    const auto result =
      faces[current].normal * invert(values[current].jacobian(q));
    return result / result.norm();
  }


  template class FaceTrace<2>;
  template class FaceTrace<3>;
  template std::vector<dealii::Point<1>>
  face_nodes<1>(bool, int);
  template std::vector<dealii::Point<2>>
  face_nodes<2>(bool, int);
} // namespace tessera
