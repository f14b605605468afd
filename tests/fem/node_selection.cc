#include "mesh_cases.h"

#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/fields/node_selection.h>

#include <deal.II/dofs/dof_tools.h>

#include <algorithm>
#include <array>
#include <sstream>

// Nodes of sets of files and of formulas, on refined meshes and of any degree.
namespace
{
  using namespace tessera;
  using namespace tessera::test;
  using Point = dealii::Point<3>;

  /// Returns the number of a vertex of the box from (0, 0, 0) to (2, 1, 1).
  int
  vertex(const int x, const int y, const int z)
  {
    return 1 + x + 3 * (y + 2 * z);
  }

  std::string
  list(const std::vector<int> &numbers, const char *const separator)
  {
    std::string text;
    for (const int number : numbers)
      text += (text.empty() ? "" : separator) + std::to_string(number);
    return text;
  }

  /// Returns the corners of two hexahedra or of six tetrahedra for each.
  std::vector<std::vector<int>>
  cells_of_box(const CellType type)
  {
    std::vector<std::vector<int>> cells;
    for (const int x : {0, 1})
      if (type == CellType::hexahedron)
        cells.push_back({vertex(x, 0, 0), vertex(x + 1, 0, 0),
                         vertex(x + 1, 1, 0), vertex(x, 1, 0), vertex(x, 0, 1),
                         vertex(x + 1, 0, 1), vertex(x + 1, 1, 1),
                         vertex(x, 1, 1)});
      else
        for (std::array<int, 3> order{{0, 1, 2}};;)
          {
            std::array<int, 3> at{{x, 0, 0}};
            std::vector<int> cell{vertex(at[0], at[1], at[2])};
            for (const int d : order)
              {
                ++at[d];
                cell.push_back(vertex(at[0], at[1], at[2]));
              }
            cells.push_back(cell);
            if (!std::next_permutation(order.begin(), order.end()))
              break;
          }
    return cells;
  }

  std::string
  coordinates(const int v, const char *const separator)
  {
    const int i = v - 1;
    return list({i % 3, i / 3 % 2, i / 6}, separator);
  }

  /// The group 1, 'ends', has the vertices (0, 0, 0) and (1, 0, 0), between
  /// which there is an edge, the group 2, 'edge', the edges of y = z = 0, and
  /// the group 7, without a name, the edge of x = 0, y = 1.
  std::string
  msh_2(const CellType type)
  {
    std::ostringstream out;
    out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
        << "$PhysicalNames\n2\n0 1 \"ends\"\n1 2 \"edge\"\n$EndPhysicalNames\n"
        << "$Nodes\n12\n";
    for (int v = 1; v <= 12; ++v)
      out << v << ' ' << coordinates(v, " ") << '\n';
    const auto cells = cells_of_box(type);
    out << "$EndNodes\n$Elements\n" << 5 + cells.size() << '\n';
    int n = 0;
    for (const int v : {vertex(0, 0, 0), vertex(1, 0, 0)})
      out << ++n << " 15 2 1 1 " << v << '\n';
    for (const int x : {0, 1})
      out << ++n << " 1 2 2 1 " << vertex(x, 0, 0) << ' ' << vertex(x + 1, 0, 0)
          << '\n';
    out << ++n << " 1 2 7 2 " << vertex(0, 1, 0) << ' ' << vertex(0, 1, 1)
        << '\n';
    for (const auto &cell : cells)
      out << ++n << (type == CellType::hexahedron ? " 5" : " 4") << " 2 9 1 "
          << list(cell, " ") << '\n';
    out << "$EndElements\n";
    return out.str();
  }

  /// The same, where (1, 0, 0) is in the group 3, too.
  std::string
  msh_4(const CellType type)
  {
    std::ostringstream out;
    out << "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
        << "$PhysicalNames\n2\n0 1 \"ends\"\n1 2 \"edge\"\n$EndPhysicalNames\n"
        << "$Entities\n2 2 0 1\n1 0 0 0 1 1\n2 1 0 0 2 1 3\n"
        << "1 0 0 0 2 0 0 1 2 0\n2 0 1 0 0 1 1 1 7 0\n"
        << "1 0 0 0 2 1 1 1 9 0\n$EndEntities\n$Nodes\n1 12 1 12\n3 1 0 12\n";
    for (int v = 1; v <= 12; ++v)
      out << v << '\n';
    for (int v = 1; v <= 12; ++v)
      out << coordinates(v, " ") << '\n';
    const auto cells = cells_of_box(type);
    const auto n     = std::to_string(5 + cells.size());
    out << "$EndNodes\n$Elements\n5 " << n << " 1 " << n << '\n'
        << "0 1 15 1\n1 " << vertex(0, 0, 0) << "\n0 2 15 1\n2 "
        << vertex(1, 0, 0) << "\n1 1 1 2\n3 " << vertex(0, 0, 0) << ' '
        << vertex(1, 0, 0) << "\n4 " << vertex(1, 0, 0) << ' '
        << vertex(2, 0, 0) << "\n1 2 1 1\n5 " << vertex(0, 1, 0) << ' '
        << vertex(0, 1, 1) << "\n3 1 "
        << (type == CellType::hexahedron ? "5 " : "4 ") << cells.size() << '\n';
    int label = 5;
    for (const auto &cell : cells)
      out << ++label << ' ' << list(cell, " ") << '\n';
    out << "$EndElements\n";
    return out.str();
  }

