#include <tessera/base/error.h>
#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/preconditioners/geometric_levels.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>

#include <array>
#include <map>

#include "../../source/preconditioners/lattice_transfer.h"
#include "divided_boxes.h"
#include "preconditioner_checks.h"

// Tests levels that are spaces, and the cycles over them.
namespace tessera
{
  using namespace test;

  namespace
  {
    struct Iterations
    {
      int n;
      int n_levels;
    };

    template <class Number>
    Iterations
    solve(const SpacePointer &space, const Form &form, const Backend backend,
          const std::string &name = "matrix_free")
    {
      const Problem<Number> problem(space, backend);
      const auto A = problem.make_operator(name, form);
      const auto M = problem.make_preconditioner(
        "multigrid", *A, {{"Coarsening", "geometric"}}, &form);
      Vector<Number> x = A->make_vector();
      auto b           = random_values<Number>(A->n_owned());
      for (const int entry : space->fixed)
        b[entry] = 0;
      CGControl control;
      control.relative_tolerance = std::is_same_v<Number, float> ? 1e-5 : 1e-9;
      const CGResult result =
        CG<Number>(*A, *M).solve(x, make_vector(*A, b), control);
      EXPECT_TRUE(result.converged);
      return {result.iterations, int(std::get<std::int64_t>(
                                   M->parameters().at("multigrid_levels")))};
    }
  } // namespace

  /// Both ways number nodes in different orders: entries are compared after
  /// they were sorted.
  TEST(GeometricLevels, DevicesMakeThoseOfTheHost)
  {
    for (const CellType type : {CellType::quadrilateral, CellType::hexahedron})
      for (const int degree : {1, 2, 3, 4})
        {
          if (is_watched() && type == CellType::hexahedron && degree > 2)
            continue; // no kernels
          const int levels = (type == CellType::hexahedron ? 3 : 5) -
                             (degree > 1) - is_watched();
          const auto space = divided_boxes(type, degree, levels);
          Coefficient k    = random_cells(*space, 5);
          if (degree == 2)
            {
              k.kind = Coefficient::Kind::per_quadrature_point;
              k.values.clear();
              RandomSequence random(7);
              for (int i = 0; i < space->n_cells() * space->points_per_cell();
                   ++i)
                k.values.push_back(1 + random.below(100) / 100.);
            }
          const Form form = laplace(k);
          for (const Backend backend : backends())
            {
              SCOPED_TRACE(to_string(backend) + ", " + to_string(type) +
                           ", degree " + std::to_string(degree));
              GeometricLevelsOptions by_host;
              by_host.max_coarsest             = 10;
              by_host.conflict                 = Conflict::coloring;
              GeometricLevelsOptions by_device = by_host;
              by_device.conflict               = default_conflict(backend);
              const GeometricLevels expected(space, form, Backend::host,
                                             by_host),
                found(space, form, backend, by_device);
              ASSERT_EQ(found.levels().size(), expected.levels().size());
              EXPECT_EQ(found.levels().back().cells != nullptr,
                        backend == Backend::cuda);
              const auto sorted = [](Vector<double> values) {
                auto result = owned_values(values);
                std::sort(result.begin(), result.end());
                return result;
              };
              auto r = random_values<double>(space->n_owned);
              for (const auto *const hierarchy : {&expected, &found})
                ASSERT_EQ(hierarchy->levels().front().space->n_constrained,
                          expected.levels().front().space->n_constrained);
              Vector<double> at_host(Backend::host, space->n_owned, 0),
                there(backend, space->n_owned, 0);
              at_host.copy_from(r);
              there.copy_from(r);
              const Space *finer_host = space.get(), *finer = space.get();
              for (std::size_t l = 0; l < found.levels().size(); ++l)
                {
                  const GeometricLevel &a = expected.levels()[l],
                                       &b = found.levels()[l];
                  ASSERT_EQ(a.space->n_owned, b.space->n_owned);
                  ASSERT_EQ(a.space->n_cells(), b.space->n_cells());
                  const auto down = [&](const GeometricLevel &level,
                                        const Space &of, Vector<double> &x) {
                    Vector<double> coarse(x.backend(), level.space->n_owned, 0);
                    LatticeTransfer<double>(of, *level.space, level.map)
                      .restrict_to(coarse, x, {});
                    x = std::move(coarse);
                  };
                  const auto diagonal = [&](const GeometricLevel &level,
                                            const Backend where) {
                    AssemblyOptions options;
                    options.conflict = default_conflict(where);
                    const auto A     = make_operator<double>(
                      "matrix_free",
                      level.cells ? level.cells
                                      : std::make_shared<const CellData<double>>(
                                      level.space, where),
                      level.form, options);
                    Vector<double> d = A->make_vector();
                    A->diagonal(d);
                    return d;
                  };
                  down(a, *finer_host, at_host);
                  down(b, *finer, there);
                  finer_host         = a.space.get();
                  finer              = b.space.get();
                  const auto compare = [&](const std::vector<double> &x,
                                           const std::vector<double> &y) {
                    for (std::size_t i = 0; i < x.size(); ++i)
                      ASSERT_NEAR(x[i], y[i], 1e-11) << "level " << l;
                  };
                  auto b_host  = owned_values(at_host),
                       b_there = owned_values(there);
                  std::sort(b_host.begin(), b_host.end());
                  std::sort(b_there.begin(), b_there.end());
                  compare(b_host, b_there);
                  compare(sorted(diagonal(a, Backend::host)),
                          sorted(diagonal(b, backend)));
                }
            }
        }
  }

