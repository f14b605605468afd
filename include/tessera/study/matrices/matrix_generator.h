#pragma once

#include <tessera/matrix/sparse_matrix.h>

#include <array>
#include <cstdint>

// Matrices of any size that need no mesh file, for tests of formats and
// measurements of products. Everything is a function of the parameters alone,
// for any number of threads. Values are multiples of 2^-20 and the same on
// every machine, except in GeneratedLaplacian, where the last bit depends on
// whether the compiler fuses multiplications and additions. Rows are not
// empty unless that is stated, columns increase along a row and no value is
// zero.
//
// "Symmetric values" below are a_ij = a_ji in (-1, -1/2] beside the diagonal
// and a_ii = 1 + sum |a_ij|: symmetric and strictly diagonally dominant, hence
// positive definite, and CG and SSOR work. Other values have either sign and a
// size in [1/2, 1).
namespace tessera
{
  /// -div grad u with Lagrange elements of degree p at Gauss-Lobatto nodes on
  /// n_x by n_y (by n_z) boxes, all nodes numbered lexicographically, x
  /// fastest. On boxes of widths h the assembled matrix is a sum of Kronecker
  /// products of matrices of intervals, with the Gauss rule of p + 1 points
  /// exact:
  ///   A = Mz x My x Kx + Mz x Ky x Mx + Kz x My x Mx,
  ///   K_ij = int phi_i' phi_j', M_ij = int phi_i phi_j.
  /// Rows sum to zero; `dirichlet` leaves out the nodes of the boundary, which
  /// makes A positive definite. Symmetric bit by bit. With equal widths some
  /// entries vanish (next neighbours of trilinear cubes): the default widths
  /// avoid this.
  struct GeneratedLaplacian
  {
    int dim    = 2; ///< 2 or 3; n_z is read in three dimensions alone
    int degree = 1; ///< 1 to 4
    int n_x    = 1;
    int n_y    = 1;
    int n_z    = 1;
    std::array<double, 3> widths = {1, 1.1, 1.3}; ///< of a box
    bool dirichlet               = false;
  };

  /// Throws ParameterError for a dimension, degree or count that is not legal,
  /// a width that is not positive, or where nothing is free.
  SparseMatrix
  generate(const GeneratedLaplacian &parameters);

  /// How the nodes of a GeneratedGraph, which stand in a cube, are numbered.
  enum class GraphOrder
  {
    lexicographic, ///< layer by layer, as a plain mesh
    tiled,         ///< cube by cube of 4^3 nodes: entries come in clusters
    shuffled       ///< at random: no locality is left
  };

  /// A matrix of an unstructured mesh by its figures: nodes stand in a cube,
  /// and each is coupled to itself and to near ones, nearest first, except a
  /// quarter of them that seem further, until it has the number of neighbours
  /// that was drawn for it. A node has `block_size` rows, in dense blocks like
  /// vector-valued elements; the last one may have fewer. The pattern is
  /// symmetric, values are symmetric values.
  ///
  /// Lengths of rows, in [least, most], are spread evenly about the mean, up to
  /// a share `spread` of the distance from the mean to the nearer end. Half of
  /// the share `tails` of the nodes lies between this range and `least`, half
  /// between it and `most`. The drawn lengths are met, except for a few rows at
  /// the end of the cube, so that the mean is a little less than `mean`. For
  /// very small matrices rows are shorter.
  ///
  /// The rows of `n_fixed` nodes are cut off, as constrained ones: they couple
  /// within their block alone and there with rows at most `fixed_bandwidth`
  /// away. `mean` is the mean over all rows.
  struct GeneratedGraph
  {
    int n_rows          = 1;
    int block_size      = 1;
    int least           = 1; ///< a multiple of block_size, as `most`
    int most            = 1;
    double mean         = 1;
    double tails        = 0.1;
    double spread       = 0.5;
    int n_fixed         = 0;
    int fixed_bandwidth = 0;
    GraphOrder order    = GraphOrder::lexicographic;
    std::uint64_t seed  = 1;
  };

  /// Throws ParameterError unless 1 <= n_rows <= 10^9 block_size, 1 <=
  /// block_size <= least <= mean <= most <= 1000 block_size with multiples of
  /// block_size, 0 <= tails < 1, 0 <= spread <= 1, 0 <= fixed_bandwidth and 0
  /// <= n_fixed < the number of nodes.
  SparseMatrix
  generate(const GeneratedGraph &parameters);

  /// Rows whose lengths, for a share `tail` of them, follow a power law, p(l) ~
  /// l^-alpha on [least, most] with the alpha that gives the mean, like links
  /// between pages; the lengths of other rows are even on [least, 2 mean -
  /// least]. All in random order. A share `local` of the columns is at most
  /// `reach` from the diagonal; others are anywhere or, if `popular`, prefer
  /// some columns: the column of rank r is as likely as r^-1/2.
  struct GeneratedRandomRows
  {
    int n_rows         = 1;
    int n_columns      = 1;
    int least          = 1; ///< 0: there are empty rows
    int most           = 1; ///< cut off at n_columns
    double mean        = 1;
    double tail        = 1;
    double local       = 0.5;
    int reach          = 100;
    bool popular       = false;
    bool diagonal      = false; ///< every row has one, 1 + sum |a_ij|
    std::uint64_t seed = 1;
  };

  /// Throws ParameterError unless the counts are positive, 0 <= least <= mean
  /// <= (least + most) / 2 and most < 2^20, shares are in [0, 1] and the reach
  /// is not negative. `diagonal` asks for least >= 1 and n_columns >= n_rows.
  SparseMatrix
  generate(const GeneratedRandomRows &parameters);

  /// Rows that couple with rows at most `half_bandwidth` away: a share `fill`
  /// of these places has an entry, and the whole diagonal. Symmetric values.
  struct GeneratedBand
  {
    int n_rows         = 1;
    int half_bandwidth = 1;
    double fill        = 1;
    std::uint64_t seed = 1;
  };

  /// Throws ParameterError unless 1 <= n_rows, 0 <= half_bandwidth and fill is
  /// in [0, 1].
  SparseMatrix
  generate(const GeneratedBand &parameters);

  /// Points of an n_x by n_y grid with their two to four neighbours, and with
  /// themselves if `diagonal`, which makes the values symmetric ones: 2 (2 n_x
  /// n_y - n_x - n_y) entries, and n_x n_y more. A single point without the
  /// diagonal is an empty row.
  struct GeneratedGrid
  {
    int n_x            = 1;
    int n_y            = 1;
    bool diagonal      = false;
    std::uint64_t seed = 1;
  };

  /// Throws ParameterError for counts below 1 or too many rows.
  SparseMatrix
  generate(const GeneratedGrid &parameters);

  /// The hopping term of Wilson's fermions on a periodic lattice of n^3 by n_t
  /// sites with four spins of three colours: spins of a site couple with two
  /// spins of each of the six neighbours in space and with one of one of the
  /// two in time, all colours, so that every row has 39 entries. Row = 12 site
  /// + 3 spin + colour, sites lexicographic, time slowest.
  struct GeneratedLattice
  {
    int n              = 3; ///< at least 3: neighbours are different
    int n_t            = 1;
    std::uint64_t seed = 1;
  };

  /// Throws ParameterError for counts that are too small or too many rows.
  SparseMatrix
  generate(const GeneratedLattice &parameters);
} // namespace tessera
