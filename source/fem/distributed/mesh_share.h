#pragma once

#include <tessera/fem/mesh/mesh.h>

#include <deal.II/grid/tria_description.h>

#include <boost/serialization/array.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/set.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>

#include <array>
#include <string>
#include <vector>

namespace tessera
{
  /// What a process gets of a mesh that another one has as a whole.
  template <int dim>
  struct MeshShare
  {
    /// Active cells of the whole mesh as coarsest ones, in its order: the cells
    /// of the process, the cells around them and a few others
    /// (`DistributedMesh`).
    dealii::TriangulationDescription::Description<dim, dim> cells;
    /// These members of `Mesh` are about these cells.
    Bodies<dim> bodies;
    std::vector<std::array<double, 6>> fibres;
    /// Where the coarsest vertices of a curved mesh are, else empty.
    std::vector<dealii::Point<dim>> coarsest_vertices;
    /// The nodes of these cells as `QuadraticCells` has them, or empty if these
    /// are no nodes of the mesh.
    std::vector<dealii::Point<dim>> quadratic_nodes;
    std::string source;
    GroupNames boundary_names, material_names;
    std::map<unsigned int, unsigned int> part_of;
    NodeSets node_sets;
    std::size_t n_ignored_faces = 0;
    int levels                  = 0;     ///< refinements that the process does
    bool moves                  = false; ///< vertices are moved afterwards

    template <class Archive>
    void
    serialize(Archive &archive, const unsigned int /*version*/)
    {
      archive &cells &bodies.of_cell &bodies.part &bodies.joints &fibres
        &coarsest_vertices &quadratic_nodes &source &boundary_names
          &material_names &part_of &node_sets &n_ignored_faces &levels &moves;
    }
  };


  /// Cuts shares of the processes out of a whole mesh, whose cells have the
  /// subdomain ids of the processes that get them and whose vertices do not
  /// hang.
  template <int dim>
  class MeshCutter
  {
  public:
    /// A curved mesh has so many vertices of its coarsest cells, the first
    /// ones.
    MeshCutter(const Mesh<dim> &whole, std::size_t n_coarsest_vertices);

    /// Returns the share of the process with the number `rank`.
    MeshShare<dim>
    share(unsigned int rank) const;

  private:
    using Cell = typename dealii::Triangulation<dim>::active_cell_iterator;

    /// Returns the cells of a share in the order of the mesh, and says which
    /// of them, [n_active_cells], the process knows: the cells with a vertex of
    /// its own cells.
    std::vector<Cell>
    cells_of(unsigned int rank, std::vector<char> &is_known) const;

    const Mesh<dim> &whole;
    const std::size_t n_coarsest_vertices;
    const Bodies<dim> bodies;
    /// [n_active_cells]: 1 for the first cell of a body with a boundary or
    /// material, and for the first two cells of two materials that have a
    /// common face. All processes get these.
    std::vector<char> is_for_all;
  };
} // namespace tessera
