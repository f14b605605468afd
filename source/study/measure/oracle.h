#pragma once

#include <tessera/forms/form.h>
#include <tessera/space/coefficient.h>
#include <tessera/space/space.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::benchmarks
{
  /// Says how the conductivity of Laplace's form varies.
  enum class Variation
  {
    uniform, ///< one tensor
    number,  ///< one number for all cells
    cell,    ///< a number for every cell
    point,   ///< a number at every quadrature point
    tensor   ///< a tensor at every quadrature point
  };

  /// The names of the variations, in their order.
  const std::vector<std::string> &
  variation_names();

  /// Returns the conductivity of Laplace's form where it is uniform. It is a
  /// full tensor, so that swapped components show in the error.
  Coefficient
  conductivity(int dim);

  /// Returns a conductivity that varies, for the cells of `mesh_cell`, which
  /// are the cells of a mesh in any order. Its numbers depend on cell, point
  /// and component. They are between 1 and 2 and exact in float; tensors are
  /// not: they are the tensors of `conductivity(dim)` with every entry times a
  /// number between 1 and 1.125.
  Coefficient
  conductivity(Variation, int dim, int n_points,
               const std::vector<int> &mesh_cell);

  /// Returns the stiffness of elasticity, for nodes of dim components: plane
  /// stress in two dimensions.
  Coefficient
  stiffness(int dim);

  /// The forms of the oracle in `Factors/Forms`: of nodes with one component,
  /// and of nodes with one for each dimension.
  constexpr const char *scalar_form = "laplace", *vector_form = "elasticity";

  /// Returns the form of the oracle: Laplace's for nodes of one component, else
  /// elasticity, which does not vary.
  Form
  form_of(const Space &space, Variation = Variation::uniform);

  /// The density f of every load vector, of each component.
  constexpr double load_density = 1.3;

  /// A vector, and the scale of its rounding: the sums of absolute values.
  struct Sums
  {
    std::vector<double> values, scale;
  };

  /// The reference of all operators: y = A x, and the load vector with b_i =
  /// integral of f phi_i. A plain loop over dense cell matrices in double
  /// computes it, independent of every operator. Entries are in the order of
  /// the mesh, [node][component]; constrained ones are 0.
  struct Oracle
  {
    Variation variation = Variation::uniform;
    std::vector<double> x;
    Sums y, load;
  };

  /// Makes an oracle for Laplace's form if nodes have one component, and for
  /// elasticity otherwise. x has seeded values in [-1, 1) that are exact in
  /// float and follow from the number of a node in the whole mesh, which is
  /// `first_node` more than its index here. For a piece of a mesh, y and the
  /// load equal the whole's at nodes all of whose cells the piece has,
  /// unless the conductivity varies, which goes by the indices of cells. Costs
  /// about 2 dim n^2 nq operations per cell, or, for elasticity, 2 dim^2 n^2
  /// nq, with all threads.
  Oracle
  make_oracle(const Connectivity &mesh, std::uint64_t seed,
              Variation = Variation::uniform, std::int64_t first_node = 0);

  /// Rounds vertices to float, so that operators in float and in double solve
  /// the same problem.
  void
  round_vertices(Connectivity &mesh);

  /// Returns max |y_i - y_ref_i| / (eps scale_i) over free degrees of freedom,
  /// with eps of the number type. `y` begins with these; entry k belongs to
  /// entry `of_mesh[k]` of the mesh. Infinite if y has a NaN.
  template <class Number>
  double
  error(const Sums &reference, const std::vector<Number> &y,
        const std::vector<int> &of_mesh, int n_free);

  /// The asymmetry of M: a . Mb - b . Ma and the scale of its rounding, the sum
  /// of |a_i| |Mb_i|.
  struct Asymmetry
  {
    double difference = 0, scale = 0;
  };

  /// Returns the asymmetry of M over the first `n` entries; Ma = M a and Mb = M
  /// b.
  template <class Number>
  Asymmetry
  asymmetry(const std::vector<Number> &a, const std::vector<Number> &Ma,
            const std::vector<Number> &b, const std::vector<Number> &Mb, int n);

  /// Returns the oracle's `x` in the local order, with zeros beyond n_free.
  template <class Number>
  std::vector<Number>
  local_x(const Oracle &oracle, const std::vector<int> &of_mesh, int n_free,
          int size);
} // namespace tessera::benchmarks
