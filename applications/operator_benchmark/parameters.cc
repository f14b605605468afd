#include "study.h"

#include <factors.h>

#include <tessera/base/backend.h>
#include <tessera/operators/factory.h>
#include <tessera/program/choices.h>

using namespace tessera;

namespace
{
  using namespace benchmarks;

  const Names kinds = {"application", "assembly", "preconditioner", "cg"};
  const Names peers = {"dealii_sparse_matrix", "dealii_matrix_free",
                       "trilinos_epetra", "cusparse"};

  /// The lists, in the order of `Factor`.
  const std::vector<FactorEntry> &
  factors()
  {
    static const std::vector<FactorEntry> all = []() {
      std::vector<FactorEntry> lists = {
        factor("Cell types"),
        factor("Degrees"),
        factor("Degrees of freedom"),
        factor("Backends"),
        factor_of_values(
          "Threads", "0", Patterns::Integer(0, 32767),
          "of each process on the host; 0: all cores that it may use, or "
          "its share of them; the option --threads replaces the list"),
        factor("Numberings"),
        factor("Cell orders", "hilbert"),
        factor("Block sides"),
        factor("Numbers"),
        factor("Shared memory"),
        factor("Operators"),
        factor("Strategies"),
        factor("Routes"),
        factor("Conflicts"),
        factor("Preconditioners")};
      add_operator_options(lists);
      return lists;
    }();
    return all;
  }
} // namespace


void
declare_parameters(Parameters &parameters)
{
  declare_study(parameters, factors(), "20");
  declare_sweep(parameters, factors(), "one_factor");
  parameters.declare("Study/Kinds", "all", names_or_all(kinds),
                     "what is measured of each: y = A x; computing and writing "
                     "the entries that are stored; z = M^-1 r; an iteration of "
                     "conjugate gradients");
  parameters.declare("Study/Peers", "all", names_or_all(peers, true),
                     "libraries beside the rows of the host with the same "
                     "threads; cusparse: beside csr on the device");
  parameters.declare("Study/Pin threads", "true", Patterns::Bool(),
                     "whether each thread of the host has a core of its own, "
                     "near the memory that it touched first; threads of peers "
                     "share as many cores");
  parameters.declare("Study/Error limit of peers", "1e5", Patterns::Double(0.),
                     "the same of deal.II and Trilinos; deal.II adds up "
                     "Jacobians from global coordinates, which costs it the "
                     "digits of coordinate over mesh width");
  accept_gather_as_conflict(parameters, "Factors/Conflicts", "Factors/Routes");
}


Study
read_study(const Parameters &parameters, const int device, const int n_threads)
{
  Study study;
  study.values = read_factors(parameters, factors());
  for (std::string &backend : study.values[static_cast<int>(Factor::backend)])
    if (backend == "auto")
      backend = to_string(choose_backend("auto", device).backend);

  for (std::string &threads : study.values[static_cast<int>(Factor::threads)])
    if (threads == "0")
      threads = std::to_string(n_threads);

  study.combinations     = combine(parameters, factors(), study.values);
  study.kinds            = read_names(parameters, "Study/Kinds", kinds);
  study.peers            = read_names(parameters, "Study/Peers", peers);
  study.pin_threads      = parameters.get_bool("Study/Pin threads");
  study.n_samples        = parameters.get_integer("Study/Samples");
  study.seed             = parameters.get_integer("Study/Seed");
  study.error_limit      = parameters.get_double("Study/Error limit");
  study.peer_error_limit = parameters.get_double("Study/Error limit of peers");
  return study;
}
