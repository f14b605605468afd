#include "supported_body.h"

namespace
{
  using namespace tessera;
  using test::Body;

  TEST(RigidMotions, WithoutSupports)
  {
    EXPECT_EQ(Body<2>().free(),
              " can turn about the point (0.5, 0.5), move in the direction "
              "(1, 0), move in the direction (0, 1)");
    EXPECT_EQ(Body<3>().free(),
              " can turn about the axis (1, 0, 0) through (0.5, 0.5, 0.5), "
              "turn about the axis (0, 1, 0) through (0.5, 0.5, 0.5), turn "
              "about the axis (0, 0, 1) through (0.5, 0.5, 0.5), move in the "
              "direction (1, 0, 0), move in the direction (0, 1, 0), move in "
              "the direction (0, 0, 1)");
  }


  TEST(RigidMotions, InThePlane)
  {
    for (unsigned int degree = 1; degree <= 2; ++degree)
      {
        Body<2> body(degree);
        body.hold_at("xy", {0, 0.5});
        EXPECT_EQ(body.free(), " can turn about the point (0, 0.5)");
        body.hold_at("x", {1, 0.5}); // in the direction of the first point
        EXPECT_EQ(body.free(), " can turn about the point (0, 0.5)");
        body.hold_at("y", {1, 0.5});
        EXPECT_EQ(body.free(), "");

        Body<2> roller(degree);
        roller.hold("x", [](const auto &p) { return p[0] < 1e-10; });
        EXPECT_EQ(roller.free(), " can move in the direction (0, 1)");
        roller.hold_at("y", {1, 1});
        EXPECT_EQ(roller.free(), "");
      }
  }


  TEST(RigidMotions, InSpace)
  {
    Body<3> body;
    body.hold_at("xyz", {0, 0, 0});
    EXPECT_EQ(body.free(),
              " can turn about the axis (1, 0, 0) through (0.5, 0, 0), turn "
              "about the axis (0, 1, 0) through (0, 0.5, 0), turn about the "
              "axis (0, 0, 1) through (0, 0, 0.5)");
    body.hold_at("xyz", {1, 0, 0});
    EXPECT_EQ(body.free(),
              " can turn about the axis (1, 0, 0) through (0.5, 0, 0)");
    body.hold_at("z", {0, 1, 0});
    EXPECT_EQ(body.free(), "");

    Body<3> diagonal;
    diagonal.hold_at("xyz", {0, 0, 0});
    diagonal.hold_at("xyz", {1, 1, 0});
    EXPECT_EQ(diagonal.free(),
              " can turn about the axis (0.707107, 0.707107, 0) through (0.5, "
              "0.5, 0)");

    Body<3> roller;
    roller.hold("z", [](const auto &p) { return p[2] < 1e-10; });
    EXPECT_EQ(roller.free(),
              " can turn about the axis (0, 0, 1) through (0.5, 0.5, 0.5), "
              "move in the direction (1, 0, 0), move in the direction (0, 1, "
              "0)");
    roller.hold_at("xy", {1, 1, 1});
    EXPECT_EQ(roller.free(),
              " can turn about the axis (0, 0, 1) through (1, 1, 0.5)");

    Body<3> three;
    three.hold_at("xyz", {0, 0, 0});
    three.hold_at("yz", {1, 0, 0});
    three.hold_at("z", {0, 1, 0});
    EXPECT_EQ(three.free(), "");
  }


  // Many nodes of a roller do not outweigh two that are close together.
  TEST(RigidMotions, CloseSupports)
  {
    Body<2> body;
    body.mesh.triangulation().clear();
    dealii::GridGenerator::subdivided_hyper_rectangle(
      body.mesh.triangulation(), {2, 2000}, dealii::Point<2>(),
      dealii::Point<2>(1, 1));
    body.reinit(1);
    body.hold_at("xy", {0, 0});
    body.hold_at("xy", {0, 1. / 2000});
    EXPECT_EQ(body.free(), "");
  }


  // Hanging nodes hold nothing.
  TEST(RigidMotions, WithHangingNodes)
  {
    Body<2> body;
    body.mesh.triangulation().begin_active()->set_refine_flag();
    body.mesh.triangulation().execute_coarsening_and_refinement();
    body.reinit(2);
    EXPECT_GT(body.constraints.n_constraints(), 0u);
    body.hold_at("xy", {1, 1});
    EXPECT_EQ(body.free(), " can turn about the point (1, 1)");
  }


