#pragma once

#include <tessera/preconditioners/descriptor.h>

#include <functional>
#include <limits>
#include <string>

// The preconditioner `auto`. How many iterations the diagonal of A needs is not
// known before it is tried: on bodies of one size they are 50 or 5000. So a
// solve begins with it, and a costlier preconditioner follows after as many
// iterations as it would have taken itself. As far as that number is right, a
// solve takes about twice as long as the better of both at most. The choice
// reads descriptors alone.
namespace tessera
{
  /// The name that asks for this choice.
  constexpr const char *auto_preconditioner = "auto";

  /// What is known of a solve before its preconditioner is made.
  struct PreconditionerQuestion
  {
    SolveShape shape;
    const OperatorDescriptor *op = nullptr; ///< that it reads
    bool several_processes       = false;
    bool hanging_nodes           = false;
    /// True if the solves are steps in time.
    bool steps_in_time = false;
    /// True if the method of conjugate gradients needs a diagonal M.
    bool needs_diagonal = false;
    /// True if the solve cannot begin with another preconditioner.
    bool at_once = false;
    /// The limit of a solve, half of which is the most that comes first.
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
    std::string unused   = {}; ///< options that belong to others, after reason

    /// Returns the name of the one that comes last.
    const std::string &
    last() const
    {
      return next.empty() ? name : next;
    }
  };

  /// Returns the diagonal of A, followed by the first preconditioner that may
  /// save time in this solve and works with it, or that one alone if it has to
  /// be there at once. If there is none, the reason says why.
  PreconditionerChoice
  choose_preconditioner(const PreconditionerQuestion &question);

  /// Returns the name of the preconditioner that is the diagonal of A, which
  /// works with everything.
  const std::string &
  diagonal_preconditioner();
} // namespace tessera
