#include <tessera/base/error.h>
#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/matrix/vertex_prolongation.h>
#include <tessera/preconditioners/geometric_levels.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>

#include "../../source/preconditioners/lattice_transfer.h"
#include "array_meshes.h"
#include "preconditioner_checks.h"

// Tests spaces of lower degree and of larger cells, the way to them, and the
// cycles over them.
namespace tessera
{
  using namespace test;

  namespace
  {
    using SpacePointer = std::shared_ptr<const Space>;

    /// Returns the space of random boxes that are divided `levels` times, with
    /// given values on two boundaries. Later components of nodes with several
    /// are given where the first one is free, too.
    SpacePointer
    divided_boxes(const CellType type, const int degree, const int levels,
                  const int n_components = 1, const int n_boxes = 3,
                  const bool distorted = true)
    {
      MeshArrays mesh = random_arrays(type, n_boxes, n_boxes - 1, 1);
      if (!distorted)
        {
          const Connectivity boxes =
            generated_mesh(type, 1, n_boxes, n_boxes - 1, 1, true, 0.);
          mesh = make_arrays(type, boxes.cell_vertices, boxes.vertices);
        }
      auto boundary = mesh.boundary.to_vector();
      for (std::size_t i = 0; i < boundary.size(); ++i)
        boundary[i].id = i % 6;
      mesh.boundary.copy_from(boundary);
      for (int l = 0; l < levels; ++l)
        mesh = refine(mesh);
      const ElementNodes nodes = number(mesh, degree);
      const auto on_0 = nodes_on_boundaries(mesh, nodes, {0}).to_vector();
      const auto on_1 = nodes_on_boundaries(mesh, nodes, {1}).to_vector();
      std::vector<char> given;
      for (int i = 0; i < nodes.n_nodes; ++i)
        for (int c = 0; c < n_components; ++c)
          given.push_back(on_0[i] ||
                          (on_1[i] && (n_components == 1 || c == 1)));
      return std::make_shared<const Space>(
        build_space(connectivity(mesh, nodes, given, n_components)));
    }

    std::vector<Position>
    positions(const Space &space)
    {
      const auto x = node_positions(space);
      std::vector<Position> result(space.n_owned, Position{0, 0, 0});
      for (int i = 0; i < space.n_owned; ++i)
        std::copy_n(&x[std::size_t(i) * space.dim()], space.dim(),
                    result[i].begin());
      return result;
    }

    /// Returns the coarser spaces of a space of degree p on cells that were
    /// divided: those of lower degrees and one of parents.
    std::vector<CoarserSpace>
    coarser_spaces(const Space &finer)
    {
      std::vector<CoarserSpace> result;
      for (int p = 1; p <= std::min(2, finer.degree - 1); ++p)
        result.push_back(lower_degree(finer, p));
      if (finer.degree == 1)
        result.push_back(parent_space(finer));
      return result;
    }

    template <class Number>
    LatticeTransfer<Number>
    transfer_to(const Space &finer, const CoarserSpace &coarser,
                const Backend backend)
    {
      return {
        finer, *coarser.space,
        std::make_shared<const LatticeMap>(make_lattice_map(coarser, backend))};
    }

    /// Returns P, row by row.
    template <class Number>
    std::vector<std::vector<double>>
    prolongation(const LatticeTransfer<Number> &transfer, const Space &finer,
                 const Space &coarser, const Backend backend)
    {
      const int n      = finer.n_owned * finer.n_components;
      const int m      = coarser.n_owned * coarser.n_components;
      const int n_tail = coarser.n_tail() * coarser.n_components;
      std::vector<std::vector<double>> rows(n, std::vector<double>(m));
      for (int j = 0; j < m; ++j)
        {
          Vector<Number> x(backend, n, 1), unit(backend, m, n_tail);
          std::vector<Number> values(m + n_tail, Number(0));
          values[j] = 1;
          unit.copy_from(values);
          transfer.prolongate(x, unit, {});
          const auto column = x.to_vector();
          for (int i = 0; i < n; ++i)
            rows[i][j] = column[i];
        }
      return rows;
    }

    template <class Number>
    SparseMatrix
    matrix_of(const SpacePointer &space, const Form &form)
    {
      const Problem<Number> problem(space, Backend::host);
      const auto A = problem.make_operator("csr", form);
      return to_host(
        copy_rows(dynamic_cast<const RowOperator<Number> &>(*A).matrix(),
                  space->n_owned * space->n_components));
    }

    Form
    form_of(const Space &space)
    {
      return space.n_components > 1
               ? elasticity(isotropic_stiffness(space.dim(), 2., 0.3))
               : laplace(anisotropic(space.dim()));
    }

