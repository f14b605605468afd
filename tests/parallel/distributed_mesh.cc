#include <tessera/base/error.h>
#include <tessera/fem/driver/discretization.h>

#include "division_of_test.h"
#include "test.h"

#include <algorithm>
#include <array>
#include <set>

// These tests run in several processes (mpirun), among which p4est or METIS
// distributes a mesh.
namespace tessera
{
  namespace
  {
    /// The parameters of a mesh, of which the last process has another value in
    /// one entry.
    struct MeshParameters : Parameters
    {
      MeshParameters(const std::string &entry, const std::string &of_last)
      {
        declare_discretization(*this, true);
        set("Mesh/Cell type", "hexahedron");
        set("Mesh/Initial refinement", "2");
        set("Mesh/Refined by", "deal.II");
        if (is_last())
          set(entry, of_last);
      }
    };

    double
    n_own_cells(const Mesh<3> &mesh)
    {
      double n = 0;
      for (const auto &cell : mesh.triangulation().active_cell_iterators())
        n += is_own(division(), cell) ? 1 : 0;
      return n;
    }


    /// Expects that known cells have the vertices of the cells of the whole
    /// mesh with their numbers, to the last bit, and that each of these belongs
    /// to one process.
    void
    expect_cells_of(const Mesh<3> &whole, const Mesh<3> &mesh)
    {
      std::vector<std::vector<dealii::Point<3>>> corners;
      for (const auto &cell : whole.triangulation().active_cell_iterators())
        {
          corners.emplace_back();
          for (const unsigned int v : cell->vertex_indices())
            corners.back().push_back(cell->vertex(v));
        }
      std::vector<double> owners(corners.size(), 0.);
      for (const auto &cell : mesh.triangulation().active_cell_iterators())
        {
          if (cell->subdomain_id() == dealii::numbers::artificial_subdomain_id)
            continue;
          const std::int64_t number = mesh.number_of(cell);
          for (const unsigned int v : cell->vertex_indices())
            EXPECT_EQ(cell->vertex(v), corners[number][v]);
          owners[number] += is_own(division(), cell) ? 1 : 0;
        }
      sum_up(division(), owners);
      EXPECT_EQ(owners, std::vector<double>(corners.size(), 1.));
    }
  } // namespace


  TEST(DistributedMeshTest, CellsAreThoseOfOneProcessEach)
  {
    Mesh<3> mesh;
    const auto distributed = DistributedMesh<3>::make(
      mesh, MeshParameters("Mesh/Initial refinement", "2"), 1, division());
    ASSERT_TRUE(distributed);
    std::vector<double> n{n_own_cells(mesh)};
    sum_up(division(), n);
    EXPECT_EQ(n[0], 512);
  }


  /// A process knows its cells and those around them, where they are in the
  /// whole mesh, and all boundaries.
  TEST(DistributedMeshTest, OneProcessDividesTetrahedra)
  {
    Parameters parameters;
    declare_discretization(parameters, true);
    parameters.set("Mesh/Cell type", "tetrahedron");
    parameters.set("Mesh/Grid arguments", "0 : 1 : true");
    parameters.set("Mesh/Distortion", "0.2");
    Mesh<3> mesh, whole;
    ASSERT_TRUE(DistributedMesh<3>::make(mesh, parameters, 0, division()));
    make_mesh(whole, parameters);
    const std::size_t n = whole.triangulation().n_active_cells();
    ASSERT_EQ(n, 384);
    EXPECT_EQ(mesh.source, whole.source);
    EXPECT_EQ(mesh.list_boundaries(), "0, 1, 2, 3, 4, 5");
    EXPECT_EQ(connected_parts(mesh),
              std::vector<int>(mesh.triangulation().n_active_cells(), 0));
    if (division().processes().size() > 2)
      {
        EXPECT_LT(mesh.triangulation().n_active_cells(), n);
      }

    expect_cells_of(whole, mesh);
    std::vector<dealii::types::boundary_id> ids; // [cell][face]
    for (const auto &cell : whole.triangulation().active_cell_iterators())
      for (const auto &face : cell->face_iterators())
        ids.push_back(face->boundary_id());
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      for (const unsigned int f : cell->face_indices())
        if (is_own(division(), cell) ||
            cell->face(f)->boundary_id() != beyond_known_cells)
          {
            EXPECT_EQ(cell->face(f)->boundary_id(),
                      ids[4 * mesh.number_of(cell) + f]);
          }
  }


