#include "multigrid_memory.h"

#include <cmath>

namespace tessera
{
  namespace
  {
    /// The levels that smoothed aggregation makes of a matrix of scalar
    /// unknowns on a large mesh. The operator complexity is 1 + coarser.
    struct AggregationCounts
    {
      double coarser; ///< nonzeros of all coarser levels for each of the matrix
      double prolongation; ///< entries of a row
    };

    /// Measured with a million unknowns of degree 1 on distorted cells, with
    /// row starts and other arrays of coarser levels among the entries.
    AggregationCounts
    aggregation_counts(const CellType type)
    {
      switch (type)
        {
          case CellType::hexahedron:
            return {0.04, 5.4};
          case CellType::triangle:
            return {0.2, 3.7};
          case CellType::tetrahedron:
            return {0.19, 5.1};
          default:
            return {0.125, 3.9};
        }
    }

    /// Returns the mean number of vertex functions at a node of degree p.
    double
    functions_of_degree_1(const CellType type, const int p)
    {
      switch (type)
        {
          case CellType::triangle: // vertices, and edges thrice as many
            return (1 + 3 * 2.) / 4;
          case CellType::tetrahedron: // and six times
            return (1 + 6 * 2.) / 7;
          default:
            return std::pow((1 + 2. * (p - 1)) / p, dimension(type));
        }
    }

    /// Counts levels that are spaces: cells, what their nodes are, lattices
    /// and vectors.
    PreconditionerMemory
    memory_of_spaces(const PreconditionerCounts &n)
    {
      const int dim  = dimension(n.cell.cell_type);
      const double s = n.cell.number_bytes, nc = n.n_components;
      const auto nodes = [dim](const int per_direction) {
        return std::pow(per_direction, dim);
      };
      PreconditionerMemory memory{4 * s * n.rows()}; // smoother, residual
      memory.making_of = "making of levels";
      const auto add = [&](const double cells, const int p, const int n_lattice,
                           const double dofs) {
        memory.stored +=
          cells * 4 * (3 * nodes(p + 1) + nodes(n_lattice) + nodes(2)) +
          dofs * (8 + 6 * s * nc + dim * s);
        memory.making +=
          cells * 4 * (nodes(p + 1) + 2 * nodes(2) + nodes(n_lattice)) +
          dofs * 8 * dim;
      };
      for (int p = n.cell.degree; p > 1; p = (p + 1) / 2)
        add(1, (p + 1) / 2, p + 1, n.linear.dofs * nodes((p + 1) / 2));
      const double parents = 1 / (nodes(2) - 1);
      add(parents, 1, 3, n.linear.dofs * parents);
      return memory;
    }
  } // namespace


  PreconditionerMemory
  memory_of_levels(const PreconditionerCounts &n, const Coarsening coarsening,
                   const bool made_on_host)
  {
    // Where nothing is asked for, aggregates may be taken.
    if (coarsening == Coarsening::geometric)
      return memory_of_spaces(n);
    const CellType type = n.cell.cell_type;
    const double s      = n.cell.number_bytes;
    const int dim       = dimension(type);
    const double nc     = n.n_components;
    const bool by_degree =
      n.cell.degree > 1 && coarsening == Coarsening::degree_first;
    const MemoryCounts &first = by_degree ? n.linear : n.cell;
    const AggregationCounts a = aggregation_counts(type);
    // An aggregate of elastic nodes has an unknown for each rigid-body mode.
    const double modes = nc == dim ? 3. * (dim - 1) : nc;
    double nonzeros    = a.coarser * first.nonzeros * modes * modes +
                      2 * a.prolongation * modes * first.dofs * nc;
    double vectors = 4 * n.rows(); // of the smoother, and a residual
    double rows    = first.nonzeros * nc * nc; // from which levels are made
    if (by_degree)
      {
        nonzeros += first.nonzeros * nc * nc +
                    2 * functions_of_degree_1(type, n.cell.degree) * n.rows();
        vectors += 6 * first.dofs * nc;
        rows += n.cell.nonzeros * nc * nc;
      }
    return {(s + 4) * nonzeros + s * vectors,
            12 * (2 * rows + nonzeros +
                  (n.has_rows ? 0. : n.cell.nonzeros * nc * nc)),
            "making of levels", made_on_host};
  }
} // namespace tessera
