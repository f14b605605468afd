#include "tangents.h"

#include <tessera/base/load_module.h>
#include <tessera/fem/driver/step_solver.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/study/peers/assembled_system.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

using namespace tessera;

namespace
{
  /// Preconditioners belong to tangents without reactions, for tau equal to a
  /// power of two times tau of the longest steps, so that they do not depend on
  /// earlier steps.
  class OwnTangents : public Tangents
  {
  public:
    OwnTangents(SolverCase &this_case, const Problem<double> &problem,
                PointMembrane<double> &points, const double longest)
      : this_case(this_case), problem(problem), points(points), longest(longest)
    {}

    void
    prepare(const double tau) override
    {
      const int exponent =
        static_cast<int>(std::lround(std::log2(tau / longest)));
      const auto found = solvers.find(exponent);
      if (found != solvers.end())
        {
          solver = found->second.get();
          return;
        }
      if (solvers.size() >= max_solvers)
        solvers.clear();
      points.set_without_reactions(std::ldexp(longest, exponent));
      if (!tangent)
        tangent.emplace(this_case, problem, points.tangent());
      else
        tangent->update();
      solver =
        solvers
          .emplace(exponent, std::make_unique<StepSolver>(this_case, *tangent))
          .first->second.get();
    }

    void
    assemble() override
    {
      tangent->update();
    }

    CGResult
    solve(Vector &x, const Vector &b, const double absolute_tolerance) override
    {
      return solver->solve(x, b, absolute_tolerance);
    }

    const LinearSystem<double> *
    system() const override
    {
      return &*tangent;
    }

    void
    describe(RecordValues &parameters) const override
    {
      for (const auto &[exponent, of] : solvers)
        of->describe(parameters);
    }

  private:
    /// The most preconditioners that are kept.
    static constexpr std::size_t max_solvers = 4;

    SolverCase &this_case;
    const Problem<double> &problem;
    PointMembrane<double> &points;
    const double longest;
    std::optional<LinearSystem<double>> tangent;
    std::map<int, std::unique_ptr<StepSolver>> solvers; ///< by exponent
    StepSolver *solver = nullptr;
  };

  /// The threads of the host assemble compressed rows. Their values go to a
  /// device, where the operator of the parameters has them, right-hand sides
  /// follow, and solutions come back. The diagonal belongs to the first
  /// tangent, without reactions.
  class TangentsOnDevice : public Tangents
  {
  public:
    TangentsOnDevice(SolverCase &this_case, const Problem<double> &problem,
                     PointMembrane<double> &points, const double longest)
      : form(points.tangent())
    {
      points.set_without_reactions(longest);
      const AssemblyOptions &asked = this_case.solver.assembly;
      AssemblyOptions assembling   = asked, on_device;
      assembling.storage           = {};
      assembling.keeps_assembler   = true;
      on_device.storage            = asked.storage;
      assembled = problem.make_operator("csr", form, assembling);
      const SparseMatrix first =
        collect_rows(assembled->as_rows()->matrix(), assembled->n_owned());
      row_start = {Backend::cuda, first.pattern.row_start};
      values    = {Backend::cuda, first.values.size()};
      A = make_row_operator<double>(this_case.solver.operator_name, first,
                                    Backend::cuda, on_device);
      this_case.entry.problem.nonzeros = first.n_nonzeros();
      x_there                          = A->make_vector();
      b_there                          = A->make_vector();
      solver.emplace(this_case, *A, make_preconditioner<double>("jacobi", *A));
    }

    void
    assemble() override
    {
      assembled->update(form);
      send_values();
    }

    CGResult
    solve(Vector &x, const Vector &b, const double absolute_tolerance) override
    {
      const std::size_t bytes = sizeof(double) * b.n_owned();
      x_there.zero();
      runtime::copy(b_there.data(), b.data(), bytes,
                    runtime::Copy::host_to_device);
      const CGResult result =
        solver->solve(x_there, b_there, absolute_tolerance);
      runtime::copy(x.data(), x_there.data(), bytes,
                    runtime::Copy::device_to_host);
      return result;
    }

    void
    describe(RecordValues &parameters) const override
    {
      solver->describe(parameters);
      parameters.erase("preconditioner_reason");
      parameters["solving_device"] =
        runtime::device_name(runtime::current_device());
    }

  private:
    void
    send_values()
    {
      const auto &from = assembled->as_rows()->matrix().values();
      runtime::copy(values.data(), from.data(), sizeof(double) * values.size(),
                    runtime::Copy::host_to_device);
      place_values(A->matrix(), row_start, values);
      A->values_changed();
      runtime::synchronize({});
    }

    const std::shared_ptr<FormData<double>> form;
    std::unique_ptr<Operator<double>> assembled;
    Array<std::int64_t> row_start;
    Array<double> values; ///< in the order of compressed rows
    std::unique_ptr<RowOperator<double>> A;
    Vector x_there, b_there;
    std::optional<StepSolver> solver;
  };

  /// Systems of another library.
  class TangentsOfPeer : public Tangents
  {
  public:
    TangentsOfPeer(const std::string &name, const SolverCase &this_case,
                   const Problem<double> &problem,
                   const PointMembrane<double> &points)
      : name(name), control(this_case.solver.control), form(points.tangent()),
        peer(reinterpret_cast<benchmarks::MakeAssembledSystem *>(
          load_symbol("PETSc", "libtessera_petsc.so",
                      ("tessera_make_" + name + "_system").c_str()))(problem))
    {}

    void
    assemble() override
    {
      peer->assemble(*form);
    }

    CGResult
    solve(Vector &x, const Vector &b, const double absolute_tolerance) override
    {
      CGControl own = control;
      own.absolute_tolerance =
        std::max(own.absolute_tolerance, absolute_tolerance);
      return peer->solve(x, b, own);
    }

    void
    describe(RecordValues &parameters) const override
    {
      parameters.erase("preconditioner_reason");
      parameters["preconditioner"] = name;
    }

  private:
    const std::string name;
    const CGControl control;
    const std::shared_ptr<FormData<double>> form;
    const std::unique_ptr<benchmarks::AssembledSystem> peer;
  };
} // namespace


const char *
Tangents::choices()
{
  return "own|device|petsc_jacobi|petsc_block_jacobi";
}


void
Tangents::check(const std::string &name, const SolverCase &this_case)
{
  if (name == "own")
    return;
  const std::string entry = "'Time/Tangents' is " + name;
  if (this_case.backend != Backend::host)
    throw ParameterError(entry +
                         ", which the host assembles; legal with "
                         "--backend cuda is own.");
  if (!this_case.matrix_file.empty())
    throw ParameterError(entry +
                         ", but --export-matrix writes our rows; legal "
                         "is own.");
  if (name != "device")
    return;
  if (this_case.others->are_several())
    throw ParameterError(entry +
                         ", which works in one process; legal in "
                         "several ones are own, petsc_jacobi and "
                         "petsc_block_jacobi.");
  if (runtime::n_devices() == 0)
    throw Error(ExitCode::device, entry + ", but there is no usable device.");
}


std::unique_ptr<Tangents>
Tangents::make(const std::string &name, SolverCase &this_case,
               const Problem<double> &problem, PointMembrane<double> &points,
               const double longest)
{
  check(name, this_case);
  if (name == "own")
    return std::make_unique<OwnTangents>(this_case, problem, points, longest);
  if (name == "device")
    return std::make_unique<TangentsOnDevice>(this_case, problem, points,
                                              longest);
  return std::make_unique<TangentsOfPeer>(name, this_case, problem, points);
}