  /// Hexahedra have the numbers and vertices of a mesh of one process, whether
  /// p4est distributes them or, without refinement, METIS. A ball and a shell
  /// are curved.
  TEST(DistributedMeshTest, HexahedraHaveTheNumbersOfOneProcess)
  {
    struct
    {
      std::string name, arguments;
      int levels;
    } grids[] = {
      {"hyper_ball_balanced", "0, 0, 0 : 1", 2},
      {"hyper_shell", "0, 0, 0 : 1 : 2 : 6 : true", 2},
      {"subdivided_hyper_rectangle", "6, 5, 4 : 0, 0, 0 : 1, 1, 1 : true", 0}};
    for (const auto &[name, arguments, levels] : grids)
      {
        SCOPED_TRACE(name);
        Parameters parameters;
        declare_discretization(parameters, true);
        parameters.set("Mesh/Dimension", "3");
        parameters.set("Mesh/Grid name", name);
        parameters.set("Mesh/Grid arguments", arguments);
        parameters.set("Mesh/Initial refinement", std::to_string(levels));
        Mesh<3> mesh, whole;
        ASSERT_TRUE(DistributedMesh<3>::make(mesh, parameters, 0, division()));
        // Curved arrays have the same vertices up to rounding.
        parameters.set("Mesh/Refined by", "deal.II");
        make_mesh(whole, parameters);
        if (division().processes().size() > 2)
          {
            EXPECT_LT(mesh.triangulation().n_active_cells(),
                      whole.triangulation().n_active_cells());
          }
        expect_cells_of(whole, mesh);
      }
  }


  TEST(DistributedMeshTest, TooFewCellsAreASentenceOfAll)
  {
    Parameters parameters;
    declare_discretization(parameters, true);
    parameters.set("Mesh/Cell type", "triangle");
    parameters.set("Mesh/Initial refinement", "0");
    Mesh<2> mesh;
    const int n = division().processes().size();
    try
      {
        DistributedMesh<2>::make(mesh, parameters, 0, division());
        EXPECT_LE(n, 2);
      }
    catch (const Error &error)
      {
        EXPECT_GT(n, 2);
        EXPECT_EQ(std::string(error.what()),
                  "A mesh of 2 cells cannot be divided among " +
                    std::to_string(n) + " processes.");
        EXPECT_EQ(error.exit_code(), ExitCode::mesh);
      }
    EXPECT_FALSE(division().processes().any(false));
  }


  /// Only the first process looks for the file.
  TEST(DistributedMeshTest, AFileThatTheReaderMissesIsASentenceOfAll)
  {
    Parameters parameters;
    declare_discretization(parameters, true);
    parameters.set("Mesh/Type", "file");
    parameters.set("Mesh/Initial refinement", "0");
    parameters.set("Mesh/File",
                   "none_" + std::to_string(division().rank()) + ".msh");
    try
      {
        Mesh<2> mesh;
        DistributedMesh<2>::make(mesh, parameters, 0, division());
        ADD_FAILURE() << "no error";
      }
    catch (const Error &error)
      {
        const std::string what = error.what();
        EXPECT_NE(what.find("none_0.msh"), std::string::npos) << what;
        EXPECT_TRUE(division().processes().agree_on(what)) << what;
      }
  }


