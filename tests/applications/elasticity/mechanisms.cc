#include "supported_body.h"

namespace
{
  using namespace tessera;
  using test::Body;

  /// Replaces the mesh of a body by cells with these corners.
  template <int dim>
  void
  make_mesh(Body<dim> &body, const std::vector<dealii::Point<dim>> &points,
            const std::vector<std::vector<unsigned int>> &corners,
            const unsigned int degree = 1)
  {
    std::vector<dealii::CellData<dim>> cells;
    for (const auto &of_cell : corners)
      {
        cells.emplace_back(of_cell.size());
        cells.back().vertices = of_cell;
      }
    body.dof_handler.clear();
    body.mesh.triangulation().clear();
    body.mesh.triangulation().create_triangulation(points, cells,
                                                   dealii::SubCellData());
    body.reinit(degree);
  }

  const std::string alone = " bodies that share edges or corners alone, and ";

  /// The squares [0, 1] x [0, 1] and [1, 2] x [1, 2], of which the side x = 0
  /// of the first one is held.
  struct Squares : Body<2>
  {
    explicit Squares(const unsigned int degree = 1)
    {
      make_mesh<2>(*this,
                   {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 1}, {1, 2}, {2, 2}},
                   {{0, 1, 2, 3}, {3, 4, 5, 6}}, degree);
    }

