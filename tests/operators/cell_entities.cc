#include "cases.h"
#include "close.h"

#include <tessera/forms/laplace.h>
#include <tessera/operators/matrix_free.h>

// Tests matrix_free with indices of entities against an index for every node.
namespace tessera
{
  using namespace test;

  template <class Number>
  void
  check_products(const std::shared_ptr<const Space> &space,
                 const Coefficient &kappa, const Backend backend)
  {
    const auto cells = std::make_shared<const CellData<Number>>(space, backend);
    for (const Conflict conflict : conflicts(backend))
      {
        const auto form =
          std::make_shared<const FormData<Number>>(laplace(kappa), *cells);
        const MatrixFree<Number> A(cells, form, conflict, {}, {}, false);
        const MatrixFree<Number> B(cells, form, conflict);
        if (backend == Backend::cuda)
          {
            ASSERT_FALSE(cells->entities().empty());
            EXPECT_LT(B.traffic().compulsory, A.traffic().compulsory);
          }
        const auto x = random_vector(A, 5);
        auto y = A.make_vector(), z = A.make_vector();
        A.vmult(y, x);
        B.vmult(z, x);
        const auto expected = owned_values(y), values = owned_values(z);
        // Compilers may fuse the operations of the two kernels differently.
        check_close(values, expected, false, to_string(conflict));
        B.vmult(y, x);
        if (B.repeatable())
          EXPECT_EQ(owned_values(y), values) << to_string(conflict);
      }
  }

  TEST(CellEntities, GiveTheProductOfWholeIndices)
  {
    for (const Backend backend : backends())
      for (const int degree : test::degrees(CellType::quadrilateral, 2))
        for (const Connectivity &mesh :
             {generated_mesh(degree, 1, 1, false),
              generated_mesh(degree, 31, 1),
              generated_mesh(degree, 11, 13, degree == 3),
              sheared(generated_mesh(CellType::quadrilateral, degree, 7, 9, 1,
                                     true, 0)),
              curved(generated_mesh(degree, 9, 5))})
          {
            const auto space = std::make_shared<const Space>(build_space(mesh));
            for (const Coefficient &kappa :
                 {anisotropic(),
                  varying_number(*space, Coefficient::Kind::per_cell),
                  varying_number(*space,
                                 Coefficient::Kind::per_quadrature_point),
                  varying(*space, Coefficient::Kind::per_quadrature_point)})
              {
                check_products<double>(space, kappa, backend);
                check_products<float>(space, kappa, backend);
              }
          }
  }

  /// As where the corner of a small cell is the middle of a large one's edge.
  TEST(BlockNodes, AVertexMayBeTheMiddleOfAnEdge)
  {
    const auto space = std::make_shared<Space>(
      build_space(generated_mesh(CellType::tetrahedron, 2, 3, 3, 3)));
    const int n      = space->dofs_per_cell();
    const int vertex = space->cell_dofs[13 * 6 * n],
              middle = space->cell_dofs[13 * 6 * n + n - 1];
    ASSERT_NE(vertex, middle);
    for (int &dof : space->cell_dofs)
      if (dof == middle)
        dof = vertex;
    std::vector<double> expected;
    for (const Backend backend : backends())
      for (const Conflict conflict : conflicts(backend))
        {
          const auto cells =
            std::make_shared<const CellData<double>>(space, backend);
          const MatrixFree<double> A(cells,
                                     std::make_shared<const FormData<double>>(
                                       laplace(anisotropic(3)), *cells),
                                     conflict);
          const auto x = random_vector(A, 5);
          auto y       = A.make_vector();
          A.vmult(y, x);
          if (expected.empty())
            expected = owned_values(y);
          check_close(owned_values(y), expected, false, to_string(conflict));
        }
  }
} // namespace tessera
