#include <tessera/assembly/load_vector.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/assembler.h>

#include "../form_oracle.h"
#include "../operators/cases.h"
#include "nonlinear_diffusion.h"
#include "relaxing_diffusion.h"

// Forms that read the solution and the state of points. They are defined here,
// as programs outside of this project define theirs.
namespace tessera
{
  using namespace test;

  namespace
  {
    double
    tangent(const PointAt &point, const FunctionAt &w, const FunctionAt &v)
    {
      const double u = point.solution.value[0], c = point.k(0);
      double sum = 0;
      for (int a = 0; a < 3; ++a)
        sum += ((1 + c * u * u) * w.gradient[0][a] +
                2 * c * u * w.value[0] * point.solution.gradient[0][a]) *
               v.gradient[0][a];
      return sum;
    }

    /// (1 + c u^2) grad u . grad v is linear in the second factor u: the
    /// residual is the product of this with the solution.
    double
    secant(const PointAt &point, const FunctionAt &w, const FunctionAt &v)
    {
      const double u = point.solution.value[0], c = point.k(0);
      double sum = 0;
      for (int a = 0; a < 3; ++a)
        sum += (1 + c * u * u) * w.gradient[0][a] * v.gradient[0][a];
      return sum;
    }

    /// Whole vectors, [owned | tail], with zero for padding.
    template <class Number = double>
    std::vector<Number>
    random_solution(const Space &space, const unsigned int seed)
    {
      auto u   = random_values<Number>(space.n_local(), seed);
      u.back() = 0;
      return u;
    }

    template <class Number>
    Vector<Number>
    on_backend(const CellData<Number> &cells, const std::vector<Number> &values)
    {
      Vector<Number> vector = cells.make_vector();
      vector.copy_from(values);
      return vector;
    }

    /// The largest degree that the forms here are compiled for
    /// (CMakeLists.txt).
    int
    max_degree()
    {
      return is_watched() ? 1 : 2;
    }

    bool
    is_small(const Space &space)
    {
      return space.degree <= max_degree() &&
             space.n_cells() * space.dofs_per_cell() < 1500;
    }

    double
    norm(const std::vector<double> &values)
    {
      double sum = 0;
      for (const double value : values)
        sum += value * value;
      return std::sqrt(sum);
    }
  } // namespace

  TEST(NonlinearForms, TangentAndResidualAgreeWithADoubleLoop)
  {
    int kind = 0, turn = 0;
    for (const PreparedCase &c : prepared_cases())
      for (const Backend backend : backends())
        {
          const Space &space = *c.space;
          if (!is_small(space))
            continue;
          SCOPED_TRACE(c.name + ", " + to_string(backend));
          Coefficient factor = {
            static_cast<Coefficient::Kind>(kind++ % 3), 1, {}};
          const Coefficient tensor = varying(space, factor.kind);
          for (std::size_t i = 0; i < tensor.values.size();
               i += tensor.n_components)
            factor.values.push_back(tensor.values[i]);
          const auto u = random_solution(space, 11);
          FormOracle jacobian(space, 1, factor, tangent);
          FormOracle residual(space, 1, factor, secant);
          jacobian.solution = residual.solution = u;
          auto x = random_values<double>(space.n_owned, 3);
          x.resize(space.n_local(), 0.);
          std::vector<double> y, y_scale, r, r_scale;
          jacobian.vmult(x, y, y_scale);
          residual.vmult(u, r, r_scale);

          const auto cells =
            std::make_shared<const CellData<double>>(c.space, backend);
          const auto form = std::make_shared<FormData<double>>(
            nonlinear_diffusion(factor), *cells);
          EXPECT_THROW(form->view(), ParameterError);
          const Vector<double> solution = on_backend(*cells, u);
          form->set_solution(solution);
          for (const Conflict conflict : conflicts(backend))
            {
              if (left_out(turn++, 4))
                continue;
              auto sum = cells->make_vector();
              form->add_residual(sum, conflict);
              EXPECT_LT(rounding_units(owned_values(sum), r, r_scale),
                        rounding_limit);
              AssemblyOptions options;
              options.conflict = conflict;
              for (const std::string name :
                   {"matrix_free", "csr", "ell", "local_matrices"})
                {
                  const auto A = make_operator<double>(
                    name, cells, std::shared_ptr<const FormData<double>>(form),
                    options);
                  auto product = A->make_vector();
                  A->vmult(product, on_backend(*cells, x));
                  EXPECT_LT(rounding_units(owned_values(product), y, y_scale),
                            rounding_limit)
                    << name;
                }
            }
        }
  }

