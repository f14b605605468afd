#include "../../source/fem/bridge/node_dofs.h"
#include "cell_meshes.h"
#include "test.h"

#include <tessera/fem/bridge/active_cells.h>
#include <tessera/fem/distributed/cell_nodes.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <algorithm>

using namespace tessera;

namespace
{
  template <class Cells>
  class CellNodesTest : public ::testing::Test
  {
  public:
    static constexpr int dim = Cells::dim;

    /// Returns where the degrees of freedom of deal.II are.
    static std::vector<dealii::Point<dim>>
    points_of(const dealii::DoFHandler<dim> &dofs)
    {
      std::vector<dealii::Point<dim>> points(dofs.n_dofs());
      const auto linear = Cells::make_element(1);
      dealii::DoFTools::map_dofs_to_support_points(
        dealii::MappingFE<dim>(*linear), dofs, points);
      return points;
    }

    /// Returns the component of each degree of freedom of deal.II.
    static std::vector<unsigned int>
    components_of(const dealii::DoFHandler<dim> &dofs)
    {
      std::vector<unsigned int> result(dofs.n_dofs());
      std::vector<dealii::types::global_dof_index> indices(
        dofs.get_fe().n_dofs_per_cell());
      for (const auto &cell : dofs.active_cell_iterators())
        {
          cell->get_dof_indices(indices);
          for (unsigned int i = 0; i < indices.size(); ++i)
            result[indices[i]] =
              dofs.get_fe().system_to_component_index(i).first;
        }
      return result;
    }
  };

  using AllCells = ::testing::Types<
    test::Cells<CellType::quadrilateral>, test::Cells<CellType::hexahedron>,
    test::Cells<CellType::triangle>, test::Cells<CellType::tetrahedron>>;
  TYPED_TEST_SUITE(CellNodesTest, AllCells);


  /// deal.II's nodes get the numbers that the arrays give them, and cells at
  /// surfaces lead to the same numbers.
  TYPED_TEST(CellNodesTest, HaveTheNumbersOfTheWholeProblem)
  {
    constexpr int dim = TypeParam::dim;
    Mesh<dim> mesh;
    TypeParam::make(mesh, true, 3);
    const auto arrays = mesh.arrays();
    for (int degree = 1; degree <= TypeParam::max_degree; ++degree)
      for (const unsigned int n_c : {1, dim})
        {
          const ElementNodes nodes = number(*arrays, degree);
          const dealii::FESystem<dim> fe(*TypeParam::make_element(degree), n_c);
          dealii::DoFHandler<dim> all(mesh.triangulation());
          all.distribute_dofs(fe);
          const auto numbers = numbers_of_dofs(all, nodes);
          std::vector<char> is_there(all.n_dofs(), 0);
          ASSERT_EQ(all.n_dofs(), nodes.n_nodes * n_c);
          for (const int number : numbers)
            is_there.at(number) = 1;
          EXPECT_EQ(std::count(is_there.begin(), is_there.end(), 0), 0);
          all.renumber_dofs({numbers.begin(), numbers.end()});
          const auto components = this->components_of(all);
          for (std::size_t i = 0; i < components.size(); ++i)
            ASSERT_EQ(components[i], i % n_c);

          // Reading deal.II's objects gives the same.
          const auto linear = TypeParam::make_element(1);
          const dealii::MappingFE<dim> straight(*linear);
          const CellNodes<dim> of_arrays(*arrays, nodes, n_c),
            of_dealii(straight, all);
          const auto points    = this->points_of(all),
                     by_arrays = of_arrays.points(),
                     by_dealii = of_dealii.points();
          for (int i = 0; i < nodes.n_nodes; ++i)
            for (unsigned int c = 0; c < n_c; ++c)
              {
                ASSERT_EQ(of_arrays.dof(i, c), i * n_c + c);
                ASSERT_EQ(of_dealii.dof(i, c), i * n_c + c);
                ASSERT_LT(by_arrays[i].distance(points[i * n_c + c]), 1e-12);
                ASSERT_LT(by_dealii[i].distance(points[i * n_c + c]), 1e-12);
              }
          for (int cell = 0; cell < of_arrays.n_cells(); ++cell)
            for (int i = 0; i < of_arrays.nodes_per_cell(); ++i)
              ASSERT_EQ(of_arrays.nodes(cell)[i], of_dealii.nodes(cell)[i]);
        }
  }


  /// All faces at boundaries and between materials are there with their ids.
  TYPED_TEST(CellNodesTest, HaveAllSurfaces)
  {
    constexpr int dim = TypeParam::dim;
    Mesh<dim> mesh;
    TypeParam::make(mesh, true, 3);
    const auto arrays        = mesh.arrays();
    const ElementNodes nodes = number(*arrays, 1);
    const CellNodes<dim> cells(*arrays, nodes);
    using Face          = std::tuple<std::size_t, unsigned int, unsigned int>;
    const auto surfaces = [](const auto &triangulation) {
      std::vector<Face> boundary, between;
      for (const auto &cell : triangulation.active_cell_iterators())
        for (const unsigned int f : cell->face_indices())
          if (is_of_boundary(cell->face(f)))
            boundary.emplace_back(cell->active_cell_index(), f,
                                  cell->face(f)->boundary_id());
          else if (!cell->face(f)->at_boundary() &&
                   lies_between_materials(cell, f))
            between.emplace_back(cell->active_cell_index(), f,
                                 cell->neighbor(f)->material_id());
      return std::pair(boundary, between);
    };
    const auto listed = [](const std::vector<MeshFace> &faces) {
      std::vector<Face> result;
      for (const MeshFace &face : faces)
        result.emplace_back(face.cell, face.face, face.id);
      return result;
    };
    const auto all = surfaces(std::as_const(mesh).triangulation());
    EXPECT_FALSE(all.second.empty());
    dealii::DoFHandler<dim> dofs(mesh.triangulation());
    dofs.distribute_dofs(*TypeParam::make_element(1));
    const auto linear = TypeParam::make_element(1);
    const CellNodes<dim> of_dealii(dealii::MappingFE<dim>(*linear), dofs);
    for (const CellNodes<dim> *const each : {&cells, &of_dealii})
      {
        EXPECT_EQ(listed(each->boundary_faces(each->boundary_ids())),
                  all.first);
        EXPECT_EQ(listed(each->faces_between_materials()), all.second);
      }
  }


