#include <tessera/base/launch_log.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/matrix_free.h>
#include <tessera/operators/row_operator.h>
#include <tessera/space/element.h>

#include "each_case.h"

// Tests every operator, conflict handling, coefficient and epilogue against the
// serial oracle.
namespace tessera
{
  using namespace test;

  template <class Number>
  double
  dot(const std::vector<Number> &a, const std::vector<Number> &b, double &scale)
  {
    double sum = 0;
    scale      = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      {
        sum += static_cast<double>(a[i]) * b[i];
        scale += std::abs(static_cast<double>(a[i]) * b[i]);
      }
    return sum;
  }

  template <class Number>
  using Make = std::function<std::unique_ptr<Operator<Number>>()>;

  /// What an epilogue adds or sums up is the product that `vmult` stores.
  template <class Number>
  void
  check_epilogues(const Operator<Number> &A, const bool adds_in_two_parts)
  {
    const auto x = random_vector(A, 3);
    auto y       = A.make_vector();
    A.vmult(y, x);

    auto z            = random_vector(A, 4);
    const auto before = owned_values(z);
    A.vmult(z, x, Epilogue<Number>::add());
    const auto stored = owned_values(y), added = owned_values(z);
    std::vector<double> expected(stored.size()), size(stored.size());
    for (std::size_t i = 0; i < stored.size(); ++i)
      {
        expected[i] = static_cast<double>(before[i]) + stored[i];
        size[i]     = 8. + std::abs(stored[i]);
      }
    EXPECT_LT(rounding_units(added, expected, size), rounding_limit);

    Array<double> result(y.backend(), 1);
    z.zero();
    A.vmult(z, x, Epilogue<Number>::dot(result.data()));
    const std::vector<double> product_of(stored.begin(), stored.end());
    EXPECT_LT(rounding_units(owned_values(z), product_of, size),
              rounding_limit);
    double scale;
    const double product                = dot(owned_values(x), stored, scale);
    const double energy                 = result.to_vector()[0];
    const std::vector<Number> as_number = {Number(energy)};
    EXPECT_LT(rounding_units(as_number, {product}, {scale + std::abs(product)}),
              rounding_limit);
    // Rows add up what they store, in double.
    if (dynamic_cast<const RowOperator<Number> *>(&A) && !adds_in_two_parts)
      EXPECT_NEAR(energy, product,
                  stored.size() * scale *
                    std::numeric_limits<double>::epsilon());
  }

  template <class Number>
  void
  check_diagonal(const Operator<Number> &A,
                 const std::vector<double> &reference)
  {
    auto d = random_vector(A, 2);
    A.diagonal(d);
    EXPECT_LT(rounding_units(owned_values(d), reference, reference),
              rounding_limit);
  }

  /// Returns the bits of a product and of its sum.
  template <class Number>
  std::vector<double>
  bits_of(const Operator<Number> &A)
  {
    EXPECT_TRUE(A.repeatable());
    const auto x = random_vector(A, 3);
    auto y       = A.make_vector();
    Array<double> result(y.backend(), 1);
    A.vmult(y, x, Epilogue<Number>::dot(result.data()));
    std::vector<double> bits = as_double(owned_values(y));
    bits.push_back(result.to_vector()[0]);
    return bits;
  }

  /// The product and the scale of its rounding for one kind of coefficient.
  struct Product
  {
    std::vector<double> reference, scale;
  };

