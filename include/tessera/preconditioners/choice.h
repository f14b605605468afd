#pragma once

#include <tessera/preconditioners/descriptor.h>

#include <functional>
#include <limits>
#include <string>

// The preconditioner `auto`. The iterations that the diagonal of A takes are
// not known in advance: bodies of the same size take 50 or 5000. So a solve
// begins with the diagonal. A costlier preconditioner follows after as many
// iterations as its set-up and solve take in time. If that number is right, a
// solve takes at most about twice as long as the better of both. The choice
// reads descriptors alone.
namespace tessera
{
  /// The name that asks for this choice.
  constexpr const char *auto_preconditioner = "auto";

  /// The data of a solve that is known before its preconditioner is made.
  struct PreconditionerQuestion
  {
    SolveShape shape;
    const OperatorDescriptor *op = nullptr; ///< that it reads
    bool several_processes       = false;
    bool hanging_nodes           = false;
    /// True if there is a matrix to make a preconditioner from.
    bool has_matrix = true;
    /// True if the solves are steps in time.
    bool steps_in_time = false;
    /// True if the method of conjugate gradients needs a diagonal M.
    bool needs_diagonal = false;
    /// True if the solve cannot begin with another preconditioner.
    bool at_once = false;
    /// Limit of a solve. The first preconditioner may take half of it.
    int max_iterations = std::numeric_limits<int>::max();
    /// Tells whether a preconditioner fits into the free memory; empty: all do.
    std::function<bool(const std::string &name)> fits = {};
  };

  /// A preconditioner that was chosen, and the one that follows it in a solve
  /// that has not converged after some iterations.
  struct PreconditionerChoice
  {
    std::string name;
    std::string reason   = {}; ///< empty if it was asked for by its name
    std::string next     = {}; ///< empty: none follows
    int iterations       = 0;  ///< after which it follows
    OptionValues options = {}; ///< of the one that comes last
    std::string unused   = {}; ///< phrases about options of others

    /// Returns the name of the preconditioner that comes last.
    const std::string &
    last() const
    {
      return next.empty() ? name : next;
    }
  };

  /// Returns the diagonal of A, followed by the first preconditioner that may
  /// save time in this solve and works with it. If it is needed at once,
  /// returns that one alone. If there is none, the reason says why.
  PreconditionerChoice
  choose_preconditioner(const PreconditionerQuestion &question);

  /// Returns the name of the preconditioner that is the diagonal of A. It works
  /// with everything.
  const std::string &
  diagonal_preconditioner();
} // namespace tessera