  /// Meshes refined as arrays become deal.II's mesh when it is asked for.
  TYPED_TEST(CellNodesTest, AreThoseOfLaterRefinements)
  {
    constexpr int dim = TypeParam::dim;
    Mesh<dim> mesh;
    TypeParam::make(mesh, false);
    mesh.divide_later(2);
    const auto before = mesh.arrays();
    std::vector<double> moved(before->vertices.data(),
                              before->vertices.data() +
                                before->vertices.size());
    for (std::size_t i = 0; i < moved.size(); ++i)
      moved[i] += 1e-3 * static_cast<double>(i % 7);
    mesh.change_arrays([&](MeshArrays &arrays) {
      arrays.vertices.copy_from(moved);
      for (std::size_t f = 0; f < arrays.boundary.size(); ++f)
        arrays.boundary.data()[f].id += 10 * (f % 3);
    });
    EXPECT_NE(before->vertices.data()[1], moved[1]); // `before` stays
    EXPECT_EQ(mesh.boundary_ids().size(), 6u * dim);
    const auto materials = mesh.cell_materials();
    EXPECT_TRUE(mesh.is_coarser());
    const auto now        = mesh.arrays();
    const auto n_cells    = mesh.n_cells();
    const auto &of_dealii = std::as_const(mesh).triangulation();
    EXPECT_FALSE(mesh.is_coarser());
    EXPECT_EQ(of_dealii.n_active_cells(), n_cells);
    EXPECT_EQ(now->n_cells(), n_cells);
    const int n = now->corners_per_cell();
    std::vector<typename dealii::Triangulation<dim>::active_cell_iterator>
      cells;
    for (const auto &cell : of_dealii.active_cell_iterators())
      {
        const std::size_t c = cell->active_cell_index();
        EXPECT_EQ(cell->material_id(), materials[c]);
        for (int v = 0; v < n; ++v)
          for (int d = 0; d < dim; ++d)
            ASSERT_EQ(
              cell->vertex(v)[d],
              moved[std::size_t(now->corners.data()[c * n + v]) * dim + d]);
        cells.push_back(cell);
      }
    for (std::size_t f = 0; f < now->boundary.size(); ++f)
      {
        const MeshFace &face = now->boundary.data()[f];
        ASSERT_EQ(cells[face.cell]->face(face.face)->boundary_id(), face.id);
      }
    EXPECT_EQ(mesh.boundary_ids().size(), 6u * dim);
  }


  /// Meshes that are cut into simplices have these as deal.II's coarsest cells;
  /// meshes of simplices cannot be cut again.
  TYPED_TEST(CellNodesTest, AreThoseOfSimplices)
  {
    constexpr int dim = TypeParam::dim;
    if (is_simplex(TypeParam::cell_type))
      return;
    const int n_parts = dim == 2 ? 2 : 6;
    Mesh<dim> mesh, whole;
    TypeParam::make(mesh, true);
    TypeParam::make(whole, true);
    whole.triangulation().refine_global(1);
    mesh.divide_later(1, true);
    whole.divide_later(0, true); // their vertices have other numbers
    EXPECT_TRUE(is_simplex(mesh.cell_type()));
    mesh.arrays()->check();
    const auto coarse_cells = mesh.coarser().first.n_active_cells();
    EXPECT_EQ(mesh.n_cells(), n_parts * (1 << dim) * coarse_cells);
    const auto materials = mesh.cell_materials();
    const auto ids       = mesh.boundary_ids();
    const auto &a        = std::as_const(mesh).triangulation();
    const auto &b        = std::as_const(whole).triangulation();
    EXPECT_EQ(a.n_levels(), 1u);
    EXPECT_EQ(ids, boundary_ids(a));
    auto other = b.begin_active();
    for (const auto &cell : a.active_cell_iterators())
      {
        EXPECT_EQ(cell->material_id(), materials[cell->active_cell_index()]);
        EXPECT_EQ(cell->material_id(), other->material_id());
        for (const unsigned int v : cell->vertex_indices())
          EXPECT_LT(cell->vertex(v).distance(other->vertex(v)), 1e-14);
        for (const unsigned int f : cell->face_indices())
          {
            ASSERT_EQ(cell->face(f)->at_boundary(),
                      other->face(f)->at_boundary());
            EXPECT_EQ(cell->face(f)->boundary_id(),
                      other->face(f)->boundary_id());
          }
        ++other;
      }
  }
} // namespace