  TEST(GeometricLevels, IterationsDoNotGrow)
  {
    for (const Backend backend : backends())
      for (const CellType type :
           {CellType::quadrilateral, CellType::hexahedron})
        {
          const bool plane = type == CellType::quadrilateral;
          for (const int degree : {1, 2, 4})
            {
              if (!plane && (is_watched() || degree > 2))
                continue;
              SCOPED_TRACE(to_string(backend) + ", " + to_string(type) +
                           ", degree " + std::to_string(degree));
              const int levels =
                (plane ? 6 : 4) - (degree > 1) - (degree > 2) - is_watched();
              const auto small    = divided_boxes(type, degree, levels - 1),
                         large    = divided_boxes(type, degree, levels);
              const Form form     = laplace(Coefficient::scalar(3.));
              const auto of_small = solve<double>(small, form, backend),
                         of_large = solve<double>(large, form, backend);
              EXPECT_LE(of_large.n, 9);
              EXPECT_LE(of_large.n, of_small.n + 1);
              EXPECT_GE(of_large.n_levels, degree > 1 ? 3 : 2);
            }
        }
  }

  TEST(GeometricLevels, ServeCoefficientsReactionsAndComponents)
  {
    const auto plane =
      divided_boxes(CellType::quadrilateral, 2, 4 - is_watched());
    EXPECT_LE(solve<double>(plane, laplace(random_cells(*plane, 5)),
                            Backend::host, "csr")
                .n,
              9);
    Coefficient k_and_c{Coefficient::Kind::uniform, 4, {1, 0, 1, 50}};
    EXPECT_LE(
      solve<double>(plane, reaction_diffusion(k_and_c), Backend::host).n, 9);
    EXPECT_LE(solve<float>(plane, laplace(), Backend::host).n, 6);
    const auto body =
      divided_boxes(CellType::hexahedron, 1, 3 - is_watched(), 3);
    EXPECT_LE(solve<double>(body, form_of(*body), Backend::host).n, 11);
    const auto plate =
      divided_boxes(CellType::quadrilateral, 2, 4 - is_watched(), 2);
    EXPECT_LE(solve<double>(plate, form_of(*plate), Backend::host).n, 12);
  }

  TEST(GeometricLevels, CyclesAreSymmetricAndRepeat)
  {
    const auto space =
      divided_boxes(CellType::quadrilateral, 2, 4 - 2 * is_watched());
    const Form form = laplace(random_cells(*space, 5));
    const Problem<double> problem(space, Backend::host);
    const auto A = problem.make_operator("matrix_free", form);
    for (const std::string cycle : {"V", "W"})
      {
        const auto make = [&]() {
          return problem.make_preconditioner(
            "multigrid", *A, {{"Coarsening", "geometric"}, {"Cycle", cycle}},
            &form);
        };
        const auto M = make(), second_M = make();
        expect_symmetric_and_positive(*M, *A);
        const auto r = random_values<double>(A->n_owned());
        EXPECT_EQ(preconditioned(*M, *A, r), preconditioned(*second_M, *A, r));
      }
  }

  /// The error of one pass, in the norm of A, beside the discretisation error
  /// of a smooth solution, which falls by 2^p with each refinement.
  TEST(GeometricLevels, FullMultigridSolvesToTheDiscretisationError)
  {
    for (const Backend backend : backends())
      for (const int degree : {1, 2})
        {
          SCOPED_TRACE(to_string(backend) + ", degree " +
                       std::to_string(degree));
          std::vector<double> errors;
          for (const int levels : {5, 6})
            {
              const auto space = divided_boxes(CellType::quadrilateral, degree,
                                               levels - (degree > 1));
              const Form form  = laplace();
              const Problem<double> problem(space, backend);
              const auto A = problem.make_operator("matrix_free", form);
              const auto M = problem.make_preconditioner(
                "multigrid", *A,
                {{"Coarsening", "geometric"}, {"Start", "full_multigrid"}},
                &form);
              const auto b = problem.right_hand_side(Coefficient::scalar(1));
              Vector<double> x = A->make_vector(), u = A->make_vector(),
                             Ad = A->make_vector(), d = A->make_vector();
              CGControl control;
              control.relative_tolerance = 1e-12;
              ASSERT_TRUE(CG<double>(*A, *M).solve(u, b, control).converged);
              ASSERT_TRUE(M->set_start(x, b, {}));
              const auto uu = owned_values(u), xx = owned_values(x);
              std::vector<double> dd(uu.size());
              for (std::size_t i = 0; i < dd.size(); ++i)
                dd[i] = uu[i] - xx[i];
              d = make_vector(*A, dd);
              A->vmult(Ad, d);
              const double size = dot(uu, owned_values(b));
              errors.push_back(std::sqrt(dot(dd, owned_values(Ad)) / size));
              EXPECT_LT(errors.back(), 0.01 / degree);
            }
          EXPECT_LT(errors[1], 0.75 * errors[0]);
        }
  }

