#include <tessera/fem/driver/multigrid_setup.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/program/timing.h>

#include <algorithm>

namespace tessera
{
  namespace
  {
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

    /// Makes the levels below those of degree 1.
    void
    append(MultigridLevels &levels, MultigridLevels coarser)
    {
      for (auto &P : coarser.prolongations)
        levels.prolongations.push_back(std::move(P));
      for (auto &A : coarser.matrices)
        levels.matrices.push_back(std::move(A));
    }

    /// Returns the modes of nodes with these rows, or the constants.
    NearNullSpace
    modes_of(NearNullSpace modes, const SparseMatrix &A, const int n_components)
    {
      if (modes.n == 0)
        modes = constant_modes(A.n_rows() / n_components, n_components);
      clear_fixed(modes, rows_alone(view(A), Backend::host).to_vector());
      return modes;
    }

    LevelMaker
    describe_ml()
    {
      return {
        "ml", "the library ML on one thread of the host",
        [](const PreconditionerProblem &problem, const Coarsening coarsening) {
          return problem.space
                   ? make_levels(problem.matrix(), *problem.space, coarsening)
                   : aggregate(problem.matrix());
        }};
    }

    const Registration<LevelMaker> ml_registration(describe_ml);
  } // namespace


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
    options.n_components = space.n_components;
    AggregatedNodes nodes =
      aggregated_nodes(view(A), Backend::host, space, coarsening);
    MultigridLevels levels;
    if (nodes.vertices.n_nodes() == 0)
      {
        options.near_null_space =
          modes_of(std::move(nodes.modes), A, space.n_components);
        levels = aggregate(A, options);
      }
    else
      {
        levels.prolongations.push_back(to_host(nodes.vertices.prolongation));
        levels.matrices.push_back(
          galerkin_product(levels.prolongations.back(), A));
        levels.finest_nonzeros          = A.n_nonzeros();
        const SparseMatrix &of_degree_1 = levels.matrices.back();
        if (of_degree_1.n_rows() > options.max_coarsest)
          {
            options.near_null_space =
              modes_of(std::move(nodes.modes), of_degree_1, space.n_components);
            append(levels, aggregate(of_degree_1, options));
          }
      }
    levels.seconds = timer.seconds();
    levels.made_by = "ml";
    return levels;
  }


  template SparseMatrix
  matrix_of_owned<double>(const RowMatrix<double> &, const Space &);
  template SparseMatrix
  matrix_of_owned<float>(const RowMatrix<float> &, const Space &);
} // namespace tessera
