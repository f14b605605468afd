#pragma once

#include <tessera/forms/form.h>
#include <tessera/space/coefficient.h>
#include <tessera/space/space.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::benchmarks
{
  /// What a process knows of a mesh. Its cells and nodes are numbered as in the
  /// whole mesh, but from 0.
  struct MeshPiece
  {
    Connectivity mesh;
    std::int64_t n_cells = 0, n_free = 0;        ///< of the whole mesh
    std::int64_t first_cell = 0, first_node = 0; ///< their numbers there
  };

  /// Says how the conductivity of Laplace's form varies.
  enum class Variation
  {
    uniform, ///< one tensor
    cell,    ///< a number for every cell
    point,   ///< a number at every quadrature point
    tensor   ///< a tensor at every quadrature point
  };

  std::string
  to_string(Variation variation);

  /// Returns the conductivity of Laplace's form where it is uniform. It is a
  /// full tensor, so that swapped components show in the error.
  Coefficient
  conductivity(int dim);

  /// Returns a conductivity that varies, for the cells of `mesh_cell`, which
  /// are those of a mesh in any order. Its numbers depend on cell, point and
  /// component. They are between 1 and 2 and exact in float; tensors are not,
  /// but those of `conductivity(dim)` with every entry times a number between 1
  /// and 1.125.
  Coefficient
  conductivity(Variation, int dim, int n_points,
               const std::vector<int> &mesh_cell);

  /// Returns the stiffness of elasticity, for nodes of dim components: plane
  /// strain in two dimensions.
  Coefficient
  stiffness(int dim);

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
  /// computes it, independent of every operator. Entries are those of the mesh,
  /// [node][component]; constrained ones are 0.
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
  /// load are those of the whole at nodes all of whose cells the piece has,
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

  /// Returns the boxes per direction of the grid that `make_mesh` divides.
  int
  boxes_a_direction(CellType type, double n_dofs, int degree);

  /// Returns the number of cells of `make_mesh`.
  double
  n_cells_of_mesh(CellType type, double n_dofs, int degree);

  /// Makes a mesh of about `n_dofs` free degrees of freedom, distorted by 0.2
  /// mesh widths, with rounded vertices; `tile_x`, `tile_y`: see GeneratedMesh.
  Connectivity
  make_mesh(CellType type, double n_dofs, int degree, std::uint64_t seed,
            int tile_x, int tile_y, int n_components = 1);

  /// Makes what one of `n_processes` needs of the mesh that `make_mesh` makes
  /// with tiles 0 and 1. Its cells, in their order, are cut into pieces of
  /// equal size, one for each process: strips in two dimensions and slabs in
  /// three. A process knows the layers of boxes that its piece touches and one
  /// on either side, so that it has all cells of its nodes. Throws MeshError if
  /// there are fewer cells than processes.
  MeshPiece
  make_piece(CellType type, double n_dofs, int degree, std::uint64_t seed,
             int process = 0, int n_processes = 1);

  /// Throws MeshError if the mesh that `make_mesh` makes has fewer cells than
  /// there are processes, and DeviceError if it, or, of several processes, the
  /// pieces that `make_piece` makes of it, and a product without a matrix do
  /// not fit into the free memory of the host, where `n_on_host` of the
  /// processes are.
  void
  check_mesh(CellType type, double n_dofs, int degree, int n_components = 1,
             int n_processes = 1, int n_on_host = 1);

  /// Reads the mesh of a file that `write(space, ...)` wrote, in the order of
  /// its cells and nodes, with rounded vertices. Throws MeshError if it cannot
  /// be read or has hanging nodes or nodes of other parts.
  Connectivity
  read_mesh(const std::string &path);
} // namespace tessera::benchmarks