  // r(u + h w) - r(u) - h J w is of second order in h.
  TEST(NonlinearForms, TaylorTest)
  {
    for (const CellType type : cell_types)
      for (const Backend backend : backends())
        {
          SCOPED_TRACE(to_string(type) + ", " + to_string(backend));
          const auto space = std::make_shared<const Space>(build_space(
            generated_mesh(type, max_degree(), 2, 3, 2, true, 0.2)));
          const auto cells =
            std::make_shared<const CellData<double>>(space, backend);
          FormData<double> form(nonlinear_diffusion(), *cells);
          const auto u = random_solution(*space, 5);
          auto w       = random_values<double>(space->n_owned, 6);
          w.resize(space->n_local(), 0.);
          const auto residual_at = [&](const double h) {
            auto moved = u;
            for (std::size_t i = 0; i < u.size(); ++i)
              moved[i] += h * w[i];
            const auto solution = on_backend(*cells, moved);
            auto r              = cells->make_vector();
            form.set_solution(solution);
            form.add_residual(r, Conflict::coloring);
            return owned_values(r);
          };
          const auto solution = on_backend(*cells, u);
          form.set_solution(solution);
          const auto A =
            make_operator<double>("csr", cells,
                                  std::shared_ptr<const FormData<double>>(
                                    &form, [](const auto *) {}));
          auto y = A->make_vector();
          A->vmult(y, on_backend(*cells, w));
          const auto slope = owned_values(y), start = residual_at(0);
          const auto remainder = [&](const double h) {
            auto rest = residual_at(h);
            for (std::size_t i = 0; i < rest.size(); ++i)
              rest[i] -= start[i] + h * slope[i];
            return norm(rest);
          };
          const double coarse = remainder(1e-2), fine = remainder(5e-3);
          EXPECT_GT(coarse, 1e-6);
          EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05);
        }
  }

  // -div((1 + u^2) grad u) = f with u = sin(pi x) sin(pi y): the residuals of
  // Newton's method are squared in every step, with one pattern and one set of
  // slots for all of them.
  TEST(NonlinearForms, NewtonConvergesQuadratically)
  {
    constexpr double pi = 3.14159265358979323846;
    const auto space    = std::make_shared<const Space>(
      build_space(generated_mesh(max_degree(), 6, 6)));
    const std::vector<double> points = quadrature_points(*space);
    Coefficient source = {Coefficient::Kind::per_quadrature_point, 1, {}};
    for (std::size_t i = 0; i < points.size(); i += 2)
      {
        const double x = points[i], y = points[i + 1];
        const double u  = std::sin(pi * x) * std::sin(pi * y);
        const double ux = pi * std::cos(pi * x) * std::sin(pi * y);
        const double uy = pi * std::sin(pi * x) * std::cos(pi * y);
        source.values.push_back((1 + u * u) * 2 * pi * pi * u -
                                2 * u * (ux * ux + uy * uy));
      }
    for (const Backend backend : backends())
      {
        const auto cells =
          std::make_shared<const CellData<double>>(space, backend);
        auto b = cells->make_vector();
        add_load_vector(b, *cells, source, Conflict::coloring);
        const auto load = owned_values(b);

        FormData<double> form(nonlinear_diffusion(), *cells);
        std::vector<double> u(space->n_local(), 0.), norms;
        Assembler<double> assembler("csr", cells);
        std::unique_ptr<RowOperator<double>> A;
        for (int step = 0; step < 9; ++step)
          {
            const auto solution = on_backend(*cells, u);
            form.set_solution(solution);
            auto r = cells->make_vector();
            form.add_residual(r, Conflict::coloring);
            auto defect = owned_values(r);
            for (std::size_t i = 0; i < defect.size(); ++i)
              defect[i] = load[i] - defect[i];
            norms.push_back(norm(defect));
            if (norms.back() < 1e-12)
              break;
            if (!A)
              A = assembler.make_operator(form);
            else
              assembler.assemble(*A, form);
            const DenseMatrix inverse = DenseMatrix(*A).inverse();
            for (int i = 0; i < space->n_owned; ++i)
              for (int j = 0; j < space->n_owned; ++j)
                u[i] += inverse(i, j) * defect[j];
          }
        ASSERT_LT(norms.back(), 1e-12);
        ASSERT_GE(norms.size(), 4U);
        // The last step but one that rounding does not disturb.
        const std::size_t k = norms.size() - 2;
        EXPECT_LT(norms[k] / (norms[k - 1] * norms[k - 1]),
                  10 * norms[k - 1] / (norms[k - 2] * norms[k - 2]) + 1);
        EXPECT_LT(norms[k], norms[k - 1] * norms[k - 1] * 100);
        EXPECT_LT(norms[k - 1], 0.2 * norms[k - 2]);
        // And what it converges to is the solution.
        double error = 0;
        for (int c = 0; c < space->n_cells(); ++c)
          for (int v = 0; v < 4; ++v)
            {
              const double *x =
                &space->vertices[2 * space->cell_vertices[4 * c + v]];
              const int p = max_degree(), n1 = p + 1;
              const int corner[] = {0, p, p * n1, n1 * n1 - 1};
              const int dof      = space->cell_dofs[n1 * n1 * c + corner[v]];
              error = std::max(error, std::abs(u[dof] - std::sin(pi * x[0]) *
                                                          std::sin(pi * x[1])));
            }
        EXPECT_LT(error, max_degree() == 1 ? 5e-2 : 5e-3);
      }
  }

  template <class Number>
  void
  check_states()
  {
    const double fraction = 0.25;
    int turn              = 0;
    for (const PreparedCase &c : prepared_cases())
      for (const Backend backend : backends())
        {
          const Space &space = *c.space;
          if (!is_small(space) || left_out(turn++, 4))
            continue;
          SCOPED_TRACE(c.name + ", " + to_string(backend));
          const auto u_as = random_solution<Number>(space, 12);
          const auto u    = as_double(u_as);
          const int nq    = space.points_per_cell();
          std::vector<double> states(std::size_t(space.n_cells()) * nq, 0.);
          FormOracle oracle(space, 1, Coefficient::scalar(fraction),
                            [&](const PointAt &point, const FunctionAt &w,
                                const FunctionAt &v) {
                              double sum = 0;
                              for (int a = 0; a < 3; ++a)
                                sum += (1 + states[point.cell * nq + point.q]) *
                                       w.gradient[0][a] * v.gradient[0][a];
                              return sum;
                            });
          oracle.solution = u;

          const auto cells =
            std::make_shared<const CellData<Number>>(c.space, backend);
          const auto form = std::make_shared<FormData<Number>>(
            relaxing_diffusion(Coefficient::scalar(fraction)), *cells);
          const Vector<Number> solution = on_backend(*cells, u_as);
          form->set_solution(solution);
          const auto A = make_operator<Number>(
            "matrix_free", cells,
            std::shared_ptr<const FormData<Number>>(form));
          auto x = random_values<Number>(space.n_owned, 3);
          x.resize(space.n_local(), Number(0));
          for (int step = 0; step < 3; ++step)
            {
              const std::vector<double> kept = as_double(form->states());
              ASSERT_EQ(kept.size(), states.size());
              for (std::size_t i = 0; i < states.size(); ++i)
                ASSERT_NEAR(kept[i], states[i],
                            5e4 * std::numeric_limits<Number>::epsilon() *
                              (1 + states[i]));
              states = kept;
              std::vector<double> y, scale;
              oracle.vmult(as_double(x), y, scale);
              auto product = A->make_vector();
              A->vmult(product, on_backend(*cells, x));
              EXPECT_LT(rounding_units(owned_values(product), y, scale),
                        rounding_limit);
              form->update_state();
              for (int cell = 0; cell < space.n_cells(); ++cell)
                oracle.for_each_point(
                  cell, [&](const PointAt &point, double, const auto &) {
                    double square = 0;
                    for (const double g : point.solution.gradient[0])
                      square += g * g;
                    double &s = states[cell * nq + point.q];
                    s += fraction * (square - s);
                  });
            }
        }
  }

  TEST(NonlinearForms, StatesOfPointsAreUpdatedAndRead)
  {
    check_states<double>();
    check_states<float>();
  }

  TEST(NonlinearForms, RefuseWhatTheyLack)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(1, 3, 2)));
    const CellData<double> cells(space, Backend::host);
    FormData<double> linear(laplace(), cells);
    auto u = cells.make_vector(), r = cells.make_vector();
    EXPECT_THROW(linear.add_residual(r, Conflict::coloring), ParameterError);
    linear.set_solution(u);
    linear.add_residual(r, Conflict::coloring);
    EXPECT_THROW(linear.update_state(), ParameterError);
    EXPECT_THROW(linear.set_solution(Vector<double>(Backend::host, 3, 1)),
                 std::logic_error);
  }
} // namespace tessera
