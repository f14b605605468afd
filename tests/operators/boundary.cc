#include "boundary.h"
#include "cases.h"

#include <tessera/forms/laplace.h>
#include <tessera/operators/cell_operator.h>
#include <tessera/operators/lift.h>
#include <tessera/solvers/problem.h>

// Tests operators with matrices of faces against the serial oracles of both.
namespace tessera
{
  using namespace test;

  /// Adds the oracles of cells and faces, and has x and the results for it.
  struct WithBoundary
  {
    std::shared_ptr<const Space> space;
    BoundaryFaces faces;
    Coefficient kappa;
    std::vector<double> x, y, scale, diagonal;

    /// x has random owned entries or, with a seed, a random constrained tail.
    WithBoundary(const BoundaryCase &c, const unsigned int seed_of_tail = 0)
      : space(std::make_shared<const Space>(build_space(c.mesh))),
        faces(c.faces), kappa(anisotropic(space->dim())), x(space->n_local())
    {
      const auto owned = random_values<float>(space->n_owned, 3);
      std::copy(owned.begin(), owned.end(), x.begin());
      if (seed_of_tail > 0)
        {
          const auto g =
            random_values<float>(space->n_constrained, seed_of_tail);
          std::fill(x.begin(), x.end(), 0.);
          std::copy(g.begin(), g.end(), x.begin() + space->n_owned);
        }
      const Oracle cells(*space, kappa);
      const BoundaryOracle boundary(*space, faces);
      cells.vmult(x, y, scale);
      if (seed_of_tail > 0) // entries of few columns may be terms that cancel
        scale = cells.size_of_terms(x);
      y.resize(space->n_local());
      scale.resize(space->n_local());
      boundary.add_product(1, x, y, scale);

      const int n = space->dofs_per_cell();
      diagonal.resize(space->n_local());
      for (int cell = 0; cell < space->n_cells(); ++cell)
        for (int i = 0; i < n; ++i)
          diagonal[space->cell_dofs[cell * n + i]] +=
            cells.cell_matrix(cell)[i * n + i];
      boundary.add_diagonal(diagonal);
      for (auto *values : {&y, &scale, &diagonal})
        values->resize(space->n_owned);
    }

    template <class Number>
    std::vector<Number>
    x_as() const
    {
      return std::vector<Number>(x.begin(), x.end());
    }

    template <class Number>
    std::unique_ptr<Operator<Number>>
    make(const std::string &name, const Backend backend,
         const Conflict conflict, const std::optional<Route> route = {}) const
    {
      AssemblyOptions options;
      options.route    = route;
      options.conflict = conflict;
      return Problem<Number>(space, backend, {}, options, faces)
        .make_operator(name, laplace(kappa));
    }
  };

  /// Returns cases of 33 faces or of several blocks; tests of faces alone cover
  /// other numbers.
  const std::vector<BoundaryCase> &
  cases_with_operators()
  {
    static const std::vector<BoundaryCase> cases = []() {
      std::vector<BoundaryCase> result;
      for (const BoundaryCase &c : boundary_cases())
        if (c.faces.n_faces() > 31 || c.faces.n_faces() == 24)
          result.push_back(c);
      return result;
    }();
    return cases;
  }