    /// Returns a number for each cell of a space, from 1 to `contrast`.
    Coefficient
    random_cells(const Space &space, const double contrast)
    {
      Coefficient result{Coefficient::Kind::per_cell, 1, {}};
      RandomSequence random(5);
      for (int c = 0; c < space.n_cells(); ++c)
        result.values.push_back(1 + (contrast - 1) * random.below(1000) / 1e3);
      return result;
    }

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

  TEST(CoarserSpaces, FunctionsAreThoseOfTheFinerSpace)
  {
    for (const CellType type : {CellType::quadrilateral, CellType::hexahedron})
      for (const int degree : {1, 2, 3, 4})
        {
          // Nothing is given, so that functions are not cut at boundaries.
          MeshArrays mesh          = random_arrays(type, 2, 2, 1);
          mesh                     = refine(mesh);
          const ElementNodes nodes = number(mesh, degree);
          const Space finer        = build_space(
                   connectivity(mesh, nodes, std::vector<char>(nodes.n_nodes, 0), 1));
          for (const CoarserSpace &coarser : coarser_spaces(finer))
            {
              SCOPED_TRACE(to_string(type) + ", degree " +
                           std::to_string(degree) + " to " +
                           std::to_string(coarser.space->degree));
              // The functions of cells that are not parallelepipeds contain
              // linear ones.
              const auto f = [](const Position &x) {
                return 1 + 2 * x[0] - 3 * x[1] + x[2];
              };
              const auto transfer =
                transfer_to<double>(finer, coarser, Backend::host);
              const auto at_coarser = positions(*coarser.space);
              Vector<double> u(Backend::host, coarser.space->n_owned,
                               coarser.space->n_tail());
              std::transform(at_coarser.begin(), at_coarser.end(), u.data(), f);
              Vector<double> x(Backend::host, finer.n_owned, finer.n_tail());
              transfer.prolongate(x, u, {});
              const auto at = positions(finer);
              for (int i = 0; i < finer.n_owned; ++i)
                ASSERT_NEAR(x.data()[i], f(at[i]), 1e-12) << i;
            }
        }
  }

  TEST(CoarserSpaces, MatricesAreGalerkinProducts)
  {
    for (const Backend backend : backends())
      for (const CellType type :
           {CellType::quadrilateral, CellType::hexahedron})
        for (const int degree : {1, 2, 3, 4})
          for (const int n_components : {1, dimension(type)})
            {
              if (degree > 2 &&
                  (n_components > 1 || type == CellType::hexahedron))
                continue;
              SCOPED_TRACE(to_string(backend) + ", " + to_string(type) +
                           ", degree " + std::to_string(degree) + ", " +
                           std::to_string(n_components) + " components");
              // On parallelepipeds coarser functions are finer ones.
              const SpacePointer finer =
                divided_boxes(type, degree, 1, n_components, 3, false);
              const Form form = form_of(*finer);
              const auto A    = matrix_of<double>(finer, form);
              for (const CoarserSpace &coarser : coarser_spaces(*finer))
                {
                  const auto transfer =
                    transfer_to<double>(*finer, coarser, backend);
                  const auto P =
                    prolongation(transfer, *finer, *coarser.space, backend);
                  const auto B = matrix_of<double>(coarser.space, form);
                  const int n = A.n_rows(), m = B.n_rows();
                  const auto times = [](const SparseMatrix &matrix,
                                        const std::vector<double> &x) {
                    std::vector<double> y(matrix.n_rows(), 0.);
                    for (int i = 0; i < matrix.n_rows(); ++i)
                      for (auto k = matrix.pattern.row_start[i];
                           k < matrix.pattern.row_start[i + 1]; ++k)
                        y[i] += matrix.values[k] * x[matrix.pattern.columns[k]];
                    return y;
                  };
                  std::vector<char> fixed(m, 0);
                  for (const int entry : coarser.space->fixed)
                    fixed[entry] = 1;
                  // Functions of given components are zero in a cycle.
                  for (int j = 0; j < m; ++j)
                    {
                      if (fixed[j] != 0)
                        continue;
                      std::vector<double> column(n), unit(m, 0.);
                      unit[j] = 1;
                      for (int i = 0; i < n; ++i)
                        column[i] = P[i][j];
                      const auto AP       = times(A, column),
                                 expected = times(B, unit);
                      for (int i = 0; i < m; ++i)
                        {
                          double sum = 0;
                          for (int k = 0; k < n; ++k)
                            sum += P[k][i] * AP[k];
                          if (fixed[i] != 0)
                            continue;
                          ASSERT_NEAR(sum, expected[i], 1e-11) << i << ' ' << j;
                        }
                    }
                }
            }
  }

