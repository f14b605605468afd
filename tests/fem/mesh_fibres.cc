#include "bytes.h"
#include "mesh_cases.h"

#include <tessera/fem/driver/adaptive_refinement.h>

#include <map>
#include <sstream>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  /// The fibre of every cell of the files `box_*.lon` is the centre of the
  /// cell, so that the fibre of its parts must be the mean of their centres.
  void
  expect_centres(const Mesh<3> &mesh, const unsigned int n_coarse)
  {
    ASSERT_EQ(mesh.fibres.size(), mesh.triangulation().n_active_cells());
    std::map<std::array<double, 6>, std::pair<dealii::Point<3>, double>> wholes;
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      {
        auto &[centre, volume] = wholes[mesh.fibres[cell->active_cell_index()]];
        centre += cell->measure() * cell->center();
        volume += cell->measure();
        // The material ids of the file stay.
        EXPECT_EQ(cell->material_id(), cell->center()[0] < 0.5 ? 21u : 22u);
      }
    EXPECT_EQ(wholes.size(), n_coarse);
    for (const auto &[fibre, parts] : wholes)
      for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(parts.first[d] / parts.second, fibre[d], 1e-11);
  }

  Mesh<3>
  mesh_of(const std::string &path, const int refinement = 0,
          const std::string &type = "auto")
  {
    auto parameters = file_parameters(path);
    parameters.set("Mesh/Initial refinement", std::to_string(refinement));
    parameters.set("Mesh/Cell type", type);
    Mesh<3> mesh;
    EXPECT_EQ(error_of([&] { make_mesh(mesh, parameters); }), "");
    return mesh;
  }


  TEST(MeshFibres, FollowTheirCells)
  {
    for (const int refinement : {0, 2})
      {
        SCOPED_TRACE(refinement);
        const std::string box = meshes + "box_";
        expect_centres(mesh_of(box + "tetrahedron.elem", refinement), 24);
        const Mesh<3> with_sheets = mesh_of(box + "hexahedron.pts", refinement);
        expect_centres(with_sheets, 4);
        for (const auto &both : with_sheets.fibres)
          for (int c = 3; c < 6; ++c)
            EXPECT_EQ(both[c], c == 5 ? 1 : 0);
        expect_centres(
          mesh_of(box + "hexahedron.elem", refinement, "tetrahedron"), 4);
      }
    // A mesh that is made anew from a file without fibres has none.
    Mesh<3> mesh    = mesh_of(meshes + "box_tetrahedron.elem");
    auto parameters = file_parameters(meshes + "box_tetrahedron_text.vtk");
    make_mesh(mesh, parameters);
    EXPECT_TRUE(mesh.fibres.empty());
  }


  /// Cells that adapt are divided in part, and some are joined again.
  TEST(MeshFibres, FollowCellsThatAdapt)
  {
    Parameters parameters;
    declare_discretization(parameters, true);
    LinearSolver::declare(parameters);
    for (const auto &[entry, value] : std::map<std::string, std::string>{
           {"Mesh/Type", "file"},
           {"Mesh/File", meshes + "box_hexahedron.pts"},
           {"Mesh/Initial refinement", "1"},
           {"Mesh/Refinement", "adaptive"},
           {"Mesh/Refine fraction", "0.3"},
           {"Mesh/Coarsen fraction", "0.5"}})
      parameters.set(entry, value);
    const AdaptiveRefinement adaptive(parameters);
    const LinearSolver solver(parameters);
    Mesh<3> mesh;
    make_mesh(mesh, parameters);
    const auto adapt = [&](const std::function<double(dealii::Point<3>)> &of) {
      Discretization<3> d(parameters, solver);
      d.entry.problem.degree = 1;
      d.mesh()               = std::move(mesh);
      d.build([]() {
        dealii::AffineConstraints<double> none;
        none.close();
        return none;
      });
      dealii::Vector<double> u(d.dof_handler().n_dofs());
      for (const auto &cell : d.dof_handler().active_cell_iterators())
        for (const unsigned int v : cell->vertex_indices())
          u[cell->vertex_dof_index(v, 0)] = of(cell->vertex(v));
      AdaptiveRefinement::Fields fields(1, u);
      adaptive.adapt(d, fields);
      mesh = std::move(d.mesh());
    };
    const auto at_end = [](const dealii::Point<3> &p) {
      return std::pow(p[0], 4) + 0.1 * p[1] * p[1];
    };
    adapt(at_end);
    EXPECT_TRUE(mesh.triangulation().has_hanging_nodes());
    expect_centres(mesh, 4);
    const auto n_cells = mesh.triangulation().n_active_cells();
    adapt([&](const dealii::Point<3> &p) {
      return at_end({1 - p[0], p[1], p[2]});
    });
    EXPECT_NE(mesh.triangulation().n_active_cells(), n_cells);
    expect_centres(mesh, 4);

    Discretization<3> d(parameters, solver);
    d.mesh() = std::move(mesh);
    adaptive.divide_all(d);
    expect_centres(d.mesh(), 4);
  }


  /// Files of VTK with the fibres of the mesh of openCARP, which has the same
  /// elements in the same order.
  TEST(MeshFibres, OfCellArrays)
  {
    std::istringstream lon(load_bytes(meshes + "box_tetrahedron.lon"));
    std::string rows, row;
    std::getline(lon, row);
    while (std::getline(lon, row))
      rows += row + '\n';
    const std::string vtk = load_bytes(meshes + "box_tetrahedron_text.vtk");
    for (const std::string array :
         {"VECTORS fiber double\n", "FIELD data 1\nfibres 3 32 double\n"})
      {
        const TemporaryFile file(".vtk", vtk + '\n' + array + rows);
        expect_centres(mesh_of(file.path), 24);
      }

    const std::string vtu = load_bytes(meshes + "box_hexahedron_text.vtu");
    const auto place      = vtu.find("</CellData>");
    ASSERT_NE(place, std::string::npos);
    std::istringstream of_hexahedra(
      load_bytes(meshes + "box_hexahedron.lon").substr(2));
    std::string vectors;
    for (std::string word; of_hexahedra >> word;)
      {
        vectors += word + ' ';
        for (int c = 1; c < 3; ++c)
          {
            of_hexahedra >> word;
            vectors += word + ' ';
          }
        for (int c = 0; c < 3; ++c)
          of_hexahedra >> word;
      }
    const auto with = [&](const std::string &values) {
      std::string text = vtu;
      return text.insert(place,
                         "<DataArray type=\"Float64\" Name=\"Fibres\" "
                         "NumberOfComponents=\"3\" format=\"ascii\">" +
                           values + "</DataArray>\n");
    };
    const TemporaryFile file(".vtu", with(vectors));
    expect_centres(mesh_of(file.path), 4);
    std::string sheets;
    for (int cell = 0; cell < 8; ++cell)
      sheets += "0 0 2 ";
    const std::string next =
      "</DataArray>\n<DataArray type=\"Float64\" "
      "Name=\"sheets\" NumberOfComponents=\"3\" "
      "format=\"ascii\">";
    const TemporaryFile both(".vtu", with(vectors + next + sheets));
    for (const auto &directions : mesh_of(both.path).fibres)
      EXPECT_EQ(directions[5], 2);
    const TemporaryFile more(".vtu", with(vectors + next + sheets + " 1"));
    expect_contains(mesh_error(file_parameters(more.path)),
                    "has 8 cells, but 25 components of sheets");
    const TemporaryFile damaged(".vtu", with(vectors + " 1"));
    expect_contains(mesh_error(file_parameters(damaged.path)),
                    "has 8 cells, but 25 components of fibres");
  }


  /// Files without a line for the number of directions, and compressed ones.
  TEST(MeshFibres, OldFilesWithoutAHeader)
  {
    const std::string box = meshes + "box_tetrahedron",
                      lon = load_bytes(box + ".lon");
    const std::string content =
      load_bytes(box + ".pts") + '\0' + load_bytes(box + ".elem") + '\0';
    const MeshFile file = parse_mesh(content + lon, "carp", "test"),
                   old  = parse_mesh(content + lon.substr(2), "carp", "test");
    EXPECT_EQ(file.fibres.size(), file.elements.size());
    EXPECT_EQ(file.fibres, old.fibres);
    EXPECT_TRUE(parse_mesh(content, "carp", "test").fibres.empty());
  }


  TEST(MeshFibres, EveryTruncatedFileIsRefused)
  {
    for (const std::string box : {"box_tetrahedron", "box_hexahedron"})
      for (int file = 0; file < 3; ++file)
        for (const double left : {0.1, 0.3, 0.5})
          {
            std::string content;
            for (int i = 0; i < 3; ++i)
              {
                const std::string part = load_bytes(
                  meshes + box +
                  std::array<std::string, 3>{{".pts", ".elem", ".lon"}}[i]);
                content +=
                  (i > 0 ? std::string(1, '\0') : "") +
                  (i == file ? part.substr(0, left * part.size()) : part);
              }
            const std::string error =
              error_of([&] { parse_mesh(content, "carp", "test"); });
            expect_contains(error, "3 The part .");
            EXPECT_EQ(error.empty() ? ' ' : error.back(), '.') << error;
          }
  }


  TEST(MeshFibres, DamagedFiles)
  {
    const std::string points   = "4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n",
                      elements = "1\nTt 0 1 2 3 7\n", fibres = "1\n1 0 0\n";
    const auto error = [](const std::string &pts, const std::string &elem,
                          const std::string &lon) {
      return error_of([&] {
        Mesh<3> mesh;
        build_mesh(mesh, parse_mesh(pts + '\0' + elem + '\0' + lon, "carp",
                                    "mesh file 'a.elem'"));
      });
    };
    EXPECT_EQ(error(points, elements, fibres), "");
    EXPECT_EQ(error(points, elements, ""), "");
    expect_contains(error("4000000000" + points.substr(1), elements, fibres),
                    "The part .pts of the mesh file 'a.elem' is truncated or "
                    "damaged: 4000000000 points are announced");
    expect_contains(error("5" + points.substr(1), elements, fibres),
                    "is truncated: it ends where a coordinate is expected");
    expect_contains(error(points, "1\nTt 0 1 2 4 7\n", fibres),
                    "The part .elem of the mesh file 'a.elem' has no node 4, "
                    "which the tetrahedron 0 names");
    expect_contains(error(points, "1\nHx 0 1 2 3 0 1 2 9 7\n", fibres),
                    "has no node 9");
    expect_contains(error(points, "1\nXx 0 1 2 3 7\n", fibres),
                    "has 'Xx' where Tt, Hx, Tr, Qd or Ln is expected");
    expect_contains(error(points, "1\nPy 0 1 2 3 3 7\n", fibres),
                    "has 1 pyramid");
    expect_contains(error(points, "1\nTt 0 1 2 3 -1\n", fibres),
                    "has the id -1 at the tetrahedron 0");
    expect_contains(error(points, elements, "3\n1 0 0\n"),
                    "The part .lon of the mesh file 'a.elem' begins neither "
                    "with the number of directions, 1 or 2, nor");
    expect_contains(error(points, elements, "1 0\n"), "begins neither");
    expect_contains(error(points, elements, "1\n1 0\n"), "is truncated");
    expect_contains(error(points, elements, "2\n1 0 0\n"), "is truncated");
    expect_contains(error(points, elements, "1\n1 0 nan\n"),
                    "has 'nan' where a component of a fibre is expected");
    expect_contains(error(points, elements, fibres + "0 1 0\n"),
                    "has more fibres than there are elements");
    const TemporaryFile alone(".elem", elements);
    expect_contains(mesh_error(file_parameters(alone.path)),
                    ".pts' of 'Mesh/File': it does not exist.");
  }
} // namespace
