#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/matrix/sparse_rows.h>
#include <tessera/matrix/vertex_prolongation.h>
#include <tessera/operators/row_operator.h>
#include <tessera/preconditioners/geometric_levels.h>
#include <tessera/solvers/problem.h>

#include "../../source/preconditioners/lattice_transfer.h"
#include "divided_boxes.h"
#include "preconditioner_checks.h"

// Tests spaces of lower degree and of larger cells, and the way to them.
namespace tessera
{
  using namespace test;

  namespace
  {
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
    /// divided: spaces of lower degrees and one of parents.
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
        const Coefficient mean =
          coarser_coefficient(*of_finer, *finer, parents).mean;
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
    EXPECT_EQ(coarser_coefficient(anisotropic(), *finer, parents).mean.values,
              anisotropic().values);
  }

  TEST(CoarserSpaces, LevelsEndWhereCellsAreStretchedOrCoefficientsJump)
  {
    for (const Backend backend : backends())
      for (const CellType type :
           {CellType::quadrilateral, CellType::hexahedron})
        for (const int degree : {1, 2})
          {
            SCOPED_TRACE(to_string(backend) + ", " + to_string(type) +
                         ", degree " + std::to_string(degree));
            const bool plane = type == CellType::quadrilateral;
            const auto space =
              divided_boxes(type, degree, 4 - degree, 1, 3, false);
            const int n_children = plane ? 4 : 8, n_p = degree - 1,
                      all     = n_p + 4 - degree;
            const auto tensor = [&](const double k00, const double k01) {
              return plane ? Coefficient::tensor(k00, k01, 1)
                           : Coefficient::tensor(k00, k01, 0, 1, 0, 1);
            };
            const auto cells = [&](const double k, const int of, const int n) {
              Coefficient result{Coefficient::Kind::per_cell, 1, {}};
              for (const int cell : space->mesh_cell)
                result.values.push_back(cell / of % n == 0 ? k : 1);
              return laplace(result);
            };
            const auto expect = [&](const Form &form, const Hindrance hindrance,
                                    const int n_levels) {
              GeometricLevelsOptions options;
              options.max_coarsest       = 1;
              options.conflict           = default_conflict(backend);
              options.ends_at_hindrances = true;
              const GeometricLevels levels(space, form, backend, options);
              EXPECT_EQ(levels.hindrance(), hindrance);
              EXPECT_EQ(int(levels.levels().size()), n_levels);
            };
            expect(laplace(), Hindrance::none, all);
            expect(laplace(tensor(5, 0.5)), Hindrance::none, all);
            expect(cells(16, 1, 3), Hindrance::none, all);
            expect(cells(30, 1, 2), Hindrance::jumps, n_p);
            expect(cells(1e6, n_children, 2), Hindrance::jumps, n_p + 1);
            expect(laplace(tensor(100, 0)), Hindrance::stretched, 0);
            expect(laplace(tensor(1, 0.99)), Hindrance::stretched, 0);
            Coefficient k = tensor(1000, 0),
                        points{
                          Coefficient::Kind::per_quadrature_point, 1,
                          std::vector<double>(std::size_t(space->n_cells()) *
                                                space->points_per_cell(),
                                              1.)};
            k.values.push_back(1e9);
            expect(reaction_diffusion({k.kind, k.n_components + 1, k.values}),
                   Hindrance::none, all);
            points.values[5] = 30;
            expect(laplace(points), Hindrance::jumps, 0);
          }
  }
} // namespace tessera