  TEST(DistributedMeshTest, WhatGoesWrongInOneProcessIsASentenceOfAll)
  {
    struct
    {
      std::string entry, of_last, sentence;
      ExitCode code;
    } cases[] = {
      {"Mesh/Grid arguments", "1 : 2 : 3 : 4", "arguments",
       ExitCode::parameter},
      {"Mesh/Grid name", "none_of_this_name", "none_of_this_name",
       ExitCode::parameter},
      {"Mesh/Initial refinement", "14", "memory", ExitCode::device},
      {"Mesh/Cell type", "triangle", "triangle", ExitCode::parameter},
    };
    for (const auto &c : cases)
      {
        try
          {
            Mesh<3> mesh;
            DistributedMesh<3>::make(mesh, MeshParameters(c.entry, c.of_last),
                                     0, division());
            ADD_FAILURE() << "no error: " << c.entry;
          }
        catch (const Error &error)
          {
            const std::string what = error.what();
            EXPECT_NE(what.find(c.sentence), std::string::npos) << what;
            EXPECT_EQ(error.exit_code(), c.code) << what;
            EXPECT_TRUE(division().processes().agree_on(what)) << what;
          }
        // Nobody waits for a process that has gone.
        EXPECT_FALSE(division().processes().any(false));
      }
  }


  /// Returns the number of the first of the cells around each node, times the
  /// nodes of a cell, plus its place there.
  template <int dim>
  std::vector<std::int64_t>
  ids_of(const MeshArrays &mesh, const ElementNodes &nodes)
  {
    std::vector<std::int64_t> ids(nodes.n_nodes, -1);
    const std::size_t n = nodes.of_cells.size() / mesh.n_cells();
    for (std::size_t i = 0; i < nodes.of_cells.size(); ++i)
      if (auto &id = ids[nodes.of_cells.data()[i]]; id < 0)
        id = static_cast<std::int64_t>(i);
    EXPECT_EQ(n * mesh.n_cells(), nodes.of_cells.size());
    return ids;
  }

