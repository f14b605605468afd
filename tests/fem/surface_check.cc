#include "../../source/fem/mesh/triangle_shells.h"

#include <tessera/base/error.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace
{
  using namespace tessera;
  using namespace tessera::mesh_tools;
  using Point = dealii::Point<3>;

  constexpr double angle = 0.7;

  /// Adds a box with twelve triangles, whose normals point out of it, or into
  /// it for a cavity.
  void
  add_box(TriangleSurface &surface, const Point &corner, const Point &edges,
          const bool inwards = false)
  {
    const int first = static_cast<int>(surface.points.size());
    for (int i = 0; i < 8; ++i)
      surface.points.emplace_back(corner[0] + (i & 1 ? edges[0] : 0.),
                                  corner[1] + (i & 2 ? edges[1] : 0.),
                                  corner[2] + (i & 4 ? edges[2] : 0.));
    for (const auto &[a, b, c, d] : {std::array<int, 4>{0, 2, 3, 1},
                                     {4, 5, 7, 6},
                                     {0, 1, 5, 4},
                                     {2, 6, 7, 3},
                                     {0, 4, 6, 2},
                                     {1, 3, 7, 5}})
      for (const auto &[i, j, k] :
           {std::array<int, 3>{a, b, c}, std::array<int, 3>{a, c, d}})
        {
          surface.triangles.push_back({first + i, first + j, first + k});
          if (inwards)
            std::swap(surface.triangles.back()[1], surface.triangles.back()[2]);
        }
  }

  TriangleSurface
  box(const Point &edges = {1., 2., 3.})
  {
    TriangleSurface surface;
    add_box(surface, {}, edges);
    return surface;
  }

  /// Returns the sentence that refuses a surface, or "".
  std::string
  refusal(TriangleSurface surface)
  {
    try
      {
        find_shells(surface, angle, "file");
        check_crossings(surface, resolution(surface), "file");
      }
    catch (const MeshError &error)
      {
        return error.what();
      }
    return "";
  }

  double
  volume(const TriangleSurface &surface)
  {
    double sum = 0.;
    for (const auto &[a, b, c] : surface.triangles)
      sum += surface.points[a] *
             dealii::cross_product_3d(surface.points[b], surface.points[c]) /
             6.;
    return sum;
  }

  /// True if every directed edge has one triangle and its opposite has one.
  bool
  is_closed(const TriangleSurface &surface)
  {
    std::map<std::pair<int, int>, int> count;
    for (const auto &t : surface.triangles)
      for (int e = 0; e < 3; ++e)
        ++count[{t[e], t[(e + 1) % 3]}];
    for (const auto &[edge, n] : count)
      if (n != 1 || count.count({edge.second, edge.first}) == 0)
        return false;
    return true;
  }

  TEST(SurfaceCheck, NormalsPointOutOfBodies)
  {
    TriangleSurface surface = box();
    add_box(surface, {0.25, 0.5, 0.75}, {0.5, 0.5, 0.5}, true); // a cavity
    for (const int t : {3, 7, 12, 20})
      std::swap(surface.triangles[t][0], surface.triangles[t][1]);
    const Shells shells = find_shells(surface, angle, "file");
    EXPECT_EQ(shells.n_turned, 4u);
    EXPECT_EQ(shells.n_flat, 0u);
    ASSERT_EQ(shells.bodies.size(), 1u);
    EXPECT_EQ(shells.bodies[0], (std::vector<int>{0, 1}));
    EXPECT_NEAR(shells.volume, 6. - 0.125, 1e-12);
    EXPECT_NEAR(volume(surface), 6. - 0.125, 1e-12);
    EXPECT_NEAR(shells.area, 22. + 1.5, 1e-12);
    EXPECT_TRUE(is_closed(surface));
    EXPECT_EQ(refusal(surface), "");
  }

  TEST(SurfaceCheck, FaultsAreNamedWithTheirPlaces)
  {
    TriangleSurface surface = box();
    surface.triangles.push_back(surface.triangles[0]);
    EXPECT_EQ(refusal(surface),
              "The surface of the file has a triangle twice, "
              "around (0.333333, 1.33333, 0).");
    surface = box();
    surface.triangles.pop_back();
    EXPECT_NE(refusal(surface).find("is open: 3 edges belong to one triangle, "
                                    "one of them around (1, "),
              std::string::npos)
      << refusal(surface);
    surface = {{{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {1., 1., 0.}},
               {{0, 1, 2}, {1, 3, 2}, {0, 3, 1}, {0, 2, 3}}};
    EXPECT_NE(refusal(surface).find("has a part that encloses no volume, "
                                    "around ("),
              std::string::npos)
      << refusal(surface);
    // A projective plane: six points, ten triangles.
    surface = {{{0., 0., 0.},
                {1., 0., 0.2},
                {0., 1., 0.3},
                {1., 1.5, 1.},
                {0.5, 0.2, 1.},
                {0.3, 2., 2.}},
               {{0, 1, 2},
                {0, 2, 3},
                {0, 3, 4},
                {0, 4, 5},
                {0, 5, 1},
                {1, 2, 4},
                {2, 3, 5},
                {3, 4, 1},
                {4, 5, 2},
                {5, 1, 3}}};
    EXPECT_NE(refusal(surface).find("has one side alone"), std::string::npos)
      << refusal(surface);
  }

  TEST(SurfaceCheck, CrossingsAndContactsAreFound)
  {
    // A bar goes through two sides of a box.
    TriangleSurface surface = box();
    add_box(surface, {-1., 0.7, 0.8}, {3., 0.1, 0.1});
    EXPECT_NE(refusal(surface).find("intersects itself: "), std::string::npos)
      << refusal(surface);
    EXPECT_NE(refusal(surface).find("one of them around ("), std::string::npos);
    // A corner of a box is pulled through the opposite side.
    surface           = box();
    surface.points[0] = {0.6, 1.1, 3.7};
    EXPECT_NE(refusal(surface).find("intersects itself"), std::string::npos);
    // Boxes share a part of a side, an edge or a corner.
    for (const Point &corner :
         {Point(1., 0.5, 0.5), Point(1., 2., 0.3), Point(1., 2., 3.)})
      {
        surface = box();
        add_box(surface, corner, {1., 1., 1.});
        EXPECT_NE(refusal(surface).find("touches itself"), std::string::npos)
          << corner << ' ' << refusal(surface);
        // With a gap that single precision has, they do not.
        for (std::size_t v = 8; v < 16; ++v)
          surface.points[v] += Point(1e-5, 1e-5, 1e-5);
        EXPECT_EQ(refusal(surface), "");
      }
    // Walls as thin as a thousandth of the part, far away from the origin.
    surface = {};
    add_box(surface, {1000., 0., 0.}, {1., 2., 3.});
    add_box(surface, {1000.001, 0.001, 0.001}, {0.998, 1.998, 2.998}, true);
    EXPECT_EQ(refusal(surface), "");
    // A fold: a vertex of one triangle lies on its neighbour.
    surface = {{{0., 0., 0.}, {2., 0., 0.}, {0., 2., 0.}, {0.5, 0.5, 0.}},
               {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}};
    surface.points.emplace_back(0.2, 0.2, 1.);
    surface.triangles = {{0, 1, 3}, {1, 0, 2}, {1, 2, 4},
                         {3, 1, 4}, {0, 3, 4}, {2, 0, 4}};
    EXPECT_NE(refusal(surface).find("touches itself"), std::string::npos)
      << refusal(surface);
  }

  /// A point in the middle of an edge, which one side has and the other joins
  /// by a triangle without area.
  TEST(SurfaceCheck, TrianglesWithoutAreaAreRemoved)
  {
    TriangleSurface surface = box();
    const int m             = static_cast<int>(surface.points.size());
    // The edge from 0 to 1 belongs to (0, 3, 1) and (0, 1, 5).
    surface.points.emplace_back(0.4, 0., 0.);
    for (auto &t : surface.triangles)
      if (t == std::array<int, 3>{0, 1, 5})
        t = {0, m, 5};
    surface.triangles.push_back({m, 1, 5});
    surface.triangles.push_back({0, 1, m});
    surface.triangles.push_back({m, m, 1});
    const Shells shells = find_shells(surface, angle, "file");
    EXPECT_EQ(shells.n_flat, 2u);
    EXPECT_EQ(surface.triangles.size(), 14u);
    EXPECT_TRUE(is_closed(surface));
    EXPECT_NEAR(volume(surface), 6., 1e-12);
    EXPECT_EQ(
      1 + *std::max_element(shells.face_of.begin(), shells.face_of.end()), 6);
    EXPECT_EQ(refusal(surface), "");
  }

  TEST(SurfaceCheck, DivisionKeepsTheSurface)
  {
    TriangleSurface surface = box({1., 20., 3.});
    Shells shells           = find_shells(surface, angle, "file");
    const double tolerance  = resolution(surface);
    divide(surface, shells.face_of, 0.5, tolerance);
    ASSERT_EQ(shells.face_of.size(), surface.triangles.size());
    EXPECT_TRUE(is_closed(surface));
    EXPECT_NEAR(volume(surface), 60., 1e-9);
    EXPECT_EQ(refusal(surface), "");
    std::map<int, double> areas;
    double smallest_angle = M_PI;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
      {
        const auto &corners = surface.triangles[t];
        for (int e = 0; e < 3; ++e)
          {
            const Point &a = surface.points[corners[e]],
                        &b = surface.points[corners[(e + 1) % 3]],
                        &c = surface.points[corners[(e + 2) % 3]];
            EXPECT_LE(a.distance(b), 4. / 3. * 0.5 + 1e-12);
            const double twice = dealii::cross_product_3d(b - a, c - a).norm();
            smallest_angle =
              std::min(smallest_angle, std::atan2(twice, (b - a) * (c - a)));
            areas[shells.face_of[t]] += twice / 6.;
          }
      }
    EXPECT_GT(smallest_angle, 10. * M_PI / 180.);
    ASSERT_EQ(areas.size(), 6u);
    for (const auto &[face, area] : areas)
      EXPECT_TRUE(std::abs(area - 3.) < 1e-9 || std::abs(area - 20.) < 1e-9 ||
                  std::abs(area - 60.) < 1e-9)
        << area;
  }

  TEST(SurfaceCheck, DivisionMakesNarrowTrianglesWider)
  {
    TriangleSurface surface = box({0.05, 1., 3.});
    Shells shells           = find_shells(surface, angle, "file");
    divide(surface, shells.face_of, 0.5, resolution(surface));
    EXPECT_TRUE(is_closed(surface));
    EXPECT_NEAR(volume(surface), 0.15, 1e-12);
    EXPECT_LT(surface.triangles.size(), 300u);
    for (const auto &corners : surface.triangles)
      for (int e = 0; e < 3; ++e)
        {
          const Point &a = surface.points[corners[e]],
                      &b = surface.points[corners[(e + 1) % 3]],
                      &c = surface.points[corners[(e + 2) % 3]];
          // The length of an edge over the height of the triangle on it, 30
          // where edges are divided for their length alone.
          EXPECT_LT((b - a).norm_square() /
                      dealii::cross_product_3d(b - a, c - a).norm(),
                    5.);
        }
  }
} // namespace
