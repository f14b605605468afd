#include "mpi.h"

#include <cstdlib>

namespace
{
  constexpr std::array<int, 3> signals = {{SIGINT, SIGTERM, SIGHUP}};

  /// A process of its own asks for no daemon of Open MPI, which a container
  /// may not have or not allow.
  char **
  isolated(char **arguments)
  {
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    return arguments;
  }
} // namespace


Mpi::Handlers::Handlers()
{
  for (std::size_t i = 0; i < signals.size(); ++i)
    sigaction(signals[i], nullptr, &actions[i]);
}


void
Mpi::Handlers::restore() const
{
  for (std::size_t i = 0; i < signals.size(); ++i)
    sigaction(signals[i], &actions[i], nullptr);
}


Mpi::Mpi() : arguments(isolated(nullptr)), initialized(n_arguments, arguments)
{
  handlers.restore();
}
