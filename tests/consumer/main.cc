// The energy of u = x on the unit square is its area, for every mesh.
#include <tessera/tessera.h>

#include <cmath>
#include <iostream>

using namespace tessera;

int
main()
{
  GeneratedMesh mesh;
  mesh.n_x = mesh.n_y = 7;
  mesh.dirichlet      = false;
  const auto space = std::make_shared<const Space>(build_space(generate(mesh)));
  const auto cells =
    std::make_shared<const CellData<double>>(space, Backend::host);
  const auto A =
    make_operator<double>("matrix_free", cells, Coefficient::scalar(1));

  // For degree 1, vertices are numbered like degrees of freedom.
  auto x = cells->make_vector(), y = cells->make_vector();
  std::vector<double> values(x.size());
  for (int i = 0; i < space->n_owned; ++i)
    values[i] = space->vertices[2 * i];
  x.copy_from(values);
  double energy = 0;
  A->vmult(y, x, Epilogue<double>::dot(&energy));
  std::cout << "energy " << energy << std::endl;
  return std::abs(energy - 1) < 1e-12 ? 0 : 1;
}
