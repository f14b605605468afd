#include <tessera/base/symmetric.h>
#include <tessera/space/face_data.h>
#include <tessera/space/reference_element.h>

#include <algorithm>
#include <stdexcept>

namespace tessera
{
  namespace
  {
    /// Returns how many numbers a face has at its quadrature points.
    std::size_t
    n_values(const BoundaryFaces &faces)
    {
      return std::size_t(n_points(faces.face_type, faces.degree)) *
             n_symmetric(faces.n_components);
    }

    void
    check_sizes(const Space &cells, const BoundaryFaces &faces,
                const std::vector<double> &data)
    {
      const std::size_t n = n_nodes(faces.face_type, faces.degree);
      const std::size_t m = n_values(faces);
      if (faces.face_type != face_type(cells.cell_type) ||
          faces.degree != cells.degree ||
          faces.dofs.size() != n * faces.n_faces() ||
          data.size() != m * faces.n_faces())
        throw std::length_error(
          "BoundaryFaces: type, degree or sizes do not fit the cells");
    }

    /// Returns the local index of every degree of freedom of the mesh, or -1 if
    /// it is not in this space.
    std::vector<int>
    local_indices(const Space &cells)
    {
      int last = -1;
      for (const int dof : cells.mesh_dof)
        last = std::max(last, dof);
      std::vector<int> local(std::size_t(last) + 1, -1);
      for (std::size_t i = 0; i < cells.mesh_dof.size(); ++i)
        local[cells.mesh_dof[i]] = static_cast<int>(i);
      return local;
    }

    template <class Number>
    Array<Number>
    pack_data(const CellData<Number> &batches, const std::size_t m,
              const std::vector<double> &data)
    {
      const Space &space = batches.space();
      std::vector<double> kept(m * space.n_cells());
      for (int f = 0; f < space.n_cells(); ++f)
        std::copy_n(data.begin() + m * space.mesh_cell[f], m,
                    kept.begin() + m * f);
      return batches.pack(kept, static_cast<int>(m));
    }
  } // namespace


  BoundaryFaces
  faces_of_cells(const BoundaryFaces &faces,
                 const std::vector<char> &local_cells)
  {
    BoundaryFaces result;
    result.face_type    = faces.face_type;
    result.degree       = faces.degree;
    result.n_components = faces.n_components;
    const auto copy     = [&](const auto &from, auto &to, const int f) {
      const std::size_t n = from.size() / faces.n_faces();
      to.insert(to.end(), from.begin() + n * f, from.begin() + n * (f + 1));
    };
    for (int f = 0; f < faces.n_faces(); ++f)
      if (local_cells[faces.cells.at(f)] != 0)
        {
          copy(faces.dofs, result.dofs, f);
          copy(faces.load, result.load, f);
          copy(faces.mass, result.mass, f);
          copy(faces.boundary_ids, result.boundary_ids, f);
          copy(faces.cells, result.cells, f);
        }
    return result;
  }


  Space
  make_boundary_space(const Space &cells, const BoundaryFaces &faces,
                      const std::vector<double> &data)
  {
    Space space;
    space.cell_type     = face_type(cells.cell_type);
    space.degree        = cells.degree;
    space.numbering     = cells.numbering;
    space.n_owned       = cells.n_owned;
    space.n_components  = cells.n_components;
    space.n_ghosts      = cells.n_ghosts;
    space.n_hanging     = cells.n_hanging;
    space.n_constrained = cells.n_constrained;
    if (faces.dofs.empty())
      return space;

    check_sizes(cells, faces, data);
    const std::vector<int> local = local_indices(cells);
    const std::size_t n = space.dofs_per_cell(), m = n_values(faces);
    std::vector<int> dofs(faces.dofs.size());
    std::transform(faces.dofs.begin(), faces.dofs.end(), dofs.begin(),
                   [&](const int dof) {
                     const int index = local.at(dof);
                     if (index < 0)
                       throw std::out_of_range(
                         "BoundaryFaces: a degree of freedom is not here");
                     return index;
                   });
    for (const bool interior : {true, false})
      {
        for (int f = 0; f < faces.n_faces(); ++f)
          {
            const auto begin = dofs.begin() + n * f;
            const bool owned = std::all_of(
              begin, begin + n, [&](const int i) { return i < cells.n_owned; });
            const bool zero =
              std::all_of(data.begin() + m * f, data.begin() + m * (f + 1),
                          [](const double value) { return value == 0; });
            if (owned == interior && !zero)
              {
                space.mesh_cell.push_back(f);
                space.cell_dofs.insert(space.cell_dofs.end(), begin, begin + n);
              }
          }
        if (interior)
          space.n_interior_cells = space.n_cells();
      }
    return space;
  }


  std::vector<double>
  face_shape_values(const CellType face_type, const int degree)
  {
    const int n = n_nodes(face_type, degree), m = n_points(face_type, degree);
    std::vector<double> result(std::size_t(n) * m, 1.);
    if (is_simplex(face_type))
      on_element(CellType::triangle, degree, [&](auto e) {
        const auto element = reference_element<decltype(e), double>();
        for (int i = 0; i < n; ++i)
          for (int q = 0; q < m; ++q)
            result[i * m + q] = element.values[i][q];
      });
    else
      on_element(CellType::quadrilateral, degree, [&](auto e) {
        const auto line = reference_element<decltype(e), double>();
        const int n1    = decltype(e)::n1;
        for (int i = 0; i < n; ++i)
          for (int q = 0; q < m; ++q)
            for (int d = 0, a = i, b = q; d < dimension(face_type); ++d)
              {
                result[i * m + q] *= line.values[a % n1][b % n1];
                a /= n1;
                b /= n1;
              }
      });
    return result;
  }


  template <class Number>
  FaceData<Number>::FaceData(const Space &cells, const BoundaryFaces &faces,
                             const std::vector<double> &data,
                             const Backend backend)
    : n_components(faces.n_components),
      batches(std::make_shared<const CellData<Number>>(
        std::make_shared<const Space>(make_boundary_space(cells, faces, data)),
        backend)),
      packed(pack_data(*batches, n_values(faces), data))
  {
    const std::vector<double> values =
      face_shape_values(batches->space().cell_type, batches->space().degree);
    shape_values =
      Array<Number>(backend, std::vector<Number>(values.begin(), values.end()));
  }

  template class FaceData<double>;
  template class FaceData<float>;
} // namespace tessera