  TEST(RigidMotions, OfTwoParts)
  {
    Body<2> body;
    dealii::Triangulation<2> left, right;
    dealii::GridGenerator::hyper_rectangle(left, {0, 0}, {1, 1});
    dealii::GridGenerator::hyper_rectangle(right, {2, 0}, {4, 1});
    body.mesh.triangulation().clear();
    dealii::GridGenerator::merge_triangulations(left, right,
                                                body.mesh.triangulation());
    body.reinit(1);
    body.hold("xy", [](const auto &p) { return p[0] < 1e-10; });
    const std::string second =
      " consists of 2 parts without common vertices, and the part around (3, "
      "0.5) can ";
    EXPECT_EQ(body.free(), second +
                             "turn about the point (3, 0.5), move in the "
                             "direction (1, 0), move in the direction (0, 1)");
    body.hold_at("xy", {2, 0});
    EXPECT_EQ(body.free(), second + "turn about the point (2, 0)");
    body.spring({4, 0}, dealii::Point<2>(0, 1e-3), 0); // at the first part
    EXPECT_EQ(body.free(), second + "turn about the point (2, 0)");
    body.springs[0].cell = 1;
    EXPECT_EQ(body.free(), "");
  }


  /// Parts beside each other, of which the second alone is held.
  TEST(RigidMotions, OfManyParts)
  {
    Body<2> body;
    const auto free = [&body](const int n) {
      dealii::Triangulation<2> parts;
      dealii::GridGenerator::hyper_rectangle(parts, {0, 0}, {1, 1});
      for (int i = 1; i < n; ++i)
        {
          dealii::Triangulation<2> next, all;
          dealii::GridGenerator::hyper_rectangle(next, {2. * i, 0},
                                                 {2. * i + 1, 1});
          dealii::GridGenerator::merge_triangulations(parts, next, all);
          parts.clear();
          parts.copy_triangulation(all);
        }
      body.mesh.triangulation().clear();
      body.mesh.triangulation().copy_triangulation(parts);
      body.reinit(1);
      body.hold("xy", [](const auto &p) { return p[0] > 1.5 && p[0] < 3.5; });
      return body.free();
    };
    const std::string first =
      " parts without common vertices, and the part around (0.5, 0.5) can turn "
      "about the point (0.5, 0.5), move in the direction (1, 0), move in the "
      "direction (0, 1)";
    EXPECT_EQ(free(2), " consists of 2" + first);
    EXPECT_EQ(free(4), " consists of 4" + first +
                         "; nor are held those around (4.5, 0.5), (6.5, 0.5)");
    const std::string many = free(12), end = "(18.5, 0.5) and 2 more";
    EXPECT_EQ(many.substr(many.size() - end.size()), end);
  }


  TEST(RigidMotions, HeldBySprings)
  {
    Body<2> plane;
    plane.spring({0, 0}, dealii::Point<2>(1e9, 0));
    EXPECT_EQ(plane.free(),
              " can turn about the point (0.5, 0), move in the direction (0, "
              "1)");
    plane.spring({0, 0}, dealii::Point<2>(3, 3));
    EXPECT_EQ(plane.free(), " can turn about the point (0, 0)");
    plane.spring({0, 1}, dealii::Point<2>(1e-5, 0));
    EXPECT_EQ(plane.free(), "");

    Body<3> solid;
    const dealii::Point<3> corner;
    solid.springs.push_back({corner, dealii::unit_symmetric_tensor<3>(), 0});
    solid.springs.push_back({corner, dealii::SymmetricTensor<2, 3>(), 0});
    solid.spring({0, 0, 1}, dealii::Point<3>(1, 2, 0));
    EXPECT_EQ(solid.free(),
              " can turn about the axis (0.447214, 0.894427, 0) through (0.3, "
              "0.6, 0), turn about the axis (0, 0, 1) through (0, 0, 0.5)");
    solid.spring({1, 0, 0}, dealii::Point<3>(0, 1, 0));
    solid.spring({0, 0, 1}, dealii::Point<3>(1, 0, 0));
    EXPECT_EQ(solid.free(), "");

    // The spring lets a rotation about the axis x and a translation cancel.
    Body<3> screw;
    screw.hold_at("y", {0, 0, 0});
    screw.hold_at("z", {0, 0, 0});
    screw.hold_at("y", {1, 0, 0});
    screw.hold_at("z", {1, 0, 0});
    screw.spring({0, 1, 0}, dealii::Point<3>(1, 0, 1));
    EXPECT_EQ(screw.free(),
              " can turn about the axis (1, 0, 0) through (0.5, 0, 0) and move "
              "along it");
  }
} // namespace
