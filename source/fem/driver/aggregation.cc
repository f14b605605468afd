#include <tessera/base/error.h>
#include <tessera/fem/driver/aggregation.h>
#include <tessera/matrix/transpose.h>
#include <tessera/program/timing.h>

#include <mpi.h>

#include "ml_matrix.h"

namespace tessera
{
  namespace
  {
    /// A hierarchy of ML whose finest level reads a matrix of ours.
    class Hierarchy
    {
    public:
      Hierarchy(const SparseMatrix &A, const AggregationOptions &options)
        : rows(A)
      {
        const int n = A.n_rows();
        ML_Set_PrintLevel(0);
        ML_Create2(&ml, options.max_levels, MPI_COMM_SELF);
        ML_Init_Amatrix(ml, 0, n, n, &rows.data);
        ML_Set_Amatrix_Getrow(ml, 0, CSR_getrow, nullptr, n);
        ML_Set_Amatrix_Matvec(ml, 0, CSR_matvec);
        ml->Amat[0].max_nz_per_row = A.pattern.max_row_length();
        ml->Amat[0].N_nonzeros     = rows.data.Nnz;
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
      MlRows rows;
      ML *ml                   = nullptr;
      ML_Aggregate *aggregates = nullptr;
      int n_levels             = 0;
    };

    /// A communicator of this process alone.
    class MlCommunicator
    {
    public:
      MlCommunicator()
      {
        ML_Comm_Create2(&communicator, MPI_COMM_SELF);
      }

      MlCommunicator(const MlCommunicator &) = delete;

      ~MlCommunicator()
      {
        ML_Comm_Destroy(&communicator);
      }

      MlOperator
      make_operator() const
      {
        return MlOperator(ML_Operator_Create(communicator));
      }

      /// Makes an operator that reads the rows.
      MlOperator
      make_operator(MlRows &rows) const
      {
        MlOperator result = make_operator();
        ML_Operator_Set_ApplyFuncData(result.get(), rows.data.Ncols,
                                      rows.data.Nrows, &rows.data,
                                      rows.data.Nrows, CSR_matvec, 0);
        ML_Operator_Set_Getrow(result.get(), rows.data.Nrows, CSR_getrow);
        result->N_nonzeros = rows.data.Nnz;
        return result;
      }

    private:
      ML_Comm *communicator = nullptr;
    };
  } // namespace


  MultigridLevels
  aggregate(const SparseMatrix &A, const AggregationOptions &options)
  {
    program::Timer timer;
    check_for_aggregation(view(A), A.n_nonzeros(), Backend::host);
    check_fits_ml(A);
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


  SparseMatrix
  galerkin_product(const SparseMatrix &P, const SparseMatrix &A,
                   const bool with_identity)
  {
    if (A.n_rows() != A.n_columns || P.n_rows() != A.n_rows())
      throw ParameterError(
        "A Galerkin product was given a prolongation of " +
        std::to_string(P.n_rows()) + " rows and a matrix of " +
        std::to_string(A.n_rows()) + " rows and " +
        std::to_string(A.n_columns) + " columns, which must be as many.");
    need_mpi();
    const SparseMatrix transposed = transpose(P);
    MlRows rows_of_a(A), rows_of_p(P), rows_of_r(transposed);
    const MlCommunicator communicator;
    const MlOperator a      = communicator.make_operator(rows_of_a),
                     p      = communicator.make_operator(rows_of_p),
                     r      = communicator.make_operator(rows_of_r),
                     result = communicator.make_operator();
    ML_rap(r.get(), a.get(), p.get(), result.get(), ML_CSR_MATRIX);
    return rows_of(*result, P.n_columns, with_identity);
  }


  void
  update(MultigridLevels &levels, const SparseMatrix &A)
  {
    const program::Timer timer;
    const SparseMatrix *finer = &A;
    for (std::size_t l = 0; l < levels.matrices.size(); ++l)
      {
        levels.matrices[l] = galerkin_product(levels.prolongations[l], *finer);
        finer              = &levels.matrices[l];
      }
    levels.finest_nonzeros = A.n_nonzeros();
    levels.seconds         = timer.seconds();
  }
} // namespace tessera
