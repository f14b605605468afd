#include "../../source/fem/mesh/mesh_tools.h"
#include "mesh_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  /// A file alone is what is wanted, and it is not refined unless asked for.
  TEST(Refinement, Defaults)
  {
    Parameters parameters;
    declare_mesh(parameters);
    EXPECT_EQ(initial_refinement(parameters), 2);
    Mesh<2> grid;
    make_mesh(grid, parameters);
    EXPECT_EQ(grid.triangulation().n_active_cells(), 16u);

    parameters.set("Mesh/File", meshes + "box_triangle_22_text.msh");
    EXPECT_EQ(initial_refinement(parameters), 0);
    EXPECT_EQ(mesh_dimension(parameters), 2);
    make_mesh(grid, parameters);
    EXPECT_EQ(grid.triangulation().n_active_cells(), 8u);
    parameters.set("Mesh/Initial refinement", "1");
    EXPECT_EQ(initial_refinement(parameters), 1);
    make_mesh(grid, parameters);
    EXPECT_EQ(grid.triangulation().n_active_cells(), 32u);
    parameters.set("Mesh/Initial refinement", "auto");
    parameters.set("Mesh/Type", "file");
    EXPECT_EQ(initial_refinement(parameters), 0);
    EXPECT_NE(
      error_of([&] { parameters.set("Mesh/Initial refinement", "15"); }), "");
  }


  /// Returns a gmsh file of a ring between two polygons of n corners. In
  /// several layers of `n_radial` cells each, it is a tube. Every side of a
  /// polygon consists of `n_along` edges.
  std::string
  ring(const int n, const int n_along, const bool is_tube)
  {
    const int n_around = n * n_along, n_layers = is_tube ? 3 : 1;
    std::ostringstream nodes, cells;
    for (int z = 0; z < n_layers; ++z)
      for (int r = 0; r < 2; ++r)
        for (int i = 0; i < n_around; ++i)
          {
            const double a = 2 * M_PI * (i / n_along) / n,
                         b = 2 * M_PI * (i / n_along + 1) / n,
                         t = (i % n_along) / double(n_along), radius = 1. + r;
            nodes << 1 + i + n_around * (r + 2 * z) << ' '
                  << radius * ((1 - t) * std::cos(a) + t * std::cos(b)) << ' '
                  << radius * ((1 - t) * std::sin(a) + t * std::sin(b)) << ' '
                  << z << '\n';
          }
    int n_cells = 0;
    for (int z = 0; z < (is_tube ? n_layers - 1 : 1); ++z)
      for (int i = 0; i < n_around; ++i)
        {
          cells << ++n_cells << (is_tube ? " 5" : " 3") << " 2 0 1";
          for (int layer = z; layer < z + (is_tube ? 2 : 1); ++layer)
            {
              const int first = 1 + 2 * n_around * layer,
                        next  = (i + 1) % n_around;
              for (const int v : {i, i + n_around, next + n_around, next})
                cells << ' ' << first + v;
            }
          cells << '\n';
        }
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" +
           std::to_string(n_layers * 2 * n_around) + '\n' + nodes.str() +
           "$EndNodes\n$Elements\n" + std::to_string(n_cells) + '\n' +
           cells.str() + "$EndElements\n";
  }

  template <int dim>
  mesh_tools::Facets
  facets_of(const std::string &path)
  {
    Mesh<dim> mesh;
    make_mesh(mesh, file_parameters(path));
    return mesh_tools::facets_of_curves(mesh);
  }

  TEST(Refinement, CurvedBoundariesOfFiles)
  {
    for (const int n : {12, 36})
      {
        const TemporaryFile file(".msh", ring(n, 1, false)),
          tube(".msh", ring(n, 1, true));
        EXPECT_EQ(facets_of<2>(file.path).n, 2 * n);
        EXPECT_NEAR(facets_of<2>(file.path).angle, 360. / n, 1e-3);
        EXPECT_EQ(facets_of<3>(tube.path).n, 2 * n);
        EXPECT_NEAR(facets_of<3>(tube.path).angle, 360. / n, 1e-3);
      }
    // Polygons with sides of several edges, or with few sides, are no curves.
    for (const auto &[n, n_along] : {std::pair{12, 3}, {8, 1}, {4, 1}})
      {
        const TemporaryFile file(".msh", ring(n, n_along, false)),
          tube(".msh", ring(n, n_along, true));
        EXPECT_EQ(facets_of<2>(file.path).n, 0);
        EXPECT_EQ(facets_of<3>(tube.path).n, 0);
      }
    EXPECT_EQ(facets_of<3>(meshes + "box_tetrahedron_22_text.msh").n, 0);
    EXPECT_EQ(
      facets_of<3>(TESSERA_SOURCE_DIR "/prm/poisson/two_materials.msh").n, 0);
    // An L with bores.
    EXPECT_GT(facets_of<3>(TESSERA_SOURCE_DIR "/prm/poisson/bracket.msh").n, 9);
  }

  /// The two planes of an L and of a roof are no curve.
  TEST(Refinement, CornersOfFiles)
  {
    const std::string head =
                        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n"
                        "1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n",
                      tail =
                        "$EndNodes\n$Elements\n3\n1 3 2 0 1 1 2 5 4\n2 3 2 "
                        "0 1 2 3 6 5\n3 3 2 0 1 4 5 8 7\n$EndElements\n";
    for (const std::string place : {"1 1 0\n6 2 1 0\n7 0 2 0\n8 1 2 0\n",
                                    "1 1.2 0\n6 2 1 0\n7 0 2 0\n8 1 2 0\n"})
      {
        const TemporaryFile file(".msh", head + "5 " + place + tail);
        EXPECT_EQ(facets_of<2>(file.path).n, 0);
      }
  }

  TEST(Refinement, ANoteSaysThatCornersStay)
  {
    const TemporaryFile file(".msh", ring(12, 1, false));
    auto parameters = file_parameters(file.path);
    Mesh<2> mesh;
    testing::internal::CaptureStderr();
    make_mesh(mesh, parameters);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    parameters.set("Mesh/Initial refinement", "1");
    testing::internal::CaptureStderr();
    make_mesh(mesh, parameters);
    make_mesh(mesh, parameters, 1);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "note: the boundary of the mesh file '" + file.path +
                "' looks like a curved one of 24 straight pieces with angles "
                "of up to 30 degrees between them: a refined mesh keeps these "
                "corners, where stresses and fluxes can become too large, and "
                "a finer file does not.\n");
  }


  /// Children have at most three shapes, so the worst cell occurs in the first
  /// or the second refinement. Ids and the volume must be kept.
  TEST(Refinement, TetrahedraKeepTheirShape)
  {
    auto parameters = file_parameters(meshes + "box_tetrahedron_22_text.msh");
    std::map<dealii::types::boundary_id, std::size_t> n_faces;
    std::map<dealii::types::material_id, std::size_t> n_cells;
    double worst[4];
    for (int level = 0; level < 4; ++level)
      {
        parameters.set("Mesh/Initial refinement", std::to_string(level));
        Mesh<3> mesh;
        make_mesh(mesh, parameters);
        EXPECT_NEAR(measure(mesh), 1., 1e-10);
        std::map<dealii::types::boundary_id, std::size_t> faces;
        std::map<dealii::types::material_id, std::size_t> cells;
        worst[level] = 1.;
        for (const auto &cell : mesh.triangulation().active_cell_iterators())
          {
            ++cells[cell->material_id()];
            std::vector<dealii::Point<3>> corners;
            for (const unsigned int v : cell->vertex_indices())
              corners.push_back(cell->vertex(v));
            worst[level] = std::min(
              worst[level], cell_quality<3>(CellType::tetrahedron, corners));
            for (const auto &face : cell->face_iterators())
              if (face->at_boundary())
                ++faces[face->boundary_id()];
          }
        if (level > 0)
          {
            for (auto &[id, n] : n_faces)
              n *= 4;
            for (auto &[id, n] : n_cells)
              n *= 8;
            EXPECT_EQ(faces, n_faces);
            EXPECT_EQ(cells, n_cells);
          }
        n_faces = faces;
        n_cells = cells;
        EXPECT_EQ(mesh.material_names.at("copper"), std::set<unsigned int>{21});
      }
    EXPECT_GT(n_faces.size(), 1u);
    EXPECT_GT(n_cells.size(), 1u);
    EXPECT_GT(worst[1], 0.5 * worst[0]);
    EXPECT_NEAR(worst[3], worst[2], 1e-10);
  }
} // namespace
