#include "mesh_tools.h"

#include <tessera/base/error.h>
#include <tessera/fem/bridge/mesh_arrays.h>

#include <deal.II/grid/grid_tools.h>

#include <new>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace tessera::mesh_tools
{
  namespace
  {
    /// Calls what deal.II does with the cells of `source`, and throws MeshError
    /// if they do not fit together.
    template <class Make>
    void
    fit_together(const std::string &source, const Make &make)
    {
      try
        {
          make();
        }
      catch (const std::bad_alloc &)
        {
          throw;
        }
      catch (const std::exception &)
        {
          throw MeshError("The cells of the " + source +
                          " do not fit together.");
        }
    }


    /// Returns the number of the face of a cell that has this key, or -1.
    int
    number_of_face(const FaceKey &key, const int *const cell,
                   const std::vector<std::vector<int>> &faces)
    {
      for (std::size_t f = 0; f < faces.size(); ++f)
        {
          const std::size_t n = faces[f].size();
          FaceKey corners{{-1, -1, -1, -1}};
          for (std::size_t i = 0; i < n; ++i)
            corners[i] = cell[faces[f][i]];
          std::sort(corners.begin(), corners.begin() + n);
          if (corners == key)
            return static_cast<int>(f);
        }
      return -1;
    }
  } // namespace


  template <int dim>
  MeshArrays
  arrays_of(const std::vector<MeshFile::Element> &cells,
            const std::vector<dealii::Point<dim>> &vertices)
  {
    constexpr Backend host = Backend::host;
    MeshArrays arrays;
    arrays.cell_type    = cells[0].type;
    const std::size_t n = arrays.corners_per_cell();
    arrays.corners      = Array<int>(host, cells.size() * n);
    arrays.vertices     = Array<double>(host, vertices.size() * dim);
    arrays.materials    = Array<unsigned int>(host, cells.size());
    arrays.numbers      = Array<std::int64_t>(host, cells.size());
#pragma omp parallel for schedule(static)
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        std::copy_n(cells[c].vertices.begin(), n,
                    arrays.corners.data() + c * n);
        arrays.materials.data()[c] = cells[c].id;
        arrays.numbers.data()[c]   = static_cast<std::int64_t>(c);
      }
#pragma omp parallel for schedule(static)
    for (std::size_t v = 0; v < vertices.size(); ++v)
      std::copy_n(vertices[v].begin_raw(), dim,
                  arrays.vertices.data() + v * dim);
    return arrays;
  }


  template <int dim>
  std::size_t
  create(Mesh<dim> &mesh, MeshArrays cells, const std::vector<Face> &boundary,
         FaceIds faces)
  {
    const std::size_t n = cells.corners_per_cell();
    if (!is_simplex(cells.cell_type))
      {
        std::vector<dealii::CellData<dim>> data(cells.n_cells(),
                                                dealii::CellData<dim>(n));
        int *const corners = cells.corners.data();
        for (std::size_t c = 0; c < data.size(); ++c)
          std::copy_n(corners + c * n, n, data[c].vertices.begin());
        fit_together(mesh.source, [&]() {
          dealii::GridTools::consistently_order_cells(data);
        });
        for (std::size_t c = 0; c < data.size(); ++c)
          std::copy_n(data[c].vertices.begin(), n, corners + c * n);
      }
    std::sort(faces.begin(), faces.end());
    std::vector<char> found(faces.size(), false);
    cells.boundary      = Array<MeshFace>(Backend::host, boundary.size());
    MeshFace *const its = cells.boundary.data();
#pragma omp parallel for schedule(static)
    for (std::size_t f = 0; f < boundary.size(); ++f)
      {
        const auto &[key, cell, opposite] = boundary[f];
        const auto entry =
          std::lower_bound(faces.begin(), faces.end(),
                           std::make_pair(key, dealii::types::boundary_id(0)));
        const bool is_there = entry != faces.end() && entry->first == key;
        if (is_there)
          found[entry - faces.begin()] = true;
        its[f] = {cell,
                  number_of_face(key, cells.corners.data() + cell * n,
                                 faces_of(cells.cell_type)),
                  is_there ? entry->second : 0};
      }
    std::sort(its, its + boundary.size(),
              [](const MeshFace &a, const MeshFace &b) {
                return std::tie(a.cell, a.face) < std::tie(b.cell, b.face);
              });
    if (std::any_of(its, its + boundary.size(),
                    [](const MeshFace &face) { return face.face < 0; }))
      throw std::logic_error("a face of the boundary is none of its cell");
    mesh.assign(std::move(cells));
    return std::count(found.begin(), found.end(), false);
  }


  template <int dim>
  void
  take_cells(dealii::Triangulation<dim> &triangulation, const MeshArrays &cells,
             const std::string &source)
  {
    fit_together(source, [&]() { triangulate(triangulation, cells); });
  }


  void
  refuse_curves(const std::string &source)
  {
    throw MeshError("The " + source +
                    " cannot be refined, since cells of it do not fit its "
                    "curved boundary.");
  }


  template <int dim>
  void
  refine_all(dealii::Triangulation<dim> &triangulation, const int levels,
             const std::string &source)
  {
    try
      {
        triangulation.refine_global(levels);
      }
    catch (const std::bad_alloc &)
      {
        throw;
      }
    catch (const std::exception &)
      {
        refuse_curves(source);
      }
  }


#define INSTANTIATE(dim)                                                     \
  template MeshArrays arrays_of(const std::vector<MeshFile::Element> &,      \
                                const std::vector<dealii::Point<dim>> &);    \
  template std::size_t create(Mesh<dim> &, MeshArrays,                       \
                              const std::vector<Face> &, FaceIds);           \
  template void take_cells(dealii::Triangulation<dim> &, const MeshArrays &, \
                           const std::string &);                             \
  template void refine_all(dealii::Triangulation<dim> &, int,                \
                           const std::string &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera::mesh_tools