  /// The set BOTTOM has the vertices of z = 0, and ONE a single one.
  std::string
  inp(const CellType type)
  {
    std::ostringstream out;
    out << "*NODE\n";
    for (int v = 1; v <= 12; ++v)
      out << v << ", " << coordinates(v, ", ") << '\n';
    out << "*ELEMENT, TYPE=" << (type == CellType::hexahedron ? "C3D8" : "C3D4")
        << '\n';
    int n = 0;
    for (const auto &cell : cells_of_box(type))
      out << ++n << ", " << list(cell, ", ") << '\n';
    out << "*NSET, NSET=BOTTOM, GENERATE\n1, 6\n*NSET, NSET=ONE\n"
        << vertex(1, 1, 1) << '\n';
    return out.str();
  }

  /// A space on the mesh of a file.
  struct Body
  {
    Mesh<3> mesh;
    std::unique_ptr<dealii::Mapping<3>> mapping;
    std::unique_ptr<dealii::FiniteElement<3>> fe;
    dealii::DoFHandler<3> dof_handler;

    Body(const MeshParameters &parameters, const int degree)
    {
      make_mesh(mesh, parameters);
      mapping = mesh.make_mapping(degree);
      fe      = make_element<3>(mesh.cell_type(), degree);
      dof_handler.reinit(mesh.triangulation());
      dof_handler.distribute_dofs(*fe);
    }

    /// Expects nodes where a function is true, and no others.
    template <class IsIn>
    void
    expect(const std::vector<NodeSelection<3>::Node> &nodes,
           const IsIn &is_in) const
    {
      std::vector<Point> points(dof_handler.n_dofs());
      dealii::DoFTools::map_dofs_to_support_points(*mapping, dof_handler,
                                                   points);
      std::size_t n = 0;
      for (const Point &p : points)
        n += is_in(p);
      EXPECT_EQ(nodes.size(), n);
      for (const auto &node : nodes)
        {
          EXPECT_TRUE(is_in(node.point)) << node.point;
          EXPECT_LT(node.point.distance(points[node.number]), 1e-12);
        }
    }

    template <class IsIn>
    void
    expect_set(const std::string &name, const IsIn &is_in) const
    {
      SCOPED_TRACE(name);
      const NodeSet *const set = find_name(mesh.node_sets, name);
      ASSERT_NE(set, nullptr);
      expect(nodes_of_set<3>(*set, mesh, {*mapping, dof_handler}), is_in);
    }
  };

  bool
  is_zero(const double x)
  {
    return std::abs(x) < 1e-10;
  }

  /// Calls test(parameters, degree) for both types of cells, also cut out of
  /// hexahedra, and for meshes with and without refinement.
  template <class MakeText, class Test>
  void
  for_boxes(const std::string &suffix, const MakeText &make_text,
            const Test &test)
  {
    for (const CellType type : {CellType::hexahedron, CellType::tetrahedron})
      {
        const TemporaryFile file("box" + suffix, make_text(type));
        for (const std::string wanted : {"auto", "tetrahedron"})
          for (const std::string levels : {"0", "1", "2"})
            for (const int degree : {1, 2})
              {
                SCOPED_TRACE(to_string(type) + ' ' + wanted + ' ' + levels +
                             ' ' + std::to_string(degree));
                auto parameters = file_parameters(file.path);
                parameters.set("Mesh/Cell type", wanted);
                parameters.set("Mesh/Initial refinement", levels);
                test(parameters, degree);
              }
      }
  }

  TEST(NodeSelectionTest, PointsAndCurvesOfGmsh)
  {
    for (const auto &make_text : {msh_2, msh_4})
      for_boxes(".msh", make_text, [&](const auto &parameters, int degree) {
        const Body body(parameters, degree);
        body.expect_set("ends", [](const Point &p) {
          return is_zero(p[1]) && is_zero(p[2]) &&
                 (is_zero(p[0]) || is_zero(p[0] - 1));
        });
        body.expect_set("EDGE", [](const Point &p) {
          return is_zero(p[1]) && is_zero(p[2]);
        });
        body.expect_set("curve 7", [](const Point &p) {
          return is_zero(p[0]) && is_zero(p[1] - 1);
        });
        if (make_text == msh_4)
          body.expect_set("point 3", [](const Point &p) {
            return p.distance(Point(1, 0, 0)) < 1e-10;
          });
        EXPECT_EQ(find_name(body.mesh.node_sets, "point 1"), nullptr);
      });
  }


