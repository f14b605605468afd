#pragma once

#include <tessera/fem/driver/multigrid_setup.h>
#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/solvers/problem.h>

#include <gtest/gtest.h>

#include "../cell_meshes.h"
#include "../problems.h"

namespace tessera::test
{
  /// A body or a membrane on a generated or given mesh.
  struct MultigridProblem
  {
    std::shared_ptr<const Space> space;
    std::unique_ptr<Operator<double>> A;
    SparseMatrix matrix;

    explicit MultigridProblem(const Connectivity &mesh)
      : space(std::make_shared<const Space>(build_space(mesh)))
    {
      A = Problem<double>(space, Backend::host).make_operator("csr", form());
      matrix = matrix_of_owned(dynamic_cast<RowOperator<double> &>(*A).matrix(),
                               *space);
    }

    Form
    form() const
    {
      if (space->n_components > 1)
        return elasticity(isotropic_stiffness(space->dim(), 2., 0.3));
      return laplace(anisotropic(space->dim()));
    }

    MultigridLevels
    levels(const Coarsening coarsening = Coarsening::degree_first) const
    {
      AggregationOptions options;
      options.max_coarsest = 100;
      return make_levels(matrix, *space, coarsening, options);
    }
  };

  inline Connectivity
  membrane(const CellType type, const int degree, const int n)
  {
    return generated_mesh(type, degree, n, n - 1,
                          dimension(type) == 3 ? n - 2 : 1);
  }

  inline void
  expect_within(const double factor, const double ratio)
  {
    EXPECT_GT(ratio, 1 / factor);
    EXPECT_LT(ratio, factor);
  }
} // namespace tessera::test
