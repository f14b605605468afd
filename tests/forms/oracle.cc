#include <tessera/forms/advection_diffusion.h>
#include <tessera/forms/elasticity.h>
#include <tessera/forms/elasticity_b_bar.h>
#include <tessera/forms/laplace.h>
#include <tessera/forms/mass.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/forms/vector_mass.h>
#include <tessera/operators/descriptor.h>
#include <tessera/space/on_components.h>

#include "../operators/each_case.h"
#include "../ways.h"
#include "elastic_oracle.h"
#include "linked.h"

// What the forms of forms.def are compiled for equals a dense double loop.
namespace tessera
{
  using namespace test;

  namespace
  {
    double
    dot(const std::array<double, 3> &a, const std::array<double, 3> &b)
    {
      return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }

    double
    diffusion(const PointAt &point, const int dim, const FunctionAt &u,
              const FunctionAt &v)
    {
      double sum = 0;
      for (int a = 0; a < dim; ++a)
        for (int b = 0; b < dim; ++b)
          sum += v.gradient[0][a] * tensor(point, dim, a, b) * u.gradient[0][b];
      return sum;
    }

    struct TestedForm
    {
      std::string name;
      Form (*make)(const Coefficient &);
      int max_degree, extra; ///< coefficients beside the diffusion's
      bool symmetric, vector_valued;
      int all_degree; ///< the largest one with all strategies
      double (*integrand)(const PointAt &, int dim, const FunctionAt &u,
                          const FunctionAt &v);
      /// The largest degree with all strategies; none in float.
      template <class Number>
      int
      all_degree_in() const
      {
        return sizeof(Number) == sizeof(double) ? all_degree : 0;
      }
    };

    const std::vector<TestedForm> &
    forms()
    {
      static const std::vector<TestedForm> list = {
        {"mass", mass, 4, -1, true, false, 0,
         [](const PointAt &p, int, const FunctionAt &u, const FunctionAt &v) {
           return p.k(0) * u.value[0] * v.value[0];
         }},
        {"reaction_diffusion", reaction_diffusion, 4, 1, true, false, 0,
         [](const PointAt &p, const int dim, const FunctionAt &u,
            const FunctionAt &v) {
           return diffusion(p, dim, u, v) +
                  p.k(n_symmetric(dim)) * u.value[0] * v.value[0];
         }},
        {"advection_diffusion", advection_diffusion, 2, 0, false, false, 0,
         [](const PointAt &p, const int dim, const FunctionAt &u,
            const FunctionAt &v) {
           const int n                   = n_symmetric(dim);
           const std::array<double, 3> b = {p.k(n), p.k(n + 1),
                                            dim == 3 ? p.k(n + 2) : 0.};
           return diffusion(p, dim, u, v) + dot(b, u.gradient[0]) * v.value[0];
         }},
        {"elasticity", elasticity, 4, 0, true, true, 2, elastic_energy},
        {"elasticity_b_bar", elasticity_b_bar, 2, 0, true, true, 0,
         [](const PointAt &p, const int dim, const FunctionAt &u,
            const FunctionAt &v) {
           return elastic_energy(p, dim, b_bar(p, dim, u), b_bar(p, dim, v));
         }},
        {"vector_mass", vector_mass, 2, -1, true, true, 0,
         [](const PointAt &p, int, const FunctionAt &u, const FunctionAt &v) {
           return p.k(0) * dot(u.value, v.value);
         }}};
      return list;
    }

    /// A coefficient with n components that varies as `kind` says; the part
    /// that is a tensor is positive definite.
    Coefficient
    coefficient_of(const TestedForm &form, const Space &space,
                   const Coefficient::Kind kind)
    {
      const int dim      = space.dim();
      Coefficient tensor = varying(space, kind);
      const int n_more   = form.vector_valued ? dim * (dim - 1) / 2
                           : form.name == "advection_diffusion" ? dim
                                                                : form.extra;
      if (form.extra < 0)
        {
          Coefficient c = {kind, 1, {}};
          for (std::size_t i = 0; i < tensor.values.size();
               i += tensor.n_components)
            c.values.push_back(tensor.values[i]);
          return c;
        }
      Coefficient c = {kind, tensor.n_components + n_more, {}};
      for (std::size_t i = 0; i < tensor.values.size();
           i += tensor.n_components)
        {
          c.values.insert(c.values.end(), tensor.values.begin() + i,
                          tensor.values.begin() + i + tensor.n_components);
          for (int s = 0; s < n_more; ++s)
            c.values.push_back(0.4 + 0.3 * s + 0.1 * (i % 5));
        }
      return c;
    }

    /// False where neither local matrices nor the route gather have kernels.
    bool
    keeps_cell_matrices(const TestedForm &form, const int degree)
    {
      return !form.vector_valued || degree <= max_degree_of_components;
    }

