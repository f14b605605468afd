#include "mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>

#include <tessera/base/error.h>

#include <deal.II/grid/grid_tools.h>

#include <new>

namespace tessera::mesh_tools
{
  template <int dim>
  std::size_t
  create(Mesh<dim> &mesh, const std::vector<dealii::Point<dim>> &vertices,
         std::vector<dealii::CellData<dim>> cells, FaceIds faces)
  {
    try
      {
        mesh.triangulation().clear();
        if (cells[0].vertices.size() == 1u << dim)
          dealii::GridTools::consistently_order_cells(cells);
        mesh.triangulation().create_triangulation(vertices, cells,
                                                  dealii::SubCellData());
      }
    catch (const std::bad_alloc &)
      {
        throw;
      }
    catch (const std::exception &)
      {
        throw MeshError("The cells of the " + mesh.source +
                        " do not fit together.");
      }
    std::sort(faces.begin(), faces.end());
    std::vector<char> found(faces.size(), false);
    for (const auto &cell : boundary_cells(mesh.triangulation()))
      for (const auto &face : cell->face_iterators())
        if (face->at_boundary())
          {
            std::vector<unsigned int> corners;
            for (const unsigned int v : face->vertex_indices())
              corners.push_back(face->vertex_index(v));
            const FaceKey key = make_key(corners);
            auto entry        = std::lower_bound(
                     faces.begin(), faces.end(),
                     std::make_pair(key, dealii::types::boundary_id(0)));
            if (entry != faces.end() && entry->first == key)
              {
                face->set_boundary_id(entry->second);
                found[entry - faces.begin()] = true;
              }
          }
    return std::count(found.begin(), found.end(), false);
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


  template std::size_t
  create(Mesh<2> &, const std::vector<dealii::Point<2>> &,
         std::vector<dealii::CellData<2>>, FaceIds);
  template std::size_t
  create(Mesh<3> &, const std::vector<dealii::Point<3>> &,
         std::vector<dealii::CellData<3>>, FaceIds);
  template void
  refine_all(dealii::Triangulation<2> &, int, const std::string &);
  template void
  refine_all(dealii::Triangulation<3> &, int, const std::string &);
} // namespace tessera::mesh_tools
