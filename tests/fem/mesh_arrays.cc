#include "array_meshes.h"
#include "test.h"

#include <tessera/base/error.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/bridge/mesh_arrays.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <cmath>
#include <functional>
#include <string>

using namespace tessera;
using test::HostMesh;

// deal.II is the oracle of meshes as arrays, of their refinement and of their
// nodes.
namespace
{
  template <int dim>
  using Mesh = dealii::Triangulation<dim>;

  /// Points that are equal up to rounding have the same key.
  using Key = std::array<long, 3>;

  Key
  key_of(const test::Position &x)
  {
    Key key;
    for (int d = 0; d < 3; ++d)
      key[d] = std::lround(x[d] * 1e9 + 0.1234); // no point lies on a border
    return key;
  }

  /// The corners of cells with their materials, and the corners of boundary
  /// faces with their ids.
  struct Sets
  {
    using Entities = std::multiset<std::pair<std::vector<Key>, unsigned int>>;
    Entities cells, boundary;
    std::multiset<Key> vertices;

    explicit Sets(const MeshArrays &arrays)
    {
      const HostMesh mesh(arrays);
      const auto key = [&](const int c, const int v) {
        return key_of(mesh.point(mesh.corner(c, v)));
      };
      for (int c = 0; c < mesh.n_cells; ++c)
        {
          std::vector<Key> corners;
          for (int v = 0; v < mesh.nv; ++v)
            corners.push_back(key(c, v));
          add(cells, corners, mesh.materials[c]);
        }
      for (const MeshFace &face : mesh.boundary)
        {
          std::vector<Key> corners;
          for (const int v : test::face_corners(mesh.cell_type, face.face))
            corners.push_back(key(face.cell, v));
          add(boundary, corners, face.id);
        }
      for (int v = 0; v < mesh.n_vertices; ++v)
        vertices.insert(key_of(mesh.point(v)));
    }

    static void
    add(Entities &entities, std::vector<Key> corners, const unsigned int id)
    {
      std::sort(corners.begin(), corners.end());
      entities.insert({corners, id});
    }
  };

  /// Calls f(mesh, name) for deal.II's coarse meshes with flat boundaries.
  template <int dim>
  void
  for_each_mesh(const std::function<void(Mesh<dim> &)> &f)
  {
    const auto with = [&](const std::string &name, const auto &make) {
      SCOPED_TRACE(name + ", " + std::to_string(dim));
      Mesh<dim> mesh;
      make(mesh);
      mesh.reset_all_manifolds();
      unsigned int k = 0;
      for (const auto &cell : mesh.active_cell_iterators())
        {
          cell->set_material_id(k % 5);
          for (const auto &face : cell->face_iterators())
            if (face->at_boundary())
              face->set_boundary_id(++k % 3);
        }
      f(mesh);
    };
    using namespace dealii;
    with("boxes", [](auto &mesh) {
      std::vector<unsigned int> boxes = {3, 2, 2};
      boxes.resize(dim);
      Point<dim> low, high;
      for (int d = 0; d < dim; ++d)
        high[d] = 1 + 0.3 * d;
      GridGenerator::subdivided_hyper_rectangle(mesh, boxes, low, high);
    });
    with("one cell", [](auto &mesh) { GridGenerator::hyper_cube(mesh); });
    with("ball", [](auto &mesh) { GridGenerator::hyper_ball(mesh); });
    with("L", [](auto &mesh) { GridGenerator::hyper_L(mesh); });
    with("simplices", [](auto &mesh) {
      std::vector<unsigned int> boxes = {2, 1, 2};
      boxes.resize(dim);
      Point<dim> low, high;
      for (int d = 0; d < dim; ++d)
        high[d] = 1;
      GridGenerator::subdivided_hyper_rectangle_with_simplices(mesh, boxes, low,
                                                               high);
      GridTools::transform( // so that no two diagonals are equally long
        [](const Point<dim> &x) {
          Point<dim> y = x;
          for (int d = 0; d < dim; ++d)
            y[d] += (0.2 + 0.07 * d) * x[(d + 1) % dim] + 0.03 * d * x[d];
          return y;
        },
        mesh);
    });
  }