  // Making an operator takes longest, so that each has all of these tests.
  TEST_P(EachCase, OperatorsAgreeWithTheOracle)
  {
    // A run gives an operator at most one of six coefficients, ten runs all.
    const std::size_t n_of  = 10;
    std::size_t combination = 7 * GetParam();
    const auto check        = [&](const auto number, const Backend backend) {
      using Number      = std::remove_const_t<decltype(number)>;
      const auto &space = c.space;
      const auto cells =
        std::make_shared<const CellData<Number>>(space, backend);
      const auto owned = random_values<Number>(space->n_owned, 3);
      auto whole       = as_double(owned);
      whole.resize(space->n_local());
      std::vector<Product> products(c.oracles.size());
      for (std::size_t k = 0; k < products.size(); ++k)
        c.oracles[k].vmult(whole, products[k].reference, products[k].scale);
      for (const std::string &name : operator_names())
        for (const Conflict conflict : conflicts(backend, name))
          {
            for (std::size_t k = 0; k < c.oracles.size(); ++k)
              {
                if (!in_turn(++combination, n_of))
                  continue;
                // Strategies alternate: assembly has its own tests, but these
                // have no products.
                const Oracle &oracle = c.oracles[k];
                AssemblyOptions options;
                const std::vector<std::string> all = strategies(*space);
                options.strategy = all[n_turns(combination, n_of) % all.size()];
                options.conflict = conflict;
                SCOPED_TRACE(
                         name + " " + to_string(backend) + " " + to_string(conflict) +
                         " " + options.strategy + " kind " +
                         std::to_string(static_cast<int>(oracle.kappa.kind)));
                const Make<Number> make = [&]() {
                  return make_operator<Number>(name, cells,
                                               laplace(oracle.kappa), options);
                };
                const auto A = make();
                const auto x = make_vector(*A, owned);
                auto y       = random_vector(*A, 5);
                A->vmult(y, x);
                EXPECT_LT(rounding_units(owned_values(y), products[k].reference,
                                                products[k].scale),
                                 rounding_limit);
                check_epilogues(*A, name == "hybrid");
                check_diagonal(*A, oracle.diagonal());
                if (conflict == Conflict::coloring)
                  EXPECT_EQ(bits_of(*A), bits_of(*make()));
              }
          }
    };
    for (const Backend backend : backends())
      {
        check(double(), backend);
        check(float(), backend);
      }
  }

  TEST(Operators, InteriorAndBoundaryCellsAreAllCells)
  {
    for (const Backend backend : backends())
      for (const int degree : test::degrees(CellType::quadrilateral))
        for (const Conflict conflict : conflicts(backend))
          {
            // At least one whole block of 256 cells is of interior ones.
            const auto space = std::make_shared<const Space>(
              is_watched() ? build_space(generated_mesh(degree, 19, 18))
                           : build_space(generated_mesh(degree, 23, 29)));
            const auto cells =
              std::make_shared<const CellData<double>>(space, backend);
            ASSERT_FALSE(
              cells->launches(conflict, CellRange::interior).empty());
            const MatrixFree<double> A(cells,
                                       std::make_shared<const FormData<double>>(
                                         laplace(anisotropic()), *cells),
                                       conflict);
            const auto x = random_vector<double>(A, 3);
            auto whole = A.make_vector(), parts = A.make_vector();
            A.vmult(whole, x);
            A.apply_add(parts, x, CellRange::boundary);
            EXPECT_NE(owned_values(whole), owned_values(parts));
            A.apply_add(parts, x, CellRange::interior);
            const auto reference = as_double(owned_values(whole));
            std::vector<double> scale(reference.size(), 10.);
            EXPECT_LT(rounding_units(owned_values(parts), reference, scale),
                      rounding_limit);
          }
  }

  /// Tests a few small cases by degree and operator, for tools that find races.
  class OneBlockOfHexahedra
    : public testing::TestWithParam<std::tuple<int, std::string>>
  {};

  TEST_P(OneBlockOfHexahedra, AgreesWithTheOracle)
  {
    const auto [degree, name] = GetParam();
    if (!has_kernels(CellType::hexahedron, degree) ||
        (is_watched() && is_twin(name)))
      GTEST_SKIP();
    const auto space = std::make_shared<const Space>(build_space(
      generated_mesh(CellType::hexahedron, degree, 2, 2, 1, false)));
    const Oracle oracle(*space, anisotropic(3));
    auto whole = random_values<double>(space->n_owned, 3);
    whole.resize(space->n_local());
    std::vector<double> reference, scale;
    oracle.vmult(whole, reference, scale);
    const std::vector<double> diagonal = oracle.diagonal();
    for (const Backend backend : backends())
      {
        const auto cells =
          std::make_shared<const CellData<double>>(space, backend);
        for (const Conflict conflict : test::conflicts(backend))
          {
            AssemblyOptions options;
            options.conflict = conflict;
            const auto A     = make_operator<double>(
              name, cells, laplace(anisotropic(3)), options);
            auto y = A->make_vector(), d = A->make_vector();
            A->vmult(y, make_vector(*A, whole));
            EXPECT_LT(rounding_units(owned_values(y), reference, scale),
                      rounding_limit)
              << to_string(backend) << " " << to_string(conflict);
            A->diagonal(d);
            EXPECT_LT(rounding_units(owned_values(d), diagonal, diagonal),
                      rounding_limit)
              << to_string(backend) << " " << to_string(conflict);
          }
      }
  }

