#pragma once

#include <tessera/base/array.h>
#include <tessera/space/interpolation_tables.h>
#include <tessera/space/quadrature.h>
#include <tessera/space/space.h>

#include <algorithm>
#include <array>
#include <vector>

namespace tessera
{
  /// Evaluates functions of a space, with their gradients, at the points of any
  /// rule in the cells, on the host. Integrals of a solution are sums over
  /// these points. A batch of cells is evaluated together by SIMD vectors, on
  /// quadrilaterals and hexahedra by sum factorisation.
  ///
  /// A curved cell (Geometry::quadrature) is mapped by the polynomial of the
  /// degree of the element that the points stored in the space determine. All
  /// other cells are mapped by their vertices.
  class CellEvaluator
  {
  public:
    static constexpr int lanes = 8; ///< cells of a batch

    /// The results for a batch of cells, and the memory to compute them. Every
    /// thread needs its own object. Entry i of the cell in a lane stands i *
    /// lanes places behind entry 0 of that cell.
    class Batch
    {
    public:
      int first   = 0; ///< cell of the space
      int n_cells = 0; ///< lanes that are cells

      /// The weight of point q times the determinant of the Jacobian.
      double
      dx(const int q, const int lane) const
      {
        return of_dx.data()[q * lanes + lane];
      }

      /// Coordinate d of point q.
      double
      x(const int d, const int q, const int lane) const
      {
        return points.data()[(d * n_points + q) * lanes + lane];
      }

      /// Component c of the function at point q.
      double
      value(const int c, const int q, const int lane) const
      {
        return values.data()[(c * n_points + q) * lanes + lane];
      }

      /// Its derivative in direction d.
      double
      gradient(const int c, const int d, const int q, const int lane) const
      {
        return gradients.data()[((c * dim + d) * n_points + q) * lanes + lane];
      }

    private:
      friend CellEvaluator;

      int dim = 0, n_points = 0;
      Array<double> of_dx;     ///< [n_points][lanes]
      Array<double> points;    ///< [dim][n_points][lanes]
      Array<double> values;    ///< [n_components][n_points][lanes]
      Array<double> gradients; ///< [n_components][dim][n_points][lanes]
      Array<double> nodes, jacobians, scratch;
    };

    /// For simplices, `rule` is a rule of the cells; otherwise it is a rule of
    /// the unit interval, and the cells use its tensor product. Functions have
    /// `n_components`. `space` must live longer than this object.
    CellEvaluator(const Space &space, const QuadratureRule &rule,
                  int n_components);

    /// Evaluates at the points of `cell_rule`.
    CellEvaluator(const Space &space, int n_components);

    const Space &
    space() const
    {
      return of_cells;
    }

    int
    n_points() const
    {
      return static_cast<int>(weights.size());
    }

    int
    n_batches() const
    {
      return (of_cells.n_cells() + lanes - 1) / lanes;
    }

    Batch
    make_batch() const;

    /// Computes points and weights of batch b and the function u,
    /// [n_local][n_components], at the points. Several threads may call it.
    void
    evaluate(const double *u, int b, Batch &batch) const;

    /// Calls visit(batch, sums) for all batches by all threads, and returns the
    /// sums, to which `visit` adds. Their bits do not depend on the number of
    /// threads.
    template <std::size_t n, class Visit>
    std::array<double, n>
    sum(const double *const u, const Visit &visit) const
    {
      constexpr int batches_per_block = 32;
      const int n_blocks =
        (n_batches() + batches_per_block - 1) / batches_per_block;
      std::vector<std::array<double, n>> blocks(n_blocks,
                                                std::array<double, n>{});
#pragma omp parallel
      {
        Batch batch = make_batch();
#pragma omp for schedule(static)
        for (int block = 0; block < n_blocks; ++block)
          for (int b = block * batches_per_block;
               b < std::min(n_batches(), (block + 1) * batches_per_block); ++b)
            {
              evaluate(u, b, batch);
              visit(batch, blocks[block]);
            }
      }
      std::array<double, n> total{};
      for (const auto &block : blocks)
        for (std::size_t i = 0; i < n; ++i)
          total[i] += block[i];
      return total;
    }

  private:
    const Space &of_cells;
    int n_components;
    InterpolationTables function, map;
    std::vector<double> weights; ///< of the points of a cell
  };
} // namespace tessera