  template <int dim>
  void
  test_refinement()
  {
    for_each_mesh<dim>([](Mesh<dim> &mesh) {
      MeshArrays arrays = mesh_arrays(mesh);
      arrays.check();
      for (int level = 0; level < 3; ++level)
        {
          SCOPED_TRACE("level " + std::to_string(level));
          const MeshArrays expected = mesh_arrays(mesh);
          expected.check();
          const Sets a(arrays), b(expected);
          EXPECT_EQ(a.vertices, b.vertices);
          EXPECT_EQ(a.boundary, b.boundary);
          if (arrays.cell_type != CellType::tetrahedron)
            EXPECT_EQ(a.cells, b.cells);
          else // deal.II always takes the same diagonal
            EXPECT_LE(test::worst_shape(HostMesh(arrays)),
                      (1 + 1e-12) * test::worst_shape(HostMesh(expected)));
          EXPECT_EQ(a.cells.size(), mesh.n_active_cells());
          arrays = refine(arrays);
          mesh.refine_global(1);
        }
    });
  }

  /// Expects that deal.II's degrees of freedom and the nodes are the same up to
  /// their numbers: in all cells the same node stands for a degree of freedom.
  template <int dim>
  void
  test_nodes()
  {
    for_each_mesh<dim>([](Mesh<dim> &mesh) {
      mesh.refine_global(1);
      const MeshArrays arrays = mesh_arrays(mesh);
      for (int p = 1; p <= std::min(max_degree(arrays.cell_type), 6 - dim); ++p)
        {
          SCOPED_TRACE("degree " + std::to_string(p));
          const auto element = make_element<dim>(arrays.cell_type, p);
          const auto local   = to_local_order<dim>(arrays.cell_type, p);
          dealii::DoFHandler<dim> dof_handler(mesh);
          dof_handler.distribute_dofs(*element);
          const ElementNodes nodes = number(arrays, p);
          ASSERT_EQ(nodes.n_nodes, int(dof_handler.n_dofs()));
          const auto of_cells = nodes.of_cells.to_vector();
          const std::size_t n = local.size();
          std::vector<int> node_of(nodes.n_nodes, -1), dof_of(node_of);
          std::vector<dealii::types::global_dof_index> dofs(n);
          for (const auto &cell : dof_handler.active_cell_iterators())
            {
              cell->get_dof_indices(dofs);
              for (std::size_t i = 0; i < n; ++i)
                {
                  const int dof  = dofs[local[i]];
                  const int node = of_cells[cell->active_cell_index() * n + i];
                  if (node_of[dof] < 0 && dof_of[node] < 0)
                    {
                      node_of[dof] = node;
                      dof_of[node] = dof;
                    }
                  ASSERT_EQ(node_of[dof], node);
                  ASSERT_EQ(dof_of[node], dof);
                }
            }
          const auto expected = dealii::DoFTools::extract_boundary_dofs(
            dof_handler, dealii::ComponentMask(), {0, 2});
          const auto given =
            nodes_on_boundaries(arrays, nodes, {0, 2}).to_vector();
          for (int dof = 0; dof < nodes.n_nodes; ++dof)
            EXPECT_EQ(given[node_of[dof]] != 0, expected.is_element(dof));
        }
    });
  }
} // namespace

TEST(MeshArrays, RefinementIsThatOfDealII)
{
  test_refinement<2>();
  test_refinement<3>();
}

TEST(MeshArrays, NodesAreThoseOfDealII)
{
  test_nodes<2>();
  test_nodes<3>();
}

TEST(MeshArrays, HangingNodesAreRefused)
{
  for (const unsigned int c : {0, 3})
    {
      Mesh<3> mesh;
      dealii::GridGenerator::subdivided_hyper_cube(mesh, 2);
      auto cell = mesh.begin_active();
      std::advance(cell, c);
      cell->set_refine_flag();
      mesh.execute_coarsening_and_refinement();
      EXPECT_THROW(mesh_arrays(mesh), MeshError);
    }
}