    void
    hold_side()
    {
      hold("xy", [](const auto &p) { return p[0] < 1e-10; });
    }
  };

  const std::string second = " consists of 2" + alone +
                             "the body of 1 cell around (1.5, 1.5) can turn "
                             "about the point (1, 1)";


  TEST(Mechanisms, TwoSquaresThatShareACorner)
  {
    for (unsigned int degree = 1; degree <= 2; ++degree)
      {
        Squares body(degree);
        body.hold_side();
        EXPECT_EQ(body.free(), second);
        body.spring({2, 2}, dealii::Point<2>(1, 1), 1); // through the joint
        EXPECT_EQ(body.free(), second);
        body.spring({2, 2}, dealii::Point<2>(0, 1), 1);
        EXPECT_EQ(body.free(), "");
      }
    // Without supports both move together.
    EXPECT_EQ(Squares().free(),
              " can turn about the point (1, 1), move in the direction (1, 0), "
              "move in the direction (0, 1)");
    // Each holds the other one.
    Squares both;
    both.hold_at("xy", {0, 1});
    both.hold_at("x", {1, 2});
    EXPECT_EQ(both.free(),
              " consists of 2" + alone +
                "the body of 1 cell around (0.5, 0.5) can turn "
                "about the point (0, 1); nor are held those around "
                "(1.5, 1.5)");
    both.hold_at("y", {2, 1});
    EXPECT_EQ(both.free(), "");
  }


  TEST(Mechanisms, OfRefinedCellsAndMaterials)
  {
    Squares body(2);
    auto &mesh = body.mesh;
    mesh.triangulation().begin_active()->set_material_id(1);
    mesh.triangulation().last_active()->set_material_id(3);
    mesh.material_names = {{"frame", {1}}, {"door", {3}}};
    mesh.triangulation().refine_global(1);
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      if (cell->center().distance({1.25, 1.25}) < 0.1 ||
          cell->center().distance({0.25, 0.25}) < 0.1)
        cell->set_refine_flag();
    mesh.triangulation().execute_coarsening_and_refinement();
    body.reinit(2);
    body.hold_side();
    EXPECT_EQ(body.free(), " consists of 2" + alone +
                             "the body of 7 cells around (1.5, 1.5) of the "
                             "material 3 ('door') can turn about the point (1, "
                             "1)");
    body.hold_at("x", {2, 2});
    EXPECT_EQ(body.free(), "");
  }


  /// Bars between joints: each is a cell with corners at both ends. The bar of
  /// the joints 0 and 1 is held.
  std::string
  linkage(const std::vector<dealii::Point<2>> &joints,
          const std::vector<std::pair<int, int>> &bars)
  {
    auto points = joints;
    std::vector<std::vector<unsigned int>> cells;
    for (const auto &[a, b] : bars)
      {
        const auto along              = joints[b] - joints[a];
        const dealii::Point<2> middle = joints[a] + 0.5 * along;
        const dealii::Tensor<1, 2> across({-0.1 * along[1], 0.1 * along[0]});
        const auto n = static_cast<unsigned int>(points.size());
        points.push_back(middle - across);
        points.push_back(middle + across);
        cells.push_back({static_cast<unsigned int>(a), n, n + 1,
                         static_cast<unsigned int>(b)});
      }
    Body<2> body;
    make_mesh(body, points, cells);
    body.hold_at("xy", joints[0]);
    body.hold_at("xy", joints[1]);
    return body.free();
  }


  TEST(Mechanisms, Linkages)
  {
    EXPECT_EQ(linkage({{0, 0}, {4, 0}, {2, 3}}, {{0, 1}, {1, 2}, {2, 0}}), "");
    const std::vector<dealii::Point<2>> square = {
      {0, 0}, {4, 0}, {4, 4}, {0, 4}};
    EXPECT_EQ(linkage(square, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}),
              " consists of 4" + alone +
                "the body of 1 cell around (4, 2) can turn about the point (4, "
                "0); nor are held those around (2, 4), (0, 2)");
    EXPECT_EQ(linkage(square, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}), "");
    // A bar between bars in one line moves across them.
    EXPECT_EQ(linkage({{0, 0}, {4, 0}, {2, -1}, {2, 0}},
                      {{0, 1}, {0, 2}, {2, 1}, {0, 3}, {3, 1}})
                .find(" consists of 5" + alone),
              0u);
  }


  /// A long truss, which is held at one end, bends much but is no mechanism.
  TEST(Mechanisms, ALongTruss)
  {
    for (const bool missing : {false, true})
      {
        std::vector<dealii::Point<2>> joints;
        std::vector<std::pair<int, int>> bars = {{0, 1}};
        constexpr int n                       = 300;
        for (int i = 0; i < n; ++i)
          {
            joints.emplace_back(0.5 * i, i % 2);
            if (i > 1)
              {
                bars.emplace_back(i - 2, i);
                if (!missing || i != n / 2)
                  bars.emplace_back(i - 1, i);
              }
          }
        const std::string what = linkage(joints, bars);
        EXPECT_EQ(what.empty(), !missing) << what;
      }
  }


  TEST(Mechanisms, ManyBodies)
  {
    std::vector<dealii::Point<2>> points = {{0, 0}};
    std::vector<std::vector<unsigned int>> cells;
    for (unsigned int i = 0; i < 2000; ++i)
      {
        points.emplace_back(i + 1, i);
        points.emplace_back(i, i + 1);
        points.emplace_back(i + 1, i + 1);
        cells.push_back({3 * i, 3 * i + 1, 3 * i + 2, 3 * i + 3});
      }
    Body<2> body;
    make_mesh(body, points, cells);
    body.hold("xy", [](const auto &p) { return p[0] < 1e-10; });
    const std::string what = body.free(), end = "(9.5, 9.5) and 1990 more";
    EXPECT_EQ(what.find(" consists of 2000" + alone +
                        "the body of 1 cell around (1.5, 1.5) can turn about "
                        "the point (1, 1); nor are held those around (2.5,"),
              0u)
      << what.substr(0, 300);
    EXPECT_EQ(what.substr(what.size() - end.size()), end);
  }


  /// The cube [0, 1]^3, held at x = 0, and a second one that begins at `from`.
  struct Cubes : Body<3>
  {
    explicit Cubes(const std::vector<dealii::Point<3>> &from)
    {
      std::vector<dealii::Point<3>> points;
      std::vector<std::vector<unsigned int>> cells;
      auto all = from;
      all.insert(all.begin(), dealii::Point<3>());
      for (const auto &corner : all)
        {
          cells.emplace_back();
          for (int v = 0; v < 8; ++v)
            {
              const auto point =
                corner + dealii::Point<3>(v & 1, v >> 1 & 1, v >> 2);
              unsigned int i = 0;
              while (i < points.size() && points[i].distance(point) > 1e-10)
                ++i;
              if (i == points.size())
                points.push_back(point);
              cells.back().push_back(i);
            }
        }
      make_mesh(*this, points, cells);
      hold("xyz", [](const auto &p) { return p[0] < 1e-10; });
    }
  };


  TEST(Mechanisms, HingesAndBallJoints)
  {
    const std::string start = " consists of 2" + alone + "the body of 1 cell ";
    Cubes hinge({{1, 0, 1}});
    const std::string about_edge =
      start +
      "around (1.5, 0.5, 1.5) can turn about the axis (0, 1, 0) through "
      "(1, 0.5, 1)";
    EXPECT_EQ(hinge.free(), about_edge);
    hinge.hold_at("y", {2, 1, 2}); // along the axis
    EXPECT_EQ(hinge.free(), about_edge);
    hinge.hold_at("z", {2, 1, 2});
    EXPECT_EQ(hinge.free(), "");

    Cubes ball({{1, 1, 1}});
    EXPECT_EQ(ball.free(),
              start +
                "around (1.5, 1.5, 1.5) can turn about the axis (1, 0, 0) "
                "through (1.5, 1, 1), turn about the axis (0, 1, 0) "
                "through (1, 1.5, 1), turn about the axis (0, 0, 1) "
                "through (1, 1, 1.5)");
    ball.hold_at("xyz", {2, 2, 2});
    EXPECT_EQ(ball.free(),
              start +
                "around (1.5, 1.5, 1.5) can turn about the axis (0.57735, "
                "0.57735, 0.57735) through (1.5, 1.5, 1.5)");
    ball.hold_at("x", {1, 2, 1});
    EXPECT_EQ(ball.free(), "");

    // A third cube at a corner of the second one stops the hinge and turns
    // itself until it is held.
    Cubes three({{1, 0, 1}, {2, -1, 2}});
    EXPECT_EQ(three.free(),
              " consists of 3" + alone +
                "the body of 1 cell around (1.5, 0.5, 1.5) can turn about the "
                "axis (0, 1, 0) through (1, 0.5, 1); nor are held those around "
                "(2.5, -0.5, 2.5)");
    three.hold("xyz", [](const auto &p) { return p[0] > 3 - 1e-10; });
    EXPECT_EQ(three.free(), "");
    // Two hinges with axes that are not parallel hold a cube between them.
    Cubes between({{1, 0, 1}, {1, 1, 2}});
    between.hold("xyz", [](const auto &p) { return p[2] > 3 - 1e-10; });
    EXPECT_EQ(between.free(), "");
  }
} // namespace
