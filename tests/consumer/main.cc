// The energy of u = x on the unit square is its area, whatever the mesh, and
// with a form of this project the integral of 4 x^2. The core alone has
// multigrid, which solves with that form, and no operator of the study.
#include <tessera/forms/laplace.h>
#include <tessera/tessera.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "squared_mass.h"

using namespace tessera;

int
main()
{
  GeneratedMesh mesh;
  mesh.n_x = mesh.n_y = 7;
  mesh.dirichlet      = false;
  const auto space = std::make_shared<const Space>(build_space(generate(mesh)));
  const Problem<double> problem(space, Backend::host);

  // For degree 1 vertices have the numbers of degrees of freedom.
  auto x = problem.make_vector(), y = problem.make_vector();
  std::vector<double> values(x.size());
  for (int i = 0; i < space->n_owned; ++i)
    values[i] = space->vertices[2 * i];
  x.copy_from(values);
  double energy[2] = {};
  problem.make_operator("matrix_free", laplace())
    ->vmult(y, x, Epilogue<double>::dot(&energy[0]));
  const auto A =
    problem.make_operator("csr", squared_mass(Coefficient::scalar(2)));
  A->vmult(y, x, Epilogue<double>::dot(&energy[1]));
  std::cout << "energies " << energy[0] << " and " << energy[1] << std::endl;
  const auto M = problem.make_preconditioner("multigrid", *A);
  x.zero();
  const CGResult solve = CG<double>(*A, *M).solve(x, y);
  std::cout << describe(solve) << std::endl;
  const auto names = operator_names();
  return solve.converged &&
             std::count(names.begin(), names.end(), "coo") == 0 &&
             std::abs(energy[0] - 1) + std::abs(energy[1] - 4. / 3) < 1e-12
           ? 0
           : 1;
}
