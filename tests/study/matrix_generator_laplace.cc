#include "entries.h"
#include "generated.h"

#include <tessera/space/generator.h>
#include <tessera/study/matrices/matrix_generator.h>

using namespace tessera;

namespace
{
  /// Compares with the matrix that assembly gives on a mesh of the same boxes.
  void
  check_laplacian(const GeneratedLaplacian &p)
  {
    const SparseMatrix matrix = generate(p);
    test::check_form(matrix);

    GeneratedMesh m;
    m.cell_type  = p.dim == 2 ? CellType::quadrilateral : CellType::hexahedron;
    m.n_x        = p.n_x;
    m.n_y        = p.n_y;
    m.n_z        = p.dim == 3 ? p.n_z : 1;
    m.degree     = p.degree;
    m.distortion = 0;
    m.dirichlet  = p.dirichlet;
    Connectivity mesh = generate(m);
    const int n       = std::max(std::max(m.n_x, m.n_y), m.n_z);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
      mesh.vertices[i] *= n * p.widths[i % p.dim];
    const Space space             = build_space(mesh);
    const SparsityPattern pattern = make_sparsity_pattern(space);
    const test::Oracle oracle(space, Coefficient::scalar(1));
    const test::Entries entries(pattern, oracle);

    // Rows are free degrees of freedom in the order of the mesh.
    std::vector<int> row_of_dof(mesh.n_dofs, -1);
    int next = 0;
    for (int dof = 0; dof < mesh.n_dofs; ++dof)
      if (!mesh.constrained[dof])
        row_of_dof[dof] = next++;
    ASSERT_EQ(matrix.n_rows(), space.n_owned);
    ASSERT_EQ(matrix.n_columns, space.n_owned);
    ASSERT_EQ(matrix.n_nonzeros(), pattern.n_nonzeros());
    std::vector<double> values, wanted;
    for (int i = 0; i < space.n_owned; ++i)
      for (auto k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k)
        {
          const int j = pattern.columns[k];
          values.push_back(test::entry(matrix, row_of_dof[space.mesh_dof[i]],
                                       row_of_dof[space.mesh_dof[j]]));
          ASSERT_NE(values.back(), 0);
        }
    EXPECT_LT(test::rounding_units(values, entries.values, entries.scale),
              test::rounding_limit);
  }
} // namespace

TEST(MatrixGeneratorLaplace, AreThoseOfAssembly)
{
  for (const int degree : test::degrees(CellType::quadrilateral))
    for (const bool dirichlet : {false, true})
      {
        SCOPED_TRACE("degree " + std::to_string(degree));
        GeneratedLaplacian p;
        p.degree    = degree;
        p.dirichlet = dirichlet;
        p.n_x       = 5;
        p.n_y       = 3;
        check_laplacian(p);
        p.dim    = 3;
        p.n_x    = 2;
        p.n_z    = 4;
        p.widths = {0.3, 0.7, 0.2};
        check_laplacian(p);
        p.n_x = p.n_y = p.n_z = 2;
        check_laplacian(p);
      }
}

TEST(MatrixGeneratorLaplace, AreSymmetricWithRowsOfSumZero)
{
  for (const int degree : test::degrees(CellType::quadrilateral))
    for (const int dim : {2, 3})
      {
        GeneratedLaplacian p;
        p.dim                     = dim;
        p.degree                  = degree;
        p.n_x                     = 3;
        p.n_y                     = 2;
        const SparseMatrix matrix = generate(p);
        std::vector<double> sum(matrix.n_rows(), 0), scale(matrix.n_rows(), 0);
        test::for_each_entry(matrix,
                             [&](const int i, const int j, const double value) {
                               ASSERT_EQ(test::entry(matrix, j, i), value);
                               sum[i] += value;
                               scale[i] += std::abs(value);
                             });
        const std::vector<double> zero(matrix.n_rows(), 0);
        EXPECT_LT(test::rounding_units(sum, zero, scale), test::rounding_limit);
      }
}

TEST(MatrixGeneratorLaplace, DoesNotDependOnTheNumberOfThreads)
{
  GeneratedLaplacian laplacian;
  laplacian.degree = 3;
  laplacian.n_x    = 20;
  laplacian.n_y    = 15;
  test::check_repeatable([&] { return generate(laplacian); });
}

TEST(MatrixGeneratorLaplace, RefusesIllegalParameters)
{
  const GeneratedLaplacian laplacian;
  test::check_refused(laplacian, [](auto &p) { p.dim = 1; });
  test::check_refused(laplacian, [](auto &p) { p.degree = 5; });
  test::check_refused(laplacian, [](auto &p) { p.n_y = 0; });
  test::check_refused(laplacian, [](auto &p) { p.widths[0] = 0; });
  test::check_refused(laplacian, [](auto &p) { p.dirichlet = true; });
  test::check_refused(laplacian, [](auto &p) { p.n_x = p.n_y = 50000; });
}