  template <class Number>
  void
  check(const WithBoundary &c, const std::string &name, const Backend backend,
        const Conflict conflict, const std::optional<Route> route = {})
  {
    SCOPED_TRACE(name + ", " + to_string(backend) + ", " + to_string(conflict) +
                 ", " + (sizeof(Number) == 8 ? "double" : "float"));
    std::vector<double> first;
    for (int run = 0; run < (conflict == Conflict::coloring ? 2 : 1); ++run)
      {
        const auto A     = c.make<Number>(name, backend, conflict, route);
        Vector<Number> x = A->make_vector(), y = random_vector(*A, 5),
                       z = A->make_vector();
        x.copy_from(c.x_as<Number>());
        A->vmult(y, x);
        const auto stored = owned_values(y);
        EXPECT_LT(rounding_units(stored, c.y, c.scale), rounding_limit);

        // Three times the product, and its energy.
        Array<double> result(backend, 1);
        A->vmult(z, x, Epilogue<Number>::dot(result.data()));
        A->vmult(z, x, Epilogue<Number>::add());
        A->vmult(z, x, Epilogue<Number>::add());
        std::vector<double> thrice(c.y), scale(c.scale);
        double energy = 0, size = 0;
        for (std::size_t i = 0; i < thrice.size(); ++i)
          {
            thrice[i] *= 3;
            scale[i] *= 3;
            energy += c.x[i] * c.y[i];
            size += std::abs(c.x[i]) * c.scale[i];
          }
        EXPECT_LT(rounding_units(owned_values(z), thrice, scale),
                  rounding_limit);
        const std::vector<Number> as_number = {Number(result.to_vector()[0])};
        EXPECT_LT(rounding_units(as_number, {energy}, {size}), rounding_limit);

        Vector<Number> d = random_vector(*A, 2);
        A->diagonal(d);
        EXPECT_LT(rounding_units(owned_values(d), c.diagonal, c.diagonal),
                  rounding_limit);

        std::vector<double> bits = result.to_vector();
        for (const auto &more : {stored, owned_values(z), owned_values(d)})
          bits.insert(bits.end(), more.begin(), more.end());
        if (run == 0)
          first = bits;
        EXPECT_EQ(bits, first);
      }
  }

  TEST(OperatorBoundary, AgreesWithTheOracle)
  {
    int turn = 0;
    for (const BoundaryCase &each : cases_with_operators())
      {
        SCOPED_TRACE(each.name);
        const WithBoundary c(each);
        for (const Backend backend : backends())
          for (const std::string &name : operator_names())
            for (const Conflict conflict : conflicts(backend, name))
              {
                // Local matrices treat faces like matrix_free does.
                if (name.rfind("local", 0) == 0 && each.mesh.degree > 1)
                  continue;
                if (!left_out(turn++, 10))
                  check<double>(c, name, backend, conflict);
                if (conflict == Conflict::coloring && !left_out(turn++, 10))
                  check<float>(c, name, backend, conflict);
              }
      }
  }

  TEST(OperatorBoundary, InteriorAndBoundaryRangesAreAll)
  {
    for (const BoundaryCase &each : cases_with_operators())
      if (each.faces.n_faces() > 100)
        for (const Backend backend : backends())
          for (const Conflict conflict : conflicts(backend))
            {
              SCOPED_TRACE(each.name + ", " + to_string(backend));
              const WithBoundary c(each);
              const auto A = c.make<double>("matrix_free", backend, conflict);
              const auto &cell_wise =
                dynamic_cast<const CellOperator<double> &>(*A);
              Vector<double> x = A->make_vector(), y = A->make_vector();
              x.copy_from(c.x);
              cell_wise.apply_add(y, x, CellRange::boundary);
              cell_wise.apply_add(y, x, CellRange::interior);
              EXPECT_LT(rounding_units(owned_values(y), c.y, c.scale),
                        rounding_limit);
            }
  }

  TEST(OperatorBoundary, LiftsBoundaryValues)
  {
    const auto check = [](const auto number, const WithBoundary &c,
                          const Backend backend) {
      using Number = std::remove_const_t<decltype(number)>;
      const auto cells =
        std::make_shared<const CellData<Number>>(c.space, backend);
      const BoundaryMatrices<Number> boundary(*c.space, c.faces, backend);
      Vector<Number> g = cells->make_vector(), b = cells->make_vector();
      g.copy_from(c.x_as<Number>());
      const auto before = random_values<Number>(b.size(), 8);
      b.copy_from(before);
      std::vector<double> lifted(c.y), scale(c.scale);
      for (std::size_t i = 0; i < lifted.size(); ++i)
        {
          lifted[i] = before[i] - lifted[i];
          scale[i] += std::abs(double(before[i]));
        }
      lift(b, g, cells, laplace(c.kappa), &boundary);
      EXPECT_LT(rounding_units(owned_values(b), lifted, scale),
                rounding_limit_of_terms);

      // By colours: the same bits twice.
      std::vector<Number> first;
      for (int run = 0; run < 2; ++run)
        {
          b.copy_from(before);
          lift(b, g, cells, laplace(c.kappa), &boundary, Conflict::coloring);
          if (run == 0)
            first = owned_values(b);
        }
      EXPECT_EQ(owned_values(b), first);
      EXPECT_LT(rounding_units(first, lifted, scale), rounding_limit_of_terms);
    };
    for (const BoundaryCase &each : cases_with_operators())
      {
        SCOPED_TRACE(each.name);
        const WithBoundary c(each, 6);
        for (const Backend backend : backends())
          {
            check(double(), c, backend);
            check(float(), c, backend);
          }
      }
  }