  TEST(GeometricLevels, AggregatesFollowBelowCoarseMeshes)
  {
    // 1600 cells that nobody divided, of degree 2.
    const auto space = divided_boxes(CellType::quadrilateral, 2, 0, 1, 41);
    const GeometricLevels levels(space, laplace(), Backend::host);
    ASSERT_EQ(levels.levels().size(), 1u);
    ASSERT_NE(levels.below(), nullptr);
    EXPECT_LE(solve<double>(space, laplace(), Backend::host).n, 9);
  }

  /// Below a strip that is one cell wide and given at all of its vertices there
  /// are no free nodes of degree 1, and below cells that nobody divided there
  /// is no space at all.
  TEST(GeometricLevels, AggregatesServeWhereThereIsNoCoarserSpace)
  {
    const Connectivity strip =
      generated_mesh(CellType::quadrilateral, 2, 300, 1, 1);
    for (const auto &space :
         {std::make_shared<const Space>(build_space(strip)),
          divided_boxes(CellType::quadrilateral, 1, 0, 1, 30),
          divided_boxes(CellType::quadrilateral, 1, 1)})
      for (const Backend backend : backends())
        {
          GeometricLevelsOptions options;
          options.conflict = default_conflict(backend);
          EXPECT_TRUE(GeometricLevels(space, laplace(), backend, options)
                        .levels()
                        .empty());
          const Problem<double> problem(space, backend);
          const auto A    = problem.make_operator("matrix_free", laplace());
          const Form form = laplace();
          const auto M    = problem.make_preconditioner(
               "multigrid", *A, {{"Coarsening", "geometric"}}, &form);
          EXPECT_EQ(
            std::get<std::string>(M->parameters().at("multigrid_levels_by")),
            "mis2");
          expect_symmetric_and_positive(*M, *A);
        }
  }

  /// A block with a rod, given at the whole boundary: the last space has one
  /// free node and more given ones than the finer space has free ones.
  TEST(GeometricLevels, TheLastSpaceMayHaveMoreNodesThanTheFinerOne)
  {
    std::map<std::array<int, 3>, int> number;
    std::vector<int> cells;
    std::vector<double> points;
    const auto add = [&](const int x, const int y, const int z) {
      for (int v = 0; v < 8; ++v)
        {
          const std::array<int, 3> at = {x + (v & 1), y + (v >> 1 & 1),
                                         z + (v >> 2)};
          const auto [place, is_new]  = number.insert({at, number.size()});
          cells.push_back(place->second);
          if (is_new)
            points.insert(points.end(), at.begin(), at.end());
        }
    };
    for (int c = 0; c < 8; ++c)
      add(c & 1, c >> 1 & 1, c >> 2);
    for (int x = 2; x < 302; ++x)
      add(x, 0, 0);
    const MeshArrays mesh    = make_arrays(CellType::hexahedron, cells, points);
    const ElementNodes nodes = tessera::number(mesh, 2);
    const auto given = nodes_on_boundaries(mesh, nodes, {0, 1, 2}).to_vector();
    const auto space = std::make_shared<const Space>(
      build_space(connectivity(mesh, nodes, given)));
    for (const Backend backend : backends())
      {
        EXPECT_LE(solve<double>(space, laplace(), backend).n, 9);
        EXPECT_LE(solve<float>(space, laplace(), backend).n, 9);
      }
  }

  TEST(GeometricLevels, RefuseWhatTheyDoNotKnow)
  {
    const auto refusal = [](const SpacePointer &space, const Form *const form,
                            const OptionValues &more = {}) -> std::string {
      const Problem<double> problem(space, Backend::host);
      const auto A          = problem.make_operator("csr", laplace());
      OptionValues options  = more;
      options["Coarsening"] = "geometric";
      if (form == nullptr) // the rows give the matrix
        options.erase("Aggregates");
      try
        {
          problem.make_preconditioner("multigrid", *A, options, form);
        }
      catch (const ParameterError &error)
        {
          return error.what();
        }
      return "";
    };
    const Form form      = laplace();
    const auto triangles = std::make_shared<const Space>(
      build_space(generated_mesh(CellType::triangle, 2, 4, 4, 1)));
    EXPECT_NE(refusal(triangles, &form).find("quadrilaterals or hexahedra"),
              std::string::npos);
    const auto fine = divided_boxes(CellType::quadrilateral, 1, 5);
    EXPECT_EQ(refusal(fine, &form), "");
    EXPECT_NE(refusal(fine, nullptr).find("needs a linear form on a mesh"),
              std::string::npos);
  }
} // namespace tessera
