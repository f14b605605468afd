#include "quadratic_cases.h"

#include <tessera/fem/bridge/mesh_arrays.h>

#include <algorithm>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  MeshFile
  parse(const std::string &text, const std::string &format)
  {
    return parse_mesh(text, format, "file");
  }


  /// Each node of an element without symmetry in turn is moved, and the map
  /// takes the point between its corners there.
  template <int dim>
  void
  check_order(const std::string &format, const Element &type)
  {
    std::vector<Point3> nodes = {
      {{0, 0, 0}},     {{1, 0.1, 0}}, {{1.2, 1.1, 0}}, {{0.1, 1.3, 0}},
      {{0.2, 0, 1.1}}, {{1.1, 0, 1}}, {{1.3, 1, 1.4}}, {{0, 1.2, 1.2}}};
    if (type.n_corners == dim + 1)
      nodes = {{{0, 0, 0}}, {{1, 0.1, 0}}, {{0.2, 1.1, 0}}, {{0.3, 0.1, 1.3}}};
    const auto unit = reference_corners(type.n_corners, dim);
    nodes.resize(type.n_corners);
    for (const auto &between : type.middles)
      nodes.push_back(middle(nodes, between));
    std::vector<int> element(nodes.size());
    for (std::size_t i = 0; i < element.size(); ++i)
      element[i] = static_cast<int>(i);
    Mesh<dim> straight;
    build_mesh(straight,
               parse(text_of(format, type.name, nodes, {element}), format));
    EXPECT_FALSE(straight.curved);
    EXPECT_EQ(straight.quadratic, nullptr);
    for (std::size_t i = 0; i < type.middles.size(); ++i)
      {
        SCOPED_TRACE("node " + std::to_string(type.n_corners + i));
        auto moved = nodes;
        auto &x    = moved[type.n_corners + i];
        for (int d = 0; d < dim; ++d)
          x[d] += 0.01 * (d + 1);
        Mesh<dim> mesh;
        build_mesh(mesh,
                   parse(text_of(format, type.name, moved, {element}), format));
        ASSERT_TRUE(mesh.quadratic);
        const auto xi = middle(unit, type.middles[i]);
        dealii::Point<dim> inside, expected;
        for (int d = 0; d < dim; ++d)
          {
            inside[d]   = xi[d];
            expected[d] = x[d];
          }
        EXPECT_LE(mesh.make_mapping(2)
                    ->transform_unit_to_real_cell(
                      mesh.triangulation().begin_active(), inside)
                    .distance(expected),
                  1e-14);
      }
  }

  TEST(MeshQuadratic, OrdersOfNodes)
  {
    for (const std::string format : {"msh", "inp", "vtk"})
      for (const Element &type : elements_of(format))
        {
          SCOPED_TRACE(format + ' ' + type.name);
          type.is_solid() ? check_order<3>(format, type)
                          : check_order<2>(format, type);
        }
  }


  /// Returns how far vertices are from where the map takes the corners.
  template <int dim>
  double
  farthest_vertex(const Mesh<dim> &mesh)
  {
    const auto mapping = mesh.make_mapping(2);
    double result      = 0;
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      for (const unsigned int v : cell->vertex_indices())
        result = std::max(
          result, mapping
                    ->transform_unit_to_real_cell(
                      cell, cell->reference_cell().template vertex<dim>(v))
                    .distance(cell->vertex(v)));
    return result;
  }

  /// The cells of a mesh that deal.II has not divided have the shapes that they
  /// have when it has.
  template <int dim>
  void
  check_parts(const Mesh<dim> &mesh)
  {
    EXPECT_TRUE(mesh.is_coarser());
    const auto mapping     = mesh.make_mapping(2);
    const auto &unit       = mesh.quadratic->support_points();
    const auto with_points = [&](const auto &use) {
      return [&, use](const auto &cell, const std::size_t number) {
        for (std::size_t i = 0; i < unit.size(); ++i)
          use(number * unit.size() + i,
              mapping->transform_unit_to_real_cell(cell, unit[i]));
      };
    };
    std::vector<dealii::Point<dim>> points(mesh.n_cells() * unit.size());
    for_cells_of_parts<dim>(
      [&](auto &part, const auto &cells) { mesh.triangulate(part, cells); },
      static_cast<int>(mesh.n_cells()),
      [&]() {
        return with_points(
          [&](const std::size_t i, const auto &point) { points[i] = point; });
      });
    const auto compare =
      with_points([&](const std::size_t i, const auto &point) {
        EXPECT_LE(points[i].distance(point), 1e-14);
      });
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      compare(cell, cell->active_cell_index());
  }

  /// Refined cells are parts of the cells of the file, so that the volume
  /// stays.
  template <int dim>
  void
  check_refinement(const Element &type)
  {
    const TemporaryFile file("sector.inp", sector(type, dim, 2));
    auto parameters = file_parameters(file.path);
    double before   = 0;
    for (const int levels : {0, 1, 2})
      {
        Mesh<dim> mesh;
        parameters.set("Mesh/Initial refinement", std::to_string(levels));
        make_mesh(mesh, parameters);
        ASSERT_TRUE(mesh.quadratic);
        check_parts(mesh);
        before = levels == 0 ? volume(mesh) : before;
        EXPECT_NEAR(volume(mesh), before, 1e-13 * before);
        EXPECT_LE(farthest_vertex(mesh), 1e-14);
        if (is_simplex(mesh.cell_type()) || levels == 2)
          continue;
        mesh.triangulation().begin_active()->set_refine_flag();
        mesh.triangulation().execute_coarsening_and_refinement();
        mesh.quadratic->place_vertices(mesh.triangulation());
        EXPECT_NEAR(volume(mesh), before, 1e-13 * before);
        EXPECT_LE(farthest_vertex(mesh), 1e-14);
      }
    parameters.set("Mesh/Geometry order", "1");
    Mesh<dim> straight;
    make_mesh(straight, parameters);
    EXPECT_FALSE(straight.curved);
    EXPECT_GT(std::abs(volume(straight) / before - 1), 1e-3);
  }

  TEST(MeshQuadratic, RefinementKeepsTheShape)
  {
    for (const Element &type : elements_of("inp"))
      {
        SCOPED_TRACE(type.name);
        type.is_solid() ? check_refinement<3>(type) : check_refinement<2>(type);
      }
  }


  /// Two quadrilaterals of the unit square that touch at x = 1/2, where each
  /// has one of the `middles`, and whose corners there are the same nodes or
  /// not.
  std::string
  two_cells(const std::array<Point3, 2> &middles, const int corner = 1,
            const int other = 2)
  {
    return text_of(
      "inp", "CPS8",
      {{{0, 0, 0}},
       {{.5, 0, 0}},
       {{.5, 1, 0}},
       {{0, 1, 0}},
       {{1, 0, 0}},
       {{1, 1, 0}},
       {{.25, -.02, 0}},
       middles[0],
       {{.25, 1, 0}},
       {{0, .5, 0}},
       {{.75, 0, 0}},
       {{1, .5, 0}},
       {{.75, 1.01, 0}},
       middles[1],
       {{.5, 0, 0}},
       {{.5, 1, 0}}},
      {{0, 1, 2, 3, 6, 7, 8, 9}, {corner, 4, 5, other, 10, 11, 12, 13}});
  }

  TEST(MeshQuadratic, RefusesWhatDoesNotFit)
  {
    const auto sentence = [](const std::string &text, const std::string &entry,
                             const std::string &value) {
      const TemporaryFile file("two.inp", text);
      auto parameters = file_parameters(file.path);
      if (!entry.empty())
        parameters.set(entry, value);
      return mesh_error(parameters);
    };
    const Point3 half{{.5, .5, 0}}, off{{.52, .5, 0}}, far{{-.4, .5, 0}};
    EXPECT_EQ(sentence(two_cells({{off, off}}), "", ""), "");
    const std::string gap =
      "cells that do not fit together around (0.5, 0.5): "
      "the nodes 8 and 14 between the same corners are at "
      "different places";
    expect_contains(sentence(two_cells({{half, off}}), "", ""), gap);
    const std::string entry = "Mesh/Coinciding vertices";
    EXPECT_EQ(sentence(two_cells({{off, off}}, 14, 15), entry, "merge"), "");
    expect_contains(sentence(two_cells({{half, off}}, 14, 15), entry, "merge"),
                    gap);
    expect_contains(sentence(two_cells({{off, half}}, 7), "", ""),
                    "hanging vertex: the node 8 of the quadrilateral 1 lies "
                    "between its corners and is a corner of a cell");
    expect_contains(sentence(two_cells({{{{.5, .5, .1}}, half}}), "", ""),
                    "is a surface in space: the node 8 of the quadrilateral 1");
    const std::string inverted =
      sentence(two_cells({{far, far}}), "Mesh/Initial refinement", "0");
    expect_contains(inverted, "3 The mesh file");
    expect_contains(inverted,
                    "turn inside out, number 0 around (0.25, 0.5); "
                    "'Mesh/Geometry order' = 1");
    EXPECT_EQ(sentence(two_cells({{far, far}}), "Mesh/Geometry order", "1"),
              "");
    expect_contains(
      sentence(two_cells({{off, off}}), "Mesh/Distortion", "0.1"),
      "'Mesh/Distortion' = 0.1 moves the corners of straight cells");
    MeshParameters generated;
    generated.set("Mesh/Geometry order", "1");
    expect_contains(mesh_error(generated),
                    "does not apply to a generated grid");
  }
} // namespace
