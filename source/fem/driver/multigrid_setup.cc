#include <tessera/fem/driver/multigrid_setup.h>
#include <tessera/fem/input/patterns.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/vertex_prolongation.h>
#include <tessera/program/timing.h>

#include <algorithm>

namespace tessera
{
  namespace
  {
    /// Returns 1 for rows that couple to no other one, such as those of given
    /// values.
    std::vector<char>
    rows_alone(const SparseMatrix &A)
    {
      std::vector<char> alone(A.n_rows(), 1);
      for (int row = 0; row < A.n_rows(); ++row)
        for (auto k = A.pattern.row_start[row];
             k < A.pattern.row_start[row + 1]; ++k)
          if (A.pattern.columns[k] != row && A.values[k] != 0.)
            alone[row] = 0;
      return alone;
    }

    /// Returns the matrix that computes all entries that have rows from those
    /// that do not hang: the identity above the rows of hanging entries.
    SparseMatrix
    expansion(const Space &space)
    {
      const int nc                     = space.n_components;
      const int n_free                 = (space.n_owned + space.n_ghosts) * nc;
      const LinearConstraints &hanging = space.hanging;
      const auto is_fixed              = [&](const int entry) {
        return std::binary_search(space.fixed.begin(), space.fixed.end(),
                                               entry);
      };
      SparseMatrix C;
      C.n_columns = n_free;
      C.pattern.row_start.push_back(0);
      int k = 0;
      for (int entry = 0; entry < space.n_stored() * nc; ++entry)
        {
          if (entry < n_free)
            {
              C.pattern.columns.push_back(entry);
              C.values.push_back(1.);
            }
          else if (k < hanging.size() && hanging.entry[k] == entry)
            {
              for (auto m = hanging.start[k]; m < hanging.start[k + 1]; ++m)
                if (const int source = hanging.source[m];
                    source < n_free && !is_fixed(source))
                  {
                    C.pattern.columns.push_back(source);
                    C.values.push_back(hanging.weight[m]);
                  }
              ++k;
            }
          C.pattern.row_start.push_back(
            static_cast<std::int64_t>(C.values.size()));
        }
      return C;
    }

    NearNullSpace
    modes_at(const std::vector<double> &positions, const Space &space)
    {
      const int dim = space.dim();
      return space.n_components == dim
               ? rigid_body_modes(positions, dim)
               : constant_modes(static_cast<int>(positions.size()) / dim,
                                space.n_components);
    }

    /// Makes the levels below those of degree 1.
    void
    append(MultigridLevels &levels, MultigridLevels coarser)
    {
      for (auto &P : coarser.prolongations)
        levels.prolongations.push_back(std::move(P));
      for (auto &A : coarser.matrices)
        levels.matrices.push_back(std::move(A));
    }
  } // namespace


  void
  MultigridSetup::declare(Parameters &parameters)
  {
    namespace Patterns = dealii::Patterns;
    parameters.declare(
      "Solver/Cycle", "W", Patterns::Selection("V|W"),
      "for multigrid: whether a level is visited once or twice "
      "for each visit of the next finer one");
    parameters.declare("Solver/Smoother degree", "2", Patterns::Integer(1, 64),
                       "for multigrid: of the Chebyshev polynomial that "
                       "smooths, which is the number of its products");
    parameters.declare(
      "Solver/Coarsening", "degree_first",
      Patterns::Selection("degree_first|aggregation"),
      "for multigrid at degree 2 and higher: the space of degree 1 on the same "
      "mesh, whose matrix is aggregated, or aggregates of all nodes");
  }


  MultigridSetup::MultigridSetup(const Parameters &parameters)
    : coarsening(parameters.get("Solver/Coarsening") == "aggregation"
                   ? Coarsening::aggregation
                   : Coarsening::degree_first)
  {
    options.cycle = multigrid_cycle_from_string(parameters.get("Solver/Cycle"));
    options.smoother_degree = parameters.get_integer("Solver/Smoother degree");
  }


  template <class Number>
  SparseMatrix
  matrix_of_owned(const RowMatrix<Number> &rows, const Space &space)
  {
    SparseMatrix A = collect_rows(rows, space.n_stored() * space.n_components);
    // The ones of given values are in A, those of ghosts at their owners.
    return space.n_hanging == 0 ? A
                                : galerkin_product(expansion(space), A, false);
  }


  MultigridLevels
  make_levels(const SparseMatrix &A, const Space &space,
              const Coarsening coarsening, AggregationOptions options)
  {
    const program::Timer timer;
    const int nc         = space.n_components;
    const auto is_given  = rows_alone(A);
    options.n_components = nc;
    MultigridLevels levels;
    VertexSpace vertices;
    if (space.degree > 1 && coarsening == Coarsening::degree_first)
      vertices = make_vertex_space(space, is_given);
    if (vertices.n_nodes() == 0)
      {
        options.near_null_space = modes_at(node_positions(space), space);
        clear_fixed(options.near_null_space, is_given);
        levels = aggregate(A, options);
      }
    else
      {
        levels.matrices.push_back(galerkin_product(vertices.prolongation, A));
        levels.prolongations.push_back(std::move(vertices.prolongation));
        levels.finest_nonzeros          = A.n_nonzeros();
        const SparseMatrix &of_degree_1 = levels.matrices.back();
        if (of_degree_1.n_rows() > options.max_coarsest)
          {
            const int dim        = space.dim();
            const auto all_nodes = node_positions(space);
            std::vector<double> positions;
            for (const int node : vertices.nodes)
              for (int d = 0; d < dim; ++d)
                positions.push_back(all_nodes[std::size_t(node) * dim + d]);
            options.near_null_space = modes_at(positions, space);
            clear_fixed(options.near_null_space, rows_alone(of_degree_1));
            append(levels, aggregate(of_degree_1, options));
          }
      }
    levels.seconds = timer.seconds();
    return levels;
  }


  template SparseMatrix
  matrix_of_owned<double>(const RowMatrix<double> &, const Space &);
  template SparseMatrix
  matrix_of_owned<float>(const RowMatrix<float> &, const Space &);
} // namespace tessera