  INSTANTIATE_TEST_SUITE_P(
    Hexahedra, OneBlockOfHexahedra,
    testing::Combine(testing::Range(1, 5), testing::ValuesIn(operator_names())),
    [](const auto &info) {
      return std::get<1>(info.param) + "_" +
             std::to_string(std::get<0>(info.param));
    });

  TEST(Operators, AtomicsAreNotRepeatableAndSaySo)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(2, 4, 5)));
    const auto cells =
      std::make_shared<const CellData<double>>(space, Backend::host);
    AssemblyOptions options;
    options.conflict = Conflict::atomics;
    EXPECT_FALSE(make_operator<double>("matrix_free", cells,
                                       laplace(anisotropic()), options)
                   ->repeatable());
    EXPECT_TRUE(
      make_operator<double>("csr", cells, laplace(anisotropic()), options)
        ->repeatable());
  }

  TEST(Operators, UnknownNamesAndConflictsAreRefused)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(1, 4, 5)));
    for (const Backend backend : backends())
      {
        const auto cells =
          std::make_shared<const CellData<double>>(space, backend);
        EXPECT_THROW(
          make_operator<double>("crs", cells, laplace(anisotropic())),
          ParameterError);
        if (backend == Backend::cuda)
          for (const std::string &name : operator_names())
            {
              AssemblyOptions options;
              options.conflict = Conflict::none;
              EXPECT_THROW(make_operator<double>(
                             name, cells, laplace(anisotropic()), options),
                           ParameterError)
                << name;
            }
      }
  }

  TEST(Operators, ParallelepipedsHaveTheirOwnKernels)
  {
    std::vector<double> y;
    const auto kernel = [&](const Connectivity &mesh, const Coefficient &k) {
      const auto space = std::make_shared<const Space>(build_space(mesh));
      const auto A     = make_operator<double>(
        "matrix_free",
        std::make_shared<const CellData<double>>(space, Backend::cuda),
        laplace(k));
      const auto x           = random_vector(*A, 3);
      Vector<double> of_mesh = A->make_vector();
      const runtime::LaunchLog log;
      A->vmult(of_mesh, x);
      y = owned_values(of_mesh);
      return log.largest().value().kernel;
    };
    for (const Backend backend : backends())
      for (int degree = 1; degree <= 3 && backend == Backend::cuda; ++degree)
        {
          const auto grid = [degree](const double distortion) {
            return generated_mesh(CellType::hexahedron, degree, 3, 4, 5, true,
                                  distortion);
          };
          Connectivity boxes = sheared(grid(0));
          const int n_points = boxes.n_cells() * boxes.points_per_cell();
          // The product from vertices is that from stored Jacobians, which the
          // oracle of the other tests knows.
          const auto expect_special = [&](const Coefficient &k) {
            boxes.geometry     = Geometry::affine;
            const void *stored = kernel(boxes, k);
            const auto known   = y;
            boxes.geometry     = Geometry::vertices;
            EXPECT_EQ(kernel(boxes, k), stored);
            for (std::size_t i = 0; i < y.size(); ++i)
              ASSERT_NEAR(y[i], known[i], 1e-12);
            EXPECT_NE(kernel(grid(0.2), k), stored);
          };
          expect_special(Coefficient::scalar(2));
          expect_special({Coefficient::Kind::uniform, 6, {3, 1, 0, 2, 0, 1}});
          expect_special({Coefficient::Kind::per_quadrature_point, 1,
                          random_values<double>(n_points, 7)});
          std::vector<double> tensors;
          for (int q = 0; q < n_points; ++q)
            for (const double entry : {1, 0, 0, 1, 0, 2})
              tensors.push_back(entry);
          const Coefficient k = {Coefficient::Kind::per_quadrature_point, 6,
                                 tensors};
          EXPECT_EQ(kernel(boxes, k), kernel(grid(0.2), k));
        }
  }
} // namespace tessera
