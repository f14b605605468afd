#include "fem/mesh_cases.h"

#include "test.h"

#include "wall_fibres.h"
#include <tessera/forms/laplace.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <cmath>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  using Direction         = std::array<double, 3>;
  using Directions        = std::array<double, 6>; // of fibre and sheet
  const std::string fibre = "Diffusion/Fibre/";

  struct RuleParameters : Parameters
  {
    RuleParameters()
    {
      declare_discretization(*this);
      LinearSolver::declare(*this);
      WallFibres<3>::declare(*this, "Diffusion/Fibre");
      set("Mesh/Initial refinement", "0");
    }
  };

  WallFibres<3>
  rule_of(const Parameters &parameters)
  {
    return WallFibres<3>(parameters, "Diffusion/Fibre");
  }

  /// A case whose mesh gets fibres by the rule.
  struct Wall
  {
    std::vector<Directions>
    directions(const Backend backend)
    {
      d.backend              = backend;
      d.entry.problem.degree = 2;
      const auto result      = rule_of(parameters).directions(d, laplace());
      EXPECT_EQ(d.entry.problem.degree, 2);
      return result;
    }

    RuleParameters parameters;
    LinearSolver solver{parameters};
    Discretization<3> d{parameters, solver};
    Mesh<3> &mesh = d.mesh();
  };

  template <class A, class B>
  double
  product(const A &a, const B &b)
  {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }

  void
  expect_near(const Directions &a, const Direction &b)
  {
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(a[d], b[d], 1e-12);
  }


  /// Fibres inside rise counterclockwise, as seen from the base.
  TEST(WallFibres, OfOneDirectionThroughTheWall)
  {
    const Direction up = {{0, 0, 2}}, out = {{3, 0, 0}};
    const double a = M_PI / 3;
    expect_near(wall_fibre(out, up, 0), {{0, 1, 0}});
    expect_near(wall_fibre(out, up, a), {{0, std::cos(a), std::sin(a)}});
    expect_near(wall_fibre({{0, 1, 0}}, up, -a),
                {{-std::cos(a), 0, -std::sin(a)}});
    expect_near(wall_fibre({{1, 0, 1}}, up, M_PI / 2),
                {{-std::sqrt(0.5), 0, std::sqrt(0.5)}});
    // At an apex, something at right angles to the wall must do.
    const Directions at_apex = wall_fibre({{0, 0, -1}}, up, a);
    EXPECT_NEAR(product(at_apex, at_apex), 1, 1e-12);
    EXPECT_NEAR(at_apex[2], 0, 1e-12);
    expect_near(wall_fibre({}, up, a), {});
    // Without an angle, sheets go through the wall.
    for (const double b : {0., 0.3, -1.2})
      {
        const Directions both = wall_fibre(out, up, a, b);
        expect_near(both, {{0, std::cos(a), std::sin(a)}});
        EXPECT_NEAR(both[3], std::cos(b), 1e-12);
        EXPECT_NEAR(both[4], -std::sin(a) * std::sin(b), 1e-12);
        EXPECT_NEAR(both[5], std::cos(a) * std::sin(b), 1e-12);
      }
  }


  /// The wall between the confocal spheroids xi = 1.2 and xi = 1.6 with the
  /// foci (0, 0, -1) and (0, 0, 1), where xi is half the sum of the distances
  /// from the foci. The solution of Laplace's equation depends on xi alone:
  ///   Q(xi) = log((xi + 1) / (xi - 1)) / 2 times a number plus another one.
  struct Spheroids
  {
    static constexpr double inner = 1.2, outer = 1.6;

    static double
    xi(const dealii::Point<3> &x)
    {
      const dealii::Point<3> focus(0, 0, 1);
      return (x.distance(focus) + (x + focus).norm()) / 2;
    }

    static double
    Q(const double xi)
    {
      return std::log((xi + 1) / (xi - 1)) / 2;
    }

    static Directions
    fibre(const dealii::Point<3> &x)
    {
      const double at = xi(x), a = at * at - 1,
                   d = (Q(at) - Q(inner)) / (Q(outer) - Q(inner));
      return wall_fibre({{x[0] / a, x[1] / a, x[2] / (at * at)}}, {{0, 0, 1}},
                        M_PI / 3 * (1 - 2 * d));
    }

    /// Makes the wall from a shell between spheres of these radii.
    static void
    make(Mesh<3> &mesh, const std::string &type, const int refinement)
    {
      MeshParameters parameters;
      parameters.set("Mesh/Grid name", "hyper_shell");
      parameters.set("Mesh/Grid arguments", "0, 0, 0 : 1.2 : 1.6 : 6 : true");
      parameters.set("Mesh/Dimension", "3");
      parameters.set("Mesh/Cell type", type);
      parameters.set("Mesh/Initial refinement", std::to_string(refinement));
      make_mesh(mesh, parameters);
      dealii::GridTools::transform(
        [](const dealii::Point<3> &p) {
          const double r = p.norm(), across = std::sqrt(1 - 1 / (r * r));
          return dealii::Point<3>(across * p[0], across * p[1], p[2]);
        },
        mesh.triangulation());
    }
  };

  /// Returns the root mean square of the angles between computed fibres and
  /// exact ones at the centres of cells that are not close to the axis. All
  /// fibres must be of unit length and in the tangential plane.
  double
  error_of_fibres(const Backend backend, const std::string &type,
                  const int refinement)
  {
    Wall wall;
    const Mesh<3> &mesh = wall.mesh;
    Spheroids::make(wall.mesh, type, refinement);
    wall.parameters.set(fibre + "Left endocardium", "0");
    wall.parameters.set(fibre + "Epicardium", "1");
    const auto fibres = wall.directions(backend);
    EXPECT_EQ(fibres.size(), mesh.triangulation().n_active_cells());
    double sum = 0;
    int n      = 0;
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      {
        const Directions &found = fibres[cell->active_cell_index()];
        EXPECT_NEAR(product(found, found), 1, 1e-12);
        const auto x = cell->center();
        if (std::hypot(x[0], x[1]) < 0.2)
          continue;
        const double cosine = product(found, Spheroids::fibre(x));
        sum += std::pow(std::acos(std::min(std::abs(cosine), 1.)), 2);
        ++n;
      }
    return std::sqrt(sum / n);
  }


  TEST(WallFibres, BetweenSpheroids)
  {
    const double degree = M_PI / 180;
    for (const Backend backend : test::backends())
      {
        SCOPED_TRACE(to_string(backend));
        for (const std::string type : {"hexahedron", "tetrahedron"})
          {
            SCOPED_TRACE(type);
            const double coarse  = error_of_fibres(backend, type, 2),
                         fine    = error_of_fibres(backend, type, 3);
            const bool hexahedra = type == "hexahedron";
            EXPECT_LT(fine, (hexahedra ? 2 : 3.5) * degree);
            EXPECT_GT(std::log2(coarse / fine), hexahedra ? 1.9 : 1.35);
          }
      }
  }


  /// Three boxes between two surfaces each, where everything is linear: the
  /// septum between the ventricles, the right wall and the left wall.
  TEST(WallFibres, OfTwoVentricles)
  {
    Wall wall;
    Mesh<3> &mesh = wall.mesh;
    dealii::Triangulation<3> boxes[3], two;
    for (int i = 0; i < 3; ++i)
      dealii::GridGenerator::subdivided_hyper_rectangle(
        boxes[i], {4, 2, 2}, dealii::Point<3>(3 * i, 0, 0),
        dealii::Point<3>(3 * i + 1, 1, 1));
    dealii::GridGenerator::merge_triangulations(boxes[0], boxes[1], two);
    dealii::GridGenerator::merge_triangulations(two, boxes[2],
                                                mesh.triangulation());
    mesh.source = "test mesh";
    // Ids of the sides of small and large x: 1 left, 2 right, 3 epicardium.
    const int sides[3][2] = {{1, 2}, {2, 3}, {3, 1}};
    for (const auto &face : mesh.triangulation().active_face_iterators())
      for (int i = 0; i < 3; ++i)
        for (const int side : {0, 1})
          if (std::abs(face->center()[0] - (3 * i + side)) < 1e-10)
            face->set_boundary_id(sides[i][side]);

    Parameters &parameters = wall.parameters;
    parameters.set(fibre + "Left endocardium", "1");
    parameters.set(fibre + "Right endocardium", "2");
    parameters.set(fibre + "Epicardium", "3");
    parameters.set(fibre + "Endocardial angle", "50");
    parameters.set(fibre + "Epicardial angle", "-70");
    parameters.set(fibre + "Endocardial sheet angle", "20");
    parameters.set(fibre + "Epicardial sheet angle", "-30");
    for (const Backend backend : test::backends())
      {
        const auto fibres = wall.directions(backend);
        for (const auto &cell : mesh.triangulation().active_cell_iterators())
          {
            const int box     = static_cast<int>(cell->center()[0] / 3);
            const double x    = cell->center()[0] - 3 * box;
            const bool inward = box == 2; // the direction of x
            const double d    = inward ? 1 - x : x;
            const double a    = M_PI / 180 * (50 - 120 * d);
            const auto &found = fibres[cell->active_cell_index()];
            EXPECT_NEAR(found[0], 0, 1e-7);
            EXPECT_NEAR(found[1], (inward ? -1 : 1) * std::cos(a), 1e-7);
            EXPECT_NEAR(found[2], std::sin(a), 1e-7);
            const double b = M_PI / 180 * (20 - 50 * d), t = inward ? -1 : 1;
            EXPECT_NEAR(found[3], t * std::cos(b), 1e-7);
            EXPECT_NEAR(found[4], -t * std::sin(b) * found[2], 1e-7);
            EXPECT_NEAR(found[5], t * std::sin(b) * found[1], 1e-7);
          }
      }
  }


  /// Where all nodes are on surfaces, nothing is left to solve.
  TEST(WallFibres, OfAWallOfOneCell)
  {
    Wall wall;
    dealii::GridGenerator::subdivided_hyper_rectangle(
      wall.mesh.triangulation(), {1, 2, 2}, dealii::Point<3>(),
      dealii::Point<3>(0.5, 1, 1), true);
    wall.parameters.set(fibre + "Left endocardium", "0");
    wall.parameters.set(fibre + "Epicardium", "1");
    wall.parameters.set(fibre + "Endocardial angle", "50");
    wall.parameters.set(fibre + "Epicardial angle", "-70");
    const double a = -10 * M_PI / 180;
    for (const Directions &found : wall.directions(Backend::host))
      expect_near(found, {{0, std::cos(a), std::sin(a)}});
  }


  TEST(WallFibres, WhatTheyNeed)
  {
    Wall wall;
    Parameters &parameters = wall.parameters;
    const auto error = [&]() { return error_of([&] { rule_of(parameters); }); };
    expect_contains(error(), "2 'Diffusion/Fibre/Left endocardium' is empty");
    parameters.set(fibre + "Left endocardium", "0");
    expect_contains(error(), "2 'Diffusion/Fibre/Epicardium' is empty");
    parameters.set(fibre + "Epicardium", "7");
    parameters.set(fibre + "Axis", "0, 0, 0");
    expect_contains(error(), "2 'Diffusion/Fibre/Axis' is 0, 0, 0");
    parameters.set(fibre + "Axis", "0, 0, 1");

    Spheroids::make(wall.mesh, "hexahedron", 1);
    const auto error_on_mesh = [&]() {
      return error_of([&] { wall.directions(Backend::host); });
    };
    expect_contains(error_on_mesh(),
                    "3 The boundary '7' of 'Diffusion/Fibre/Epicardium' does "
                    "not exist");
    parameters.set(fibre + "Epicardium", "1, 0");
    expect_contains(error_on_mesh(),
                    "3 The boundary '0' is named by 'Diffusion/Fibre/Left "
                    "endocardium' and by 'Epicardium'");

    // A part without one of the surfaces.
    dealii::Triangulation<3> shell, box;
    shell.copy_triangulation(wall.mesh.triangulation());
    dealii::GridGenerator::subdivided_hyper_rectangle(
      box, {2, 2, 2}, dealii::Point<3>(3, 0, 0), dealii::Point<3>(4, 1, 1));
    wall.mesh.triangulation().clear();
    dealii::Triangulation<3> flat_shell;
    dealii::GridGenerator::flatten_triangulation(shell, flat_shell);
    dealii::GridGenerator::merge_triangulations(flat_shell, box,
                                                wall.mesh.triangulation());
    wall.mesh.source = "test mesh";
    for (const auto &face : wall.mesh.triangulation().active_face_iterators())
      if (face->at_boundary())
        {
          const auto x = face->center();
          face->set_boundary_id(x[0] > 2.9                ? 2
                                : Spheroids::xi(x) > 1.35 ? 1
                                                          : 0);
        }
    parameters.set(fibre + "Epicardium", "1");
    expect_contains(error_on_mesh(),
                    "has a part that is not between the boundaries of "
                    "'Diffusion/Fibre'");
  }
} // namespace
