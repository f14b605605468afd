#pragma once

#include <tessera/base/registry.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// The source that instantiates a registry includes this file. One library has
// the instantiation, so that all libraries of a program see the same registry.
namespace tessera
{
  namespace internal
  {
    template <class Descriptor>
    struct RegistryState
    {
      std::mutex mutex;
      std::vector<typename Registry<Descriptor>::Describe> added;
      std::list<Descriptor> all;
    };

    /// Sources register before `main`, in any order, so the state is created at
    /// its first use.
    template <class Descriptor>
    RegistryState<Descriptor> &
    registry_state()
    {
      static RegistryState<Descriptor> state;
      return state;
    }
  } // namespace internal

  template <class Descriptor>
  void
  Registry<Descriptor>::add(const Describe describe)
  {
    auto &state = internal::registry_state<Descriptor>();
    const std::lock_guard<std::mutex> lock(state.mutex);
    state.added.push_back(describe);
  }

  template <class Descriptor>
  const std::list<Descriptor> &
  Registry<Descriptor>::all()
  {
    auto &state = internal::registry_state<Descriptor>();
    const std::lock_guard<std::mutex> lock(state.mutex);
    // A name that is there already is an error of one call.
    for (const Describe describe : std::exchange(state.added, {}))
      {
        Descriptor d     = describe();
        const auto place = std::find_if(
          state.all.begin(), state.all.end(),
          [&](const Descriptor &other) { return other.name >= d.name; });
        if (place != state.all.end() && place->name == d.name)
          throw std::logic_error("'" + d.name + "' is registered twice");
        state.all.insert(place, std::move(d));
      }
    return state.all;
  }
} // namespace tessera
