#include "cell_meshes.h"
#include "declared_coefficient.h"
#include "test.h"

#include <tessera/base/error.h>
#include <tessera/base/symmetric.h>
#include <tessera/fem/fields/coefficients.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

// Cells of either backend evaluate formulas at their points as the host does.
namespace
{
  using namespace tessera;
  using test::Declared;

  template <class C>
  class PackedCoefficientsOf : public testing::Test
  {};

  using AllCells = testing::Types<
    test::Cells<CellType::quadrilateral>, test::Cells<CellType::hexahedron>,
    test::Cells<CellType::triangle>, test::Cells<CellType::tetrahedron>>;

  TYPED_TEST_SUITE(PackedCoefficientsOf, AllCells);


  TYPED_TEST(PackedCoefficientsOf, AreThoseOfTheHost)
  {
    constexpr int dim = TypeParam::dim;
    Mesh<dim> mesh;
    TypeParam::make(mesh, true, 2);
    const auto fe      = TypeParam::make_element(2);
    const auto mapping = mesh.make_mapping(1);
    dealii::DoFHandler<dim> dof_handler(mesh.triangulation());
    dof_handler.distribute_dofs(*fe);
    dealii::AffineConstraints<double> none;
    none.close();
    const auto space = std::make_shared<const Space>(
      build_space(flatten(*mapping, dof_handler, none).connectivity));
    const std::string tensor =
      dim == 2 ? "2 + x; y / 9; 3" : "2 + x; y / 9; 0; 3; z / 9; 4 + x";
    struct Case
    {
      std::string everywhere, in_2;
      MaterialValues kind;
    };
    const std::vector<Case> cases = {
      {"1 + x * y", "", MaterialValues::tensor},
      {tensor, "", MaterialValues::tensor},
      {tensor, "5", MaterialValues::tensor},
      {"1 + x^2", tensor, MaterialValues::tensor},
      {"7", "exp(x - y)", MaterialValues::tensor},
      {"sin(9 * x) - y", "", MaterialValues::scalar},
      {"-3", "x", MaterialValues::scalar},
      {"4", "1; x; 3", MaterialValues::axes},
      {"x", "y", MaterialValues::axes}};
    for (const Backend backend : test::backends())
      {
        const auto cells =
          std::make_shared<const CellData<double>>(space, backend);
        for (const Case &c : cases)
          {
            SCOPED_TRACE(c.everywhere + " | " + c.in_2);
            Declared<dim> parameters;
            parameters.set("Coefficient/Expression", c.everywhere);
            if (!c.in_2.empty())
              parameters.add(1, "2", c.in_2);
            const MaterialExpression<dim> expression(parameters, "Coefficient",
                                                     "Expression", c.kind);
            const Coefficient should = expression.coefficient(mesh, *space);
            const Coefficient packed =
              expression.coefficient(mesh, *space, cells);
            ASSERT_NE(packed.packed, nullptr);
            EXPECT_TRUE(packed.values.empty());
            EXPECT_EQ(packed.kind, should.kind);
            EXPECT_EQ(packed.n_components, should.n_components);
            const Coefficient found = on_host(packed);
            ASSERT_EQ(found.values.size(), should.values.size());
            for (std::size_t i = 0; i < found.values.size(); ++i)
              ASSERT_NEAR(found.values[i], should.values[i], 1e-13);
            // Constants are not computed at points.
            parameters.set("Coefficient/Expression", "3");
            if (c.in_2.empty())
              EXPECT_EQ(MaterialExpression<dim>(parameters, "Coefficient",
                                                "Expression", c.kind)
                          .coefficient(mesh, *space, cells)
                          .packed,
                        nullptr);
          }
        // A device puts coefficients together as the host does.
        const auto of = [&](const std::string &text, const bool is_tensor,
                            const auto &...of_cells) {
          Declared<dim> parameters;
          parameters.set("Coefficient/Expression", text);
          const auto expression =
            is_tensor ? parameters.tensor() : parameters.scalar();
          return expression.coefficient(mesh, *space, of_cells...);
        };
        for (const std::string &k :
             {tensor, std::string("2 + x"), std::string("3")})
          {
            const auto form = [&](const auto &...of_cells) {
              const Coefficient c   = of("x * y", false, of_cells...),
                                w   = of("9 * x", false, of_cells...),
                                one = Coefficient::scalar(1);
              return weighted(with_reaction(of(k, true, of_cells...),
                                            {{&c, 2.}, {&one, 0.5}}, *space),
                              w, *space);
            };
            const Coefficient should = form(), packed = form(cells);
            ASSERT_NE(packed.packed, nullptr);
            EXPECT_EQ(packed.kind, should.kind);
            const auto found = on_host(packed).values;
            ASSERT_EQ(found.size(), should.values.size());
            const auto x    = quadrature_points(*space);
            constexpr int n = n_symmetric(dim) + 1;
            for (std::size_t i = 0; i < found.size(); ++i)
              ASSERT_NEAR(found[i], should.values[i], 1e-13);
            for (std::size_t i = 0; i < x.size() / dim; ++i)
              ASSERT_NEAR(should.values[i * n + n - 1],
                          9 * x[i * dim] *
                            (2 * x[i * dim] * x[i * dim + 1] + 0.5),
                          1e-13);
          }
        // What is not legal is refused by the sentence of the host.
        for (const std::string value : {"x - 0.4", "1 / (x - x)"})
          {
            Declared<dim> parameters;
            parameters.set("Coefficient/Expression", value);
            const auto reason = [&](const auto &...of_cells) -> std::string {
              try
                {
                  parameters.tensor().coefficient(mesh, *space, of_cells...);
                }
              catch (const ParameterError &error)
                {
                  return error.what();
                }
              return "";
            };
            EXPECT_NE(reason(), "");
            EXPECT_EQ(reason(cells), reason());
          }
      }
  }
} // namespace
