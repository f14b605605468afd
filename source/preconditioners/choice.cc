#include <tessera/base/counted.h>
#include <tessera/operators/descriptor.h>
#include <tessera/preconditioners/choice.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tessera
{
  namespace
  {
    std::string
    rows(const double n)
    {
      return counted(std::llround(n), "row");
    }

    std::string
    place(const Backend backend)
    {
      return backend == Backend::host ? "the host" : "a device";
    }

    /// Returns why a preconditioner is not taken, as the end of a sentence that
    /// begins with its name; nothing if it is.
    std::string
    reason_against(const PreconditionerDescriptor &d,
                   const PreconditionerQuestion &question)
    {
      const WorksWith &with   = d.works_with;
      const SolveShape &shape = question.shape;
      const double least      = d.savings(shape).least_rows;
      if (question.needs_diagonal && !d.is_diagonal)
        return "is not diagonal, which the method needs";
      if (!with.is_for(shape.backend))
        return "does not exist on " + place(shape.backend);
      if (question.several_processes && !with.several_processes)
        return "is for one process";
      if (question.op != nullptr && !with.reads(*question.op))
        return with.needs;
      if (question.op != nullptr && question.several_processes &&
          !with.reads_parts_of(*question.op))
        return "needs " + with.needs_of_parts + " in several processes";
      if (question.hanging_nodes && !with.hanging_nodes)
        return "is for meshes without hanging nodes";
      if (d.needs_matrix && !question.has_matrix)
        return "is made from a matrix, which is not known here";
      if (question.steps_in_time)
        return "is not known to save time in steps in time, whose solves begin "
               "near their ends";
      // There aggregates of several processes are made on the host, and what is
      // taken at once is not stopped by Jacobi where that converges fast.
      if (shape.backend == Backend::cuda && question.several_processes)
        return "is not known to save time on devices of several processes";
      if (shape.backend == Backend::cuda && question.at_once)
        return "is not known to save time on a device where no other "
               "preconditioner can begin the solve";
      if (!std::isfinite(least))
        return "is not known to save time on " + place(shape.backend);
      if (shape.n_rows < least)
        return "is not worth its set-up below " + rows(least) +
               ", and there are " + rows(shape.n_rows);
      if (question.fits && !question.fits(d.name))
        return "does not fit into the free memory";
      return "";
    }
  } // namespace


  const std::string &
  diagonal_preconditioner()
  {
    for (const auto &d : Registry<PreconditionerDescriptor>::all())
      if (d.is_diagonal_of_A)
        return d.name;
    throw std::logic_error("There is no preconditioner diag(A).");
  }


  PreconditionerChoice
  choose_preconditioner(const PreconditionerQuestion &question)
  {
    std::string reasons;
    for (const auto &d : Registry<PreconditionerDescriptor>::all())
      if (d.savings)
        {
          const std::string reason = reason_against(d, question);
          const int n = std::min(d.savings(question.shape).iterations,
                                 question.max_iterations / 2);
          if (reason.empty() && question.at_once)
            return {d.name, "may save time for " + rows(question.shape.n_rows)};
          if (reason.empty())
            return {diagonal_preconditioner(),
                    d.name + " follows unless it converges in " +
                      counted(n, "iteration") + ", which take as long",
                    d.name, n};
          reasons += (reasons.empty() ? "" : ", ") + d.name + ' ' + reason;
        }
    return {diagonal_preconditioner(),
            reasons.empty() ? "none is known to save time" : reasons};
  }
} // namespace tessera