  template <class Number>
  void
  expect_transposed(const Backend backend)
  {
    for (const CellType type : {CellType::quadrilateral, CellType::hexahedron})
      for (const int degree : {1, 2, 3, 4})
        for (const int n_components : {1, dimension(type)})
          {
            const SpacePointer finer =
              divided_boxes(type, degree, degree < 3 ? 2 : 1, n_components);
            for (const CoarserSpace &coarser : coarser_spaces(*finer))
              {
                const Space &space = *coarser.space;
                const auto transfer =
                  transfer_to<Number>(*finer, coarser, backend);
                const int n = finer->n_owned * n_components,
                          m = space.n_owned * n_components;
                Vector<Number> x(backend, n, 1), r(backend, n, 1),
                  u(backend, m, space.n_tail() * n_components),
                  b(backend, m, 0);
                auto values = random_values<Number>(n + 1, 1);
                r.copy_from(values);
                values = random_values<Number>(m, 2);
                for (const int entry : space.fixed)
                  values[entry] = 0; // as on coarse levels
                values.resize(u.size(), Number(0));
                u.copy_from(values);
                transfer.prolongate(x, u, {});
                transfer.restrict_to(b, r, {});
                const auto Pu = owned_values(x), ru = owned_values(r),
                           Pr = owned_values(b), uu = owned_values(u);
                const double size = std::sqrt(dot(Pu, Pu) * dot(ru, ru));
                EXPECT_GT(dot(Pu, Pu), 0.);
                EXPECT_NEAR(dot(Pu, ru), dot(uu, Pr),
                            100 * std::numeric_limits<Number>::epsilon() *
                              size);
                for (const int entry : finer->fixed)
                  EXPECT_EQ(Pu[entry], Number(0));
                for (const int entry : space.fixed)
                  EXPECT_EQ(Pr[entry], Number(0));
              }
          }
  }

  TEST(CoarserSpaces, RestrictionIsTheTranspose)
  {
    for (const Backend backend : backends())
      {
        expect_transposed<double>(backend);
        expect_transposed<float>(backend);
      }
  }

  TEST(CoarserSpaces, CoefficientsAreMeans)
  {
    const SpacePointer finer =
      divided_boxes(CellType::quadrilateral, 1, 2, 1, 3);
    const CoarserSpace parents = parent_space(*finer);
    const Coefficient k        = random_cells(*finer, 10);
    Coefficient by_point{Coefficient::Kind::per_quadrature_point, 1, {}};
    for (const double value : k.values) // Gauss's weights are equal
      by_point.values.insert(by_point.values.end(),
                             {value - 0.5, value + 0.25, value, value + 0.25});
    for (const Coefficient *const of_finer :
         {&k, static_cast<const Coefficient *>(&by_point)})
      {
        const Coefficient mean = mean_of_children(*of_finer, *finer, parents);
        ASSERT_EQ(int(mean.values.size()), parents.space->n_cells());
        for (int c = 0; c < parents.space->n_cells(); ++c)
          {
            double sum = 0;
            for (int f = 0; f < finer->n_cells(); ++f)
              if (finer->mesh_cell[f] / 4 == parents.space->mesh_cell[c])
                sum += k.values[f];
            EXPECT_NEAR(mean.values[c], sum / 4, 1e-13);
          }
      }
    EXPECT_EQ(mean_of_children(anisotropic(), *finer, parents).values,
              anisotropic().values);
  }

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
              for (const auto *const made : {&expected, &found})
                ASSERT_EQ(made->levels().front().space->n_constrained,
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
        const auto M = make(), again = make();
        expect_symmetric_and_positive(*M, *A);
        const auto r = random_values<double>(A->n_owned());
        EXPECT_EQ(preconditioned(*M, *A, r), preconditioned(*again, *A, r));
      }
  }

  /// The error of one pass, in the norm of A, beside that of the discretisation
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

  TEST(GeometricLevels, RefuseWhatTheyDoNotKnow)
  {
    const auto refusal = [](const SpacePointer &space, const Form *const form,
                            const OptionValues &more = {}) -> std::string {
      const Problem<double> problem(space, Backend::host);
      const auto A          = problem.make_operator("csr", laplace());
      OptionValues options  = more;
      options["Coarsening"] = "geometric";
      if (form == nullptr) // the matrix is that of the rows
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
    const auto coarse = divided_boxes(CellType::quadrilateral, 1, 0, 1, 8);
    EXPECT_NE(refusal(coarse, &form).find("There is no coarser space"),
              std::string::npos);
    const auto fine = divided_boxes(CellType::quadrilateral, 1, 5);
    EXPECT_EQ(refusal(fine, &form), "");
    EXPECT_NE(refusal(fine, nullptr).find("needs a linear form on a mesh"),
              std::string::npos);
  }
} // namespace tessera