    /// The operators that a form is assembled into or applied by: all but
    /// those that it is not compiled for, or not suited to.
    std::vector<std::string>
    operators_of(const TestedForm &form, const int degree, const int all_degree,
                 const bool ignores_constants)
    {
      std::vector<std::string> names;
      for (const std::string &name : operator_names())
        {
          const OperatorDescriptor &d = descriptor(name);
          const bool all  = name == "matrix_free_local" || d.is_appended();
          const bool half = name == "local_matrices_symmetric" ||
                            name == "local_matrices_zero_sums" ||
                            name == "local_matrices_gathered" ||
                            name == "ebe_symmetric";
          const bool cells = !d.stores_rows() && !d.stores_nothing && !all;
          if (!(all && degree > all_degree) &&
              !((all || cells) && !keeps_cell_matrices(form, degree)) &&
              !(half && !form.symmetric) &&
              !(name == "local_matrices_zero_sums" && !ignores_constants))
            names.push_back(name);
        }
      return names;
    }

    /// Of so many combinations one has its turn.
    constexpr std::size_t n_of = 10;

    /// The pairs of a route and a conflict handling that a form is assembled
    /// into an operator by: all into `csr`, and one by turns into other rows,
    /// whose places alone are different.
    std::vector<Way>
    ways_of(const TestedForm &form, const std::string &name, const int degree,
            const Backend backend, const int turn)
    {
      const bool has_pattern = descriptor(name).has_pattern();
      const std::vector<Way> all =
        keeps_cell_matrices(form, degree) && form.symmetric && has_pattern
          ? ways(backend)
          : ways({Route::scatter}, backend);
      if (!has_pattern || name == "csr")
        return all;
      return {all[n_turns(turn, n_of) % all.size()]};
    }

    /// The strategies that a form is compiled for and an operator has.
    std::vector<std::string>
    strategies_of(const std::string &name, const int degree,
                  const int all_degree)
    {
      if (degree > all_degree || name == "matrix_free")
        return {"local_reuse"};
      return strategy_names();
    }

    std::vector<double>
    with_tail(std::vector<double> owned, const std::size_t size)
    {
      owned.resize(size, 0.);
      return owned;
    }

    template <class Number>
    void
    check(const TestedForm &form, const PreparedCase &c,
          const Coefficient::Kind kind, int &turn, const bool large)
    {
      const Space &space            = *c.space;
      const int dim                 = space.dim();
      const int n                   = form.vector_valued ? dim : 1;
      const Coefficient coefficient = coefficient_of(form, space, kind);
      const bool ignores_constants =
        form.symmetric && form.make(coefficient).compiled->ignores_constants;
      FormOracle oracle(
        space, n, coefficient,
        [&](const PointAt &point, const FunctionAt &u, const FunctionAt &v) {
          return form.integrand(point, dim, u, v);
        });
      oracle.projects =
        form.make(coefficient).compiled->projection_weight != nullptr;
      const auto x = random_values<Number>(std::size_t(space.n_owned) * n, 3);
      std::vector<double> y, scale, diagonal, diagonal_scale;
      oracle.vmult(
        with_tail({x.begin(), x.end()}, std::size_t(space.n_local()) * n), y,
        scale);
      oracle.vmult({}, diagonal, diagonal_scale);
      for (const Backend backend : backends())
        {
          const auto cells =
            std::make_shared<const CellData<Number>>(c.space, backend);
          const auto names = large ? std::vector<std::string>{"matrix_free"}
                                   : operators_of(form, space.degree,
                                                  form.all_degree_in<Number>(),
                                                  ignores_constants);
          for (const std::string &name : names)
            for (const Way &way :
                 ways_of(form, name, space.degree, backend, turn))
              for (const std::string &strategy : strategies_of(
                     name, space.degree, form.all_degree_in<Number>()))
                {
                  if (!in_turn(turn++, large ? 1 : n_of))
                    continue;
                  SCOPED_TRACE(form.name + ", " + name + ", " +
                               std::to_string(8 * sizeof(Number)) + " bits, " +
                               to_string(backend) + ", " + to_string(way) +
                               ", " + strategy + ", kind " +
                               std::to_string(static_cast<int>(kind)));
                  AssemblyOptions options;
                  options.conflict = way.conflict;
                  options.strategy = strategy;
                  if (descriptor(name).has_pattern())
                    options.route = way.route;
                  const auto A = make_operator<Number>(
                    name, cells, form.make(coefficient), options);
                  ASSERT_EQ(std::size_t(A->n_owned()), x.size());
                  auto product = random_vector(*A, 5);
                  A->vmult(product, make_vector(*A, x));
                  EXPECT_LT(rounding_units(owned_values(product), y, scale),
                            rounding_limit);
                  auto d = A->make_vector();
                  A->diagonal(d);
                  EXPECT_LT(
                    rounding_units(owned_values(d), diagonal, diagonal_scale),
                    rounding_limit);
                }
        }
    }
  } // namespace

