#pragma once

#include <tessera/space/coefficient.h>
#include <tessera/space/connectivity.h>

#include <cstdint>
#include <vector>

namespace tessera::benchmarks
{
  /// The conductivity of every benchmark: a full tensor, so that swapped
  /// components show in the error.
  Coefficient
  conductivity(int dim);

  /// f of every load vector.
  constexpr double load_density = 1.3;

  /// A vector, and the scale of its rounding errors: the same sum of sizes.
  struct Sums
  {
    std::vector<double> values, scale;
  };

  /// What operators are measured against, by a plain loop over dense cell
  /// matrices in double, independent of every operator: y = A x, and the load
  /// vector, b_i = integral of f phi_i. All by degree of freedom of the mesh;
  /// constrained ones are 0.
  struct Oracle
  {
    std::vector<double> x;
    Sums y, load;
  };

  /// x holds seeded values in [-1, 1] that are exact in float. About
  /// 2 dim n^2 nq operations a cell, by all threads.
  Oracle
  make_oracle(const Connectivity &mesh, std::uint64_t seed);

  /// Rounds vertices to float, so that operators in float and in double have
  /// the same problem before them.
  void
  round_vertices(Connectivity &mesh);

  /// max |y_i - y_ref_i| / (eps scale_i), eps of the number type, over free
  /// degrees of freedom; `y` begins with them, entry k belonging to the mesh's
  /// degree of freedom `mesh_dof[k]`. Infinite where y is not a number.
  template <class Number>
  double
  error(const Sums &reference, const std::vector<Number> &y,
        const std::vector<int> &mesh_dof, int n_free);

  /// |a . Mb - b . Ma| / (eps sum |a_i| |Mb_i|) over the first `n` entries:
  /// what rounding does to the symmetry of M, which made Ma of a and Mb of b.
  template <class Number>
  double
  asymmetry(const std::vector<Number> &a, const std::vector<Number> &Ma,
            const std::vector<Number> &b, const std::vector<Number> &Mb, int n);

  /// The values of `x` of the oracle in the local order, zero beyond n_free.
  template <class Number>
  std::vector<Number>
  local_x(const Oracle &oracle, const std::vector<int> &mesh_dof, int n_free,
          int size);

  /// Boxes a direction of the grid that `make_mesh` divides.
  int
  boxes_a_direction(CellType type, double n_dofs, int degree);

  /// A mesh of about `n_dofs` free degrees of freedom, distorted by 0.2 mesh
  /// widths, vertices rounded; `tile_x`, `tile_y`: see GeneratedMesh.
  Connectivity
  make_mesh(CellType type, double n_dofs, int degree, std::uint64_t seed,
            int tile_x, int tile_y);
} // namespace tessera::benchmarks