  TEST(NodeSelectionTest, SetsOfAbaqusWithTheNodesBetween)
  {
    for_boxes(".inp", inp, [](const auto &parameters, const int degree) {
      const Body body(parameters, degree);
      body.expect_set("Bottom", [](const Point &p) { return is_zero(p[2]); });
      body.expect_set("ONE", [](const Point &p) {
        return p.distance(Point(1, 1, 1)) < 1e-10;
      });
    });
  }


  /// Compares what arrays know with deal.II's triangulation.
  template <int dim>
  void
  expect_same_nodes(const MeshParameters &parameters, const int degree)
  {
    Mesh<dim> mesh;
    make_mesh(mesh, parameters);
    const auto arrays        = mesh.arrays();
    const ElementNodes nodes = number(*arrays, degree);
    const CellNodes<dim> cells(*arrays, nodes);
    const auto numbers = [&](const NodeSet &set) {
      std::vector<int> result;
      for (const auto &node : nodes_of_set<dim>(set, mesh, cells))
        result.push_back(node.number);
      return result;
    };
    std::vector<std::vector<int>> found;
    for (const auto &[name, set] : mesh.node_sets)
      found.push_back(numbers(set));
    EXPECT_GE(found.size(), 2u);
    EXPECT_TRUE(mesh.is_coarser());
    mesh.divide_now();
    std::size_t k = 0;
    for (const auto &[name, set] : mesh.node_sets)
      EXPECT_EQ(found[k++], numbers(set)) << name;
  }


  TEST(NodeSelectionTest, ArraysKnowTheSetsOfFiles)
  {
    for (const auto &make_text : {msh_2, inp})
      for_boxes(make_text == inp ? ".inp" : ".msh", make_text,
                expect_same_nodes<3>);
    for (const std::string cells :
         {"4\n1, 1, 2, 3, 4", "3\n1, 1, 2, 3\n2, 1, 3, 4"})
      {
        const TemporaryFile file(
          "square.inp",
          "*NODE\n1, 0, 0\n2, 1, 0\n3, 1, 1\n4, 0, 1\n"
          "*ELEMENT, TYPE=CPS" +
            cells +
            "\n*NSET, NSET=LEFT\n1, 4\n*NSET, NSET=THREE\n"
            "1, 2, 3\n*NSET, NSET=ALL, GENERATE\n1, 4\n");
        for (const std::string levels : {"0", "1", "2", "3"})
          for (const int degree : {1, 2})
            {
              auto parameters = file_parameters(file.path);
              parameters.set("Mesh/Initial refinement", levels);
              expect_same_nodes<2>(parameters, degree);
            }
      }
  }


  TEST(NodeSelectionTest, FormulasHoldAtNodes)
  {
    for_boxes(".inp", inp, [](MeshParameters parameters, const int degree) {
      parameters.declare("Nodes", "where max(abs(y - 0.5), abs(z)) < 1e-9",
                         Patterns::Anything(), "");
      const Body body(parameters, degree);
      const NodeSelection<3> selection(parameters, "Nodes");
      const auto nodes =
        selection.find(body.mesh, {*body.mapping, body.dof_handler});
      body.expect(nodes, [](const Point &p) {
        return is_zero(p[1] - 0.5) && is_zero(p[2]);
      });
      const auto check = [&]() {
        selection.check(body.mesh, {*body.mapping, body.dof_handler});
      };
      if (nodes.empty())
        EXPECT_THROW(check(), MeshError);
      else
        EXPECT_NO_THROW(check());
    });
  }


  TEST(NodeSelectionTest, HangingNodesAreNotSelected)
  {
    const TemporaryFile file("hanging.inp", inp(CellType::hexahedron));
    Body body(file_parameters(file.path), 2);
    body.dof_handler.clear();
    body.mesh.triangulation().begin_active()->set_refine_flag();
    body.mesh.triangulation().execute_coarsening_and_refinement();
    body.dof_handler.reinit(body.mesh.triangulation());
    body.dof_handler.distribute_dofs(*body.fe);
    dealii::AffineConstraints<double> hanging;
    dealii::DoFTools::make_hanging_node_constraints(body.dof_handler, hanging);
    hanging.close();
    std::vector<Point> points(body.dof_handler.n_dofs());
    dealii::DoFTools::map_dofs_to_support_points(*body.mapping,
                                                 body.dof_handler, points);
    std::size_t n = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      n += is_zero(points[i][2]) && !hanging.is_constrained(i);
    const auto nodes =
      nodes_of_set<3>(*find_name(body.mesh.node_sets, "BOTTOM"), body.mesh,
                      {*body.mapping, body.dof_handler});
    EXPECT_EQ(nodes.size(), n);
    for (const auto &node : nodes)
      EXPECT_FALSE(hanging.is_constrained(node.number));
  }
} // namespace