  TEST_P(EachCase, FormsAgreeWithADoubleLoop)
  {
    int turn = 7 * static_cast<int>(GetParam()), kind = turn;
    const bool large = c.space->n_cells() * c.space->dofs_per_cell() > 700;
    for (const TestedForm &form : forms())
      if (c.space->degree <= (is_watched() ? 2 : form.max_degree))
        {
          const auto varies =
            static_cast<Coefficient::Kind>(n_turns(kind++) % 3);
          // The double loop takes seconds on large meshes: there forms with
          // components are tested in turn, without a matrix.
          if (large && !(form.vector_valued && in_turn(kind, 4)))
            continue;
          const bool in_float =
            form.make(coefficient_of(form, *c.space, varies))
              .compiled->in_float;
          const bool first = in_turn(kind, 8); // of two number types
          if (!in_float || !large || first)
            check<double>(form, c, varies, turn, large);
          if (in_float && !(large && first))
            check<float>(form, c, varies, turn, large);
        }
  }

  // Without options every form takes a route that it has.
  TEST(Forms, HaveDefaults)
  {
    for (const Backend backend : backends())
      for (const CellType type :
           {CellType::quadrilateral, CellType::hexahedron})
        for (const TestedForm &form : forms())
          {
            SCOPED_TRACE(form.name + ", " + to_string(backend) + ", " +
                         to_string(type));
            const auto space = std::make_shared<const Space>(
              build_space(generated_mesh(type, 2, 3, 2, 3)));
            const auto cells =
              std::make_shared<const CellData<double>>(space, backend);
            const Form uniform = form.make(
              coefficient_of(form, *space, Coefficient::Kind::uniform));
            const auto A = make_operator<double>("csr", cells, uniform);
            const auto B = make_operator<double>("matrix_free", cells, uniform);
            const auto x = random_values<double>(A->n_owned(), 3);
            auto y = A->make_vector(), z = B->make_vector();
            A->vmult(y, make_vector(*A, x));
            B->vmult(z, make_vector(*B, x));
            // And the residual of a form that is linear is its product.
            FormData<double> data(uniform, *cells);
            auto r = B->make_vector();
            data.set_solution(make_vector(*B, x));
            data.add_residual(r, Conflict::coloring);
            const auto by_rows = owned_values(y), by_cells = owned_values(z),
                       residual = owned_values(r);
            for (std::size_t i = 0; i < by_rows.size(); ++i)
              {
                ASSERT_NEAR(by_rows[i], by_cells[i], 1e-11);
                ASSERT_NEAR(residual[i], by_cells[i], 1e-11);
              }
          }
  }

  TEST(Forms, RefuseWhatTheyAreNotCompiledFor)
  {
    if (!is_linked("matrix_free_local"))
      GTEST_SKIP() << "needs the study";
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(3, 2, 3)));
    for (const Backend backend : backends())
      {
        const auto cells =
          std::make_shared<const CellData<double>>(space, backend);
        const auto quadratic = std::make_shared<const CellData<double>>(
          std::make_shared<const Space>(build_space(generated_mesh(2, 2, 3))),
          backend);
        AssemblyOptions redundant;
        redundant.strategy = "redundant_compute";
        const auto refused = [&](const auto &make, const std::string &words) {
          try
            {
              make();
            }
          catch (const ParameterError &error)
            {
              EXPECT_NE(std::string(error.what()).find(words),
                        std::string::npos)
                << error.what();
              return;
            }
          ADD_FAILURE() << "was not refused: " << words;
        };
        refused(
          [&]() { make_operator<double>("csr", quadratic, mass(), redundant); },
          "form mass is not compiled for the strategy redundant_compute");
        refused([&]() { make_operator<double>("lazy_ell", quadratic, mass()); },
                "form mass is not compiled for appending");
        refused(
          [&]() {
            make_operator<double>("matrix_free_local", quadratic, mass());
          },
          "form mass is not compiled for the operator matrix_free_local");
        refused(
          [&]() {
            make_operator<double>(
              "matrix_free", cells,
              advection_diffusion(
                {Coefficient::Kind::uniform, 5, {1, 0, 1, 1, 1}}));
          },
          "form advection_diffusion is not compiled for degree 3");
        // Sanitizers watch lower degrees of this form alone.
        const Form elastic = elasticity(isotropic_stiffness(2, 1, 0.3));
        const auto beyond  = [](const std::string &what) {
          return (is_watched() ? "" : what + " of ") + "degree 3";
        };
        refused(
          [&]() { make_operator<double>("csr", cells, elastic, redundant); },
          beyond("the strategy redundant_compute"));
        refused([&]() { make_operator<double>("lazy_ell", cells, elastic); },
                beyond("appending to rows"));
        refused(
          [&]() { make_operator<double>("matrix_free_local", cells, elastic); },
          beyond("the operator matrix_free_local"));
        const auto in_float =
          std::make_shared<const CellData<float>>(space, backend);
        refused([&]() { make_operator<float>("csr", in_float, mass()); },
                "double precision alone");
        refused([&]() { make_operator<float>("lazy_ell", in_float, elastic); },
                is_watched() ? "degree 3" : "appending to rows in float.");
        refused(
          [&]() {
            make_operator<double>(
              "local_matrices_symmetric", quadratic,
              advection_diffusion(
                {Coefficient::Kind::uniform, 5, {1, 0, 1, 1, 1}}));
          },
          "is for symmetric forms");
        EXPECT_THROW(make_operator<double>("csr", quadratic,
                                           mass(Coefficient::tensor(1, 2, 3))),
                     std::length_error);
      }
  }
} // namespace tessera