  /// Expects that the parts have the cells, vertices, boundaries, and the
  /// owners and ids of nodes of the whole mesh.
  template <int dim>
  void
  expect_refined_parts(const Parameters &parameters, const int degree)
  {
    Mesh<dim> mesh, whole;
    const auto distributed = DistributedMesh<dim>::make(
      mesh, parameters, 0, division(), Backend::host, 4);
    ASSERT_TRUE(distributed);
    make_mesh(whole, parameters);
    EXPECT_TRUE(mesh.is_coarser());
    const auto cells = mesh.arrays(), all = whole.arrays();
    const ElementNodes nodes  = number(*cells, degree),
                       of_all = number(*all, degree);
    const MeshNodes shared    = distributed->nodes(mesh, nodes);
    const auto ids            = ids_of<dim>(*all, of_all);
    const std::size_t n_c     = all->corners_per_cell(),
                      n       = of_all.of_cells.size() / all->n_cells();

    std::vector<double> owners(all->n_cells(), 0.), n_owners(owners);
    for (std::size_t c = 0; c < mesh.owner.size(); ++c)
      if (mesh.owner[c] == division().rank())
        {
          owners[mesh.number[c]]   = mesh.owner[c];
          n_owners[mesh.number[c]] = 1;
        }
    sum_up(division(), owners);
    sum_up(division(), n_owners);
    EXPECT_EQ(n_owners, std::vector<double>(owners.size(), 1.));
    std::vector<int> lowest(of_all.n_nodes, division().n_processes());
    std::vector<char> is_near(all->n_vertices(), 0);
    for (int c = 0; c < all->n_cells(); ++c)
      for (std::size_t i = 0; i < std::max(n, n_c); ++i)
        {
          if (i < n)
            {
              int &of_node = lowest[of_all.of_cells.data()[c * n + i]];
              of_node      = std::min(of_node, static_cast<int>(owners[c]));
            }
          if (i < n_c && owners[c] == division().rank())
            is_near[all->corners.data()[c * n_c + i]] = 1;
        }

    std::size_t n_known = 0;
    for (std::size_t c = 0; c < mesh.owner.size(); ++c)
      if (const std::int64_t k = mesh.number[c]; mesh.owner[c] >= 0)
        {
          ++n_known;
          EXPECT_EQ(mesh.owner[c], owners[k]);
          EXPECT_EQ(cells->materials.data()[c], all->materials.data()[k]);
          for (std::size_t v = 0; v < n_c; ++v)
            for (int d = 0; d < dim; ++d)
              EXPECT_NEAR(
                cells->vertices
                  .data()[cells->corners.data()[c * n_c + v] * dim + d],
                all->vertices
                  .data()[all->corners.data()[k * n_c + v] * dim + d],
                1e-15);
          for (std::size_t i = 0; i < n; ++i)
            {
              const int own_node   = nodes.of_cells.data()[c * n + i],
                        whole_node = of_all.of_cells.data()[k * n + i];
              EXPECT_EQ(shared.id[own_node], ids[whole_node]);
              EXPECT_EQ(shared.owner[own_node], lowest[whole_node]);
            }
        }
    std::size_t wanted = 0;
    for (int c = 0; c < all->n_cells(); ++c)
      {
        const int *const corners = all->corners.data() + c * n_c;
        wanted += std::any_of(corners, corners + n_c,
                              [&](const int v) { return is_near[v] != 0; });
      }
    EXPECT_EQ(n_known, wanted);
    const auto faces_of = [](const MeshArrays &arrays, const auto &number,
                             const auto &is_own) {
      std::set<std::array<std::int64_t, 3>> faces;
      for (std::size_t f = 0; f < arrays.boundary.size(); ++f)
        if (const MeshFace &face = arrays.boundary.data()[f]; is_own(face.cell))
          faces.insert({number(face.cell), face.face, face.id});
      return faces;
    };
    const auto rank = division().rank();
    EXPECT_EQ(faces_of(
                *cells, [&](const int c) { return mesh.number[c]; },
                [&](const int c) { return mesh.owner[c] == rank; }),
              faces_of(
                *all, [](const int c) { return std::int64_t(c); },
                [&](const int c) { return owners[c] == rank; }));
  }


  TEST(DistributedMeshTest, ProcessesRefineTheirParts)
  {
    for (const std::string distortion : {"0", "0.2"})
      for (const int degree : {1, 3})
        {
          SCOPED_TRACE("distortion " + distortion + ", degree " +
                       std::to_string(degree));
          Parameters parameters;
          declare_discretization(parameters, true);
          parameters.set("Mesh/Distortion", distortion);
          parameters.set("Mesh/Grid name", "subdivided_hyper_rectangle");
          parameters.set("Mesh/Grid arguments", "4, 2 : -1, -1 : 1, 1 : true");
          parameters.set("Mesh/Initial refinement", "4");
          expect_refined_parts<2>(parameters, degree);
          parameters.set("Mesh/Dimension", "3");
          parameters.set("Mesh/Grid arguments",
                         "4, 3, 1 : 0, 0, 0 : 3, 2, 1 : true");
          parameters.set("Mesh/Initial refinement", "2");
          expect_refined_parts<3>(parameters, degree);
        }
    for (const std::string type : {"triangle", "tetrahedron"})
      {
        SCOPED_TRACE(type);
        Parameters parameters;
        declare_discretization(parameters, true);
        parameters.set("Mesh/Dimension", type == "triangle" ? "2" : "3");
        parameters.set("Mesh/File", TESSERA_SOURCE_DIR
                                      "/tests/fem/meshes/box_" +
                                      type + "_22_text.msh");
        parameters.set("Mesh/Distortion", "0.1");
        parameters.set("Mesh/Initial refinement", "3");
        if (type == "triangle")
          expect_refined_parts<2>(parameters, 2);
        else
          expect_refined_parts<3>(parameters, 2);
      }
  }
} // namespace tessera
