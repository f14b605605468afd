#pragma once

#include <tessera/base/algorithms.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/coefficient.h>
#include <tessera/space/ghost_tail.h>

#include <memory>
#include <vector>

// Coarser spaces for geometric multigrid on quadrilaterals or hexahedra: one of
// a lower degree on the same cells, and one of degree 1 on cells of twice the
// size. A part of a mesh has its part of the coarser space, of larger cells if
// it has all children of each: a node is owned where the finer nodes beside it
// are, and ghosts are exchanged in the order in which ghosts of the finer space
// are.
namespace tessera
{
  /// How a part knows the ghosts of a space.
  struct GhostsOfPart
  {
    SharedNodes shared;
    std::vector<int> at_owner; ///< the index of each ghost there, [n_ghosts]
  };

  /// A coarser space, whose functions are functions of the finer one: exactly
  /// if cells are parallelepipeds, and in reference coordinates in any case.
  /// Nodes keep the order of the finer nodes, and there is no `mesh_dof`.
  ///
  /// A cell of it covers one cell of the finer space or 2^dim of them, whose
  /// nodes are its *lattice*: (`n_lattice`)^dim nodes in lexicographic order.
  /// The value at node (t_0, t_1, ...) of the lattice is
  ///   sum over nodes (i_0, i_1, ...) of the cell of
  ///     embedding[t_0][i_0] embedding[t_1][i_1] ... u_i.
  struct CoarserSpace
  {
    std::shared_ptr<const Space> space;
    int n_lattice = 0; ///< nodes of the lattice in a direction
    /// [n_lattice][degree + 1]
    std::vector<double> embedding;
    /// The owned nodes of the finer space in each cell, [n_cells]
    /// [n_lattice^dim]; -1 if the node is not owned or belongs to an earlier
    /// cell, so that every owned node occurs once.
    std::vector<int> lattice;
    /// The places of the cells of the finer space that each cell covers,
    /// [n_cells][n_children].
    std::vector<int> children;
    int n_children = 1;
    SharedNodes shared; ///< for ghosts of `space`
  };

  /// Throws ParameterError for other cells than quadrilaterals and hexahedra
  /// and for hanging nodes.
  void
  check_coarsening(const Space &finer);

  /// Returns the space of a lower degree, 1 or 2, on the same cells. A node
  /// between vertices is given if all finer nodes within its edge, face or cell
  /// are. Returns none if no node of a whole mesh is free. In one of several
  /// parts, `part` has the ghosts of the finer space, and cells of the mesh are
  /// the places of its cells. Throws what `check_coarsening` throws, and
  /// ParameterError for a degree that is not lower and for unknown ghosts.
  CoarserSpace
  lower_degree(const Space &finer, int degree,
               const GhostsOfPart *part = nullptr);

  /// Returns the space of degree 1 on the cells that were divided: the cells
  /// 2^dim m, 2^dim m + 1, ... of the mesh are the children of cell m. In a
  /// part these are the cells that it has, in the order of the mesh. The finer
  /// space has degree 1, too. Returns none if no node of a whole mesh is free,
  /// if a parent is inverted, or if the cells are not the children of others.
  /// Throws what `lower_degree` throws.
  CoarserSpace
  parent_space(const Space &finer, const GhostsOfPart *part = nullptr);

  /// Why a coarser cell does not stand for the finer ones that it covers.
  enum class Hindrance
  {
    none,
    jumps,    ///< their coefficients differ by more than 20
    stretched ///< tr G tr 1/G > 22 dim^2 / 4: eigenvalues 1 : 20 in the plane
  };

  /// The coefficient of a form on coarser cells.
  struct CoarserCoefficient
  {
    /// The means over the points of the finer cells that a cell covers, by the
    /// weights of the quadrature rule. One that is uniform stays as it is.
    Coefficient mean;
    /// The worst one of all cells. It compares traces, and the eigenvalues of
    /// one, of the metrics G = det J J^-1 K J^-T of finer cells, for a
    /// coefficient that begins with a number or a symmetric tensor K, as the
    /// stiffness of normal strains is one. Where c u v has its c behind K, c
    /// det J / 12 is added.
    Hindrance hindrance = Hindrance::none;
    /// True if for more than half of the cells the mean of tr G tr 1/G / dim^2
    /// is above 1.25, which is an eigenvalue 1 : 2.6 in the plane. Coarser
    /// cells then represent fewer errors than cells that are not stretched.
    bool is_stretched = false;
  };

  /// Returns this for a coefficient of the finer space.
  CoarserCoefficient
  coarser_coefficient(const Coefficient &of_finer, const Space &finer,
                      const CoarserSpace &coarser);

  /// The nodes of coarser cells and their lattices as transfers read them, in
  /// the memory of a backend and in packed arrays, [n_batches][entries][lanes]
  /// with lane fastest.
  struct LatticeMap
  {
    static constexpr int lanes = 32;

    int n_nodes = 0, n_lattice = 0; ///< of a cell
    /// The values of the coarser functions at the nodes of the lattice,
    /// [n_nodes][n_lattice].
    std::vector<double> values;
    std::shared_ptr<const Array<int>> nodes;
    Array<int> lattice; ///< as in CoarserSpace
    /// The positions in `nodes` at which each owned coarser node and each ghost
    /// occurs.
    algorithms::Groups places;
  };

  LatticeMap
  make_lattice_map(const CoarserSpace &coarser, Backend backend);

  /// A coarser space that is built in the memory of the device that holds its
  /// cells. Its nodes keep the order of the finer nodes.
  struct CoarserCells
  {
    std::shared_ptr<const CellData<double>> cells;
    LatticeMap map;
    /// The place of each cell of the mesh; null if that is its number.
    std::shared_ptr<const Array<int>> places;
    int n_children = 1;
    SharedNodes shared; ///< for ghosts of the space
  };

  /// Returns true if the cells of a space that `check_coarsening` accepts can
  /// be made coarser on a device: nodes have one component, and cells are
  /// mapped from their vertices.
  bool
  has_coarser_cells(const Space &space);

  /// Returns the place of each cell of the mesh of a space, or of each cell of
  /// its part in the order of the mesh, in the memory of a backend.
  std::shared_ptr<const Array<int>>
  places_of_cells(const Space &space, Backend backend);

  /// Makes the same space as `lower_degree` above.
  CoarserCells
  lower_degree(const CellData<double> &finer, int degree,
               std::shared_ptr<const Array<int>> places,
               const GhostsOfPart *part = nullptr);

  /// Makes the same space as `parent_space`.
  CoarserCells
  parent_cells(const CellData<double> &finer,
               const std::shared_ptr<const Array<int>> &places,
               const GhostsOfPart *part = nullptr);

  /// Computes the same as `coarser_coefficient` above.
  CoarserCoefficient
  coarser_coefficient(const Coefficient &of_finer,
                      const CellData<double> &finer,
                      const std::shared_ptr<const Array<int>> &finer_places,
                      const CoarserCells &coarser);
} // namespace tessera