  /// Rows by `gather`, faces by colours beside it.
  TEST(OperatorBoundary, RowsAreGatheredRepeatably)
  {
    for (const BoundaryCase &each : cases_with_operators())
      if (each.mesh.cell_type == CellType::quadrilateral)
        for (const Backend backend : backends())
          {
            SCOPED_TRACE(each.name + ", " + to_string(backend));
            const WithBoundary c(each);
            check<double>(c, "csr", backend, Conflict::coloring, Route::gather);
            std::vector<double> first;
            for (int run = 0; run < 2; ++run)
              {
                const auto A = c.make<double>(
                  "csr", backend, Conflict::coloring, Route::gather);
                Vector<double> x = A->make_vector(), y = A->make_vector();
                x.copy_from(c.x);
                A->vmult(y, x);
                if (run == 0)
                  first = owned_values(y);
                else
                  EXPECT_EQ(owned_values(y), first);
              }
          }
  }

  TEST(OperatorBoundary, BytesOfFacesCount)
  {
    for (const Backend backend : backends())
      {
        const WithBoundary c(boundary_cases().at(1));
        const BoundaryMatrices<double> boundary(*c.space, c.faces, backend);
        const auto cells =
          std::make_shared<const CellData<double>>(c.space, backend);
        AssemblyOptions options;
        options.conflict = Conflict::atomics;
        for (const std::string name : {"matrix_free", "local_matrices"})
          {
            const Traffic bare =
              make_operator<double>(name, cells, laplace(c.kappa), options)
                ->traffic();
            const Traffic whole =
              c.make<double>(name, backend, Conflict::atomics)->traffic();
            EXPECT_EQ(whole.compulsory - bare.compulsory,
                      boundary.compulsory_bytes());
            EXPECT_EQ(whole.stored - bare.stored, boundary.bytes());
          }
        // Of 31 lines of degree 1, 25 have a mass.
        EXPECT_EQ(boundary.compulsory_bytes(), 25u * (2 * 4 + 3 * 8));
      }
  }

  TEST(OperatorBoundary, ReplaysFromAGraph)
  {
    if (backends().back() == Backend::host)
      GTEST_SKIP() << "graphs are a device's";
    const Stream stream = runtime::create_stream();
    for (const BoundaryCase &each : cases_with_operators())
      if (each.mesh.degree <= 2)
        {
          SCOPED_TRACE(each.name);
          const WithBoundary c(each);
          const auto A =
            c.make<double>("matrix_free", Backend::cuda, Conflict::coloring);
          Vector<double> x = A->make_vector(), y = A->make_vector(),
                         z = A->make_vector(), d = A->make_vector();
          Array<double> dot(Backend::cuda, 1);
          x.copy_from(c.x);
          A->vmult(y, x);
          const runtime::Graph graph(stream, [&]() {
            A->vmult(z, x, Epilogue<double>::dot(dot.data()), stream);
            A->diagonal(d, stream);
          });
          for (int i = 0; i < 2; ++i)
            graph.replay(stream);
          runtime::synchronize(stream);
          EXPECT_EQ(owned_values(z), owned_values(y));
          EXPECT_LT(rounding_units(owned_values(d), c.diagonal, c.diagonal),
                    rounding_limit);
        }
    runtime::destroy_stream(stream);
  }
} // namespace tessera
