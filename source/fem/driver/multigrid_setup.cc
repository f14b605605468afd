#include <tessera/base/error.h>
#include <tessera/fem/driver/multigrid_setup.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/sparse_product.h>
#include <tessera/program/timing.h>

#include <ml_include.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace tessera
{
  namespace
  {
    /// Appends coarser levels to the levels of higher degrees.
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

    /// Initialises MPI unless that is done already; MPI is finalised when the
    /// program ends.
    void
    need_mpi()
    {
      int is_initialized = 0;
      MPI_Initialized(&is_initialized);
      if (is_initialized != 0)
        return;
      if (MPI_Init(nullptr, nullptr) != MPI_SUCCESS)
        throw Error(ExitCode::other,
                    "MPI, which the library ML needs, cannot be initialised.");
      std::atexit([]() {
        int is_finalized = 0;
        MPI_Finalized(&is_finalized);
        if (is_finalized == 0)
          MPI_Finalize();
      });
    }


    /// Copies the entries of a matrix of ML. Columns increase along a row. A
    /// row without entries gets a one on the diagonal if `with_identity`.
    SparseMatrix
    rows_of(ML_Operator &matrix, const int n_columns, const bool with_identity)
    {
      SparseMatrix result;
      result.n_columns = n_columns;
      result.pattern.row_start.push_back(0);
      std::vector<int> columns(64);
      std::vector<double> values(64);
      std::vector<std::pair<int, double>> row;
      for (int r = 0; r < matrix.outvec_leng; ++r)
        {
          int length = 0;
          while (
            ML_Operator_Getrow(&matrix, 1, &r, static_cast<int>(values.size()),
                               columns.data(), values.data(), &length) == 0)
            {
              columns.resize(2 * columns.size());
              values.resize(2 * values.size());
            }
          row.clear();
          bool is_empty = true;
          for (int k = 0; k < length; ++k)
            {
              row.emplace_back(columns[k], values[k]);
              is_empty = is_empty && values[k] == 0.;
            }
          if (is_empty && with_identity)
            row.assign(1, {r, 1.});
          std::sort(row.begin(), row.end());
          for (const auto &[column, value] : row)
            {
              result.pattern.columns.push_back(column);
              result.values.push_back(value);
            }
          result.pattern.row_start.push_back(
            static_cast<std::int64_t>(result.values.size()));
        }
      return result;
    }


    /// A hierarchy of ML whose finest level reads a matrix of ours.
    class Hierarchy
    {
    public:
      Hierarchy(const SparseMatrix &A, const AggregationOptions &options)
        : row_start(A.pattern.row_start.begin(), A.pattern.row_start.end())
      {
        const int n  = A.n_rows();
        rows.columns = const_cast<int *>(A.pattern.columns.data());
        rows.values  = const_cast<double *>(A.values.data());
        rows.rowptr  = row_start.data();
        rows.Nnz     = static_cast<int>(A.n_nonzeros());
        rows.Nrows = rows.Ncols = n;
        ML_Set_PrintLevel(0);
        ML_Create2(&ml, options.max_levels, MPI_COMM_SELF);
        ML_Init_Amatrix(ml, 0, n, n, &rows);
        ML_Set_Amatrix_Getrow(ml, 0, CSR_getrow, nullptr, n);
        ML_Set_Amatrix_Matvec(ml, 0, CSR_matvec);
        ml->Amat[0].max_nz_per_row = A.pattern.max_row_length();
        ml->Amat[0].N_nonzeros     = rows.Nnz;
        ML_Set_SpectralNormScheme_Calc(ml);

        ML_Aggregate_Create(&aggregates);
        ML_Aggregate_Set_CoarsenScheme_Uncoupled(aggregates);
        ML_Aggregate_Set_MaxLevels(aggregates, options.max_levels);
        ML_Aggregate_Set_MaxCoarseSize(aggregates, options.max_coarsest);
        ML_Aggregate_Set_Threshold(aggregates, options.threshold);
        NearNullSpace modes = options.near_null_space;
        if (modes.n == 0)
          modes =
            constant_modes(n / options.n_components, options.n_components);
        ML_Aggregate_Set_NullSpace(aggregates, options.n_components, modes.n,
                                   modes.modes.data(), n);
        n_levels =
          ML_Gen_MGHierarchy_UsingAggregation(ml, 0, ML_INCREASING, aggregates);
      }

      Hierarchy(const Hierarchy &) = delete;

      ~Hierarchy()
      {
        ML_Aggregate_Destroy(&aggregates);
        ML_Destroy(&ml);
      }

      /// Appends the levels below the finest one.
      void
      append_to(MultigridLevels &levels) const
      {
        for (int l = 1; l < n_levels; ++l)
          {
            const int n = ml->Amat[l].outvec_leng;
            levels.prolongations.push_back(rows_of(ml->Pmat[l], n, false));
            levels.matrices.push_back(rows_of(ml->Amat[l], n, true));
          }
      }

    private:
      std::vector<int> row_start;
      ML_CSR_MSRdata rows      = {}; ///< columns and values are not copied
      ML *ml                   = nullptr;
      ML_Aggregate *aggregates = nullptr;
      int n_levels             = 0;
    };


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


  MultigridLevels
  aggregate(const SparseMatrix &A, const AggregationOptions &options)
  {
    const program::Timer timer;
    check_for_aggregation(view(A), A.n_nonzeros(), Backend::host);
    constexpr int most = std::numeric_limits<int>::max(); // ML counts so far
    if (A.n_nonzeros() > most)
      throw MatrixError("The matrix has " + std::to_string(A.n_nonzeros()) +
                        " entries, of which the library ML counts at most " +
                        std::to_string(most) +
                        "; choose another preconditioner.");
    check_options(options, A.n_rows());
    MultigridLevels levels;
    levels.finest_nonzeros = A.n_nonzeros();
    if (A.n_rows() > options.max_coarsest)
      {
        need_mpi();
        Hierarchy(A, options).append_to(levels);
      }
    if (levels.matrices.empty())
      {
        levels.prolongations.push_back(identity_prolongation(A.n_rows()));
        levels.matrices.push_back(A);
      }
    levels.seconds = timer.seconds();
    levels.made_by = "ml";
    return levels;
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
        const SparseRows &P = nodes.vertices.prolongation;
        SparseRows half, coarser;
        galerkin_product(view(A), P, transpose(P), half, coarser);
        levels.prolongations.push_back(to_host(P));
        levels.matrices.push_back(to_host(coarser));
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
} // namespace tessera
