#include "peer_descriptor.h"

#include <tessera/base/registry_definitions.h>
#include <tessera/program/choices.h>

template class tessera::Registry<tessera::benchmarks::PeerDescriptor>;

namespace tessera::benchmarks
{
  namespace
  {
    constexpr const char *path_of_peers = "Study/Peers";

    Names
    names_of_peers(const Peers &peers)
    {
      Names names;
      for (const PeerDescriptor *const peer : peers)
        names.push_back(peer->name);
      return names;
    }

    /// Lists the peers in the answer to --list.
    Choices
    list_peers()
    {
      Choices list{"peer", {}};
      for (const PeerDescriptor &d : Registry<PeerDescriptor>::all())
        {
          std::string rows =
            d.works_with.host ? "; on the host" : "; on a device";
          for (const std::string &kind : d.kinds)
            rows += (&kind == &d.kinds.front() ? ": " : ", ") + kind;
          list.choices.push_back({d.name, d.sentence + rows, ""});
        }
      return list;
    }

    const Registration<Choices> peers_registration(list_peers);
  } // namespace

  void
  declare_peers(Parameters &parameters, const Peers &legal,
                const std::string &default_value,
                const std::string &documentation)
  {
    parameters.declare(path_of_peers, default_value,
                       names_or_all(names_of_peers(legal), true),
                       documentation);
  }

  Peers
  read_peers(const Parameters &parameters, const Peers &legal)
  {
    Peers result;
    for (const std::string &name :
         read_names(parameters, path_of_peers, names_of_peers(legal)))
      for (const PeerDescriptor *const peer : legal)
        if (peer->name == name)
          result.push_back(peer);
    return result;
  }
} // namespace tessera::benchmarks
