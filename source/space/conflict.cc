#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/space/cell_data.h>

namespace tessera
{
  namespace
  {
    const std::vector<std::string> conflict_names = {
#define TESSERA_CONFLICT(name, sentence, paper) #name,
#include <tessera/space/conflicts.def>
#undef TESSERA_CONFLICT
    };
  } // namespace

  std::string
  to_string(const Conflict conflict)
  {
    return conflict_names[static_cast<int>(conflict)];
  }

  Conflict
  conflict_from_string(const std::string &name)
  {
    return static_cast<Conflict>(
      index_of_name(name, conflict_names, "conflict handling"));
  }

  void
  check_conflict(const Conflict conflict, const Backend backend,
                 const std::string &what)
  {
    if (conflict == Conflict::none && backend == Backend::cuda)
      throw ParameterError("The conflict handling '" + to_string(conflict) +
                           "' does not suit " + what + " on the backend " +
                           to_string(backend) +
                           "; legal are atomics and coloring.");
  }

  Conflict
  default_conflict(const Backend backend)
  {
    return backend == Backend::cuda ? Conflict::atomics : Conflict::coloring;
  }
} // namespace tessera
