// This is a module of its own, so that Trilinos is loaded only when it is asked
// for.
#include "epetra_matrix.h"
#include "shared_rows.h"
#include "solver.h"
#include "start_mpi.h"

#include <AztecOO.h>
#include <Epetra_LinearProblem.h>
#include <Epetra_MpiComm.h>
#include <Epetra_Vector.h>
#include <Teuchos_ParameterList.hpp>
#include <ml_MultiLevelPreconditioner.h>

namespace tessera::benchmarks
{
  namespace
  {
    Teuchos::ParameterList
    smoothed_aggregation()
    {
      Teuchos::ParameterList list;
      ML_Epetra::SetDefaults("SA", list);
      list.set("ML output", 0);
      return list;
    }

    /// AztecOO's conjugate gradients with smoothed aggregation of ML, its
    /// defaults, in all processes.
    class MlCG : public Solver<double>
    {
    public:
      explicit MlCG(const SparseMatrix &from)
        : shared(from), communicator(MPI_COMM_WORLD),
          A(shared.rows(), communicator), ml(A.matrix, smoothed_aggregation())
      {}

      CGResult
      solve(Vector<double> &x, const Vector<double> &b,
            const CGControl &control) override
      {
        Epetra_Vector solution(View, A.rows, shared.start(x));
        Epetra_Vector right_side(View, A.rows,
                                 const_cast<double *>(shared.part_of(b)));
        Epetra_LinearProblem problem(&A.matrix, &solution, &right_side);
        AztecOO solver(problem);
        solver.SetPrecOperator(&ml);
        solver.SetAztecOption(AZ_solver, AZ_cg);
        solver.SetAztecOption(AZ_conv, AZ_rhs);
        solver.SetAztecOption(AZ_output, AZ_none);
        const int code =
          solver.Iterate(control.max_iterations, control.relative_tolerance);
        shared.finish(x);
        CGResult result;
        check_epetra(right_side.Norm2(&result.initial_residual));
        result.iterations = solver.NumIters();
        result.residual   = solver.TrueResidual();
        set_end(result, code == 0, control);
        return result;
      }

    private:
      SharedRows shared;
      Epetra_MpiComm communicator;
      EpetraCopy A;
      ML_Epetra::MultiLevelPreconditioner ml;
    };
  } // namespace
} // namespace tessera::benchmarks

extern "C" void
tessera_start()
{
  tessera::benchmarks::start_mpi();
}

extern "C" tessera::benchmarks::Solver<double> *
tessera_make_ml_cg(const tessera::SparseMatrix &matrix)
{
  return new tessera::benchmarks::MlCG(matrix);
}
