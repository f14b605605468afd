#include <tessera/base/vector.h>
#include <tessera/space/ghost_tail.h>

#include <algorithm>
#include <numeric>

#include "ghost_tail.cuh"

namespace tessera
{
  namespace
  {
    /// The places of a list at which each of its entries stands.
    struct Places
    {
      std::vector<int> entry, start{0}, place;

      explicit Places(const std::vector<int> &list) : place(list.size())
      {
        std::iota(place.begin(), place.end(), 0);
        std::stable_sort(
          place.begin(), place.end(),
          [&](const int a, const int b) { return list[a] < list[b]; });
        for (std::size_t m = 0; m < place.size(); ++m)
          {
            if (m == 0 || list[place[m]] != entry.back())
              {
                entry.push_back(list[place[m]]);
                start.push_back(start.back());
              }
            ++start.back();
          }
      }
    };

    template <class Number, class Work>
    void
    for_list(const Vector<Number> &x, const Array<int> &list, const Work &work,
             const Stream stream)
    {
      if (list.size() > 0)
        for_each(x.backend(), static_cast<std::int64_t>(list.size()), work,
                 stream);
    }
  } // namespace


  SharedNodes
  entries_of_nodes(const SharedNodes &nodes, const int n)
  {
    SharedNodes result{nodes.to, {}, nodes.from, {}};
    for (Envelopes *const envelopes : {&result.to, &result.from})
      for (int &start : envelopes->start)
        start *= n;
    const auto expand = [n](const std::vector<int> &from,
                            std::vector<int> &entries) {
      for (const int node : from)
        for (int c = 0; c < n; ++c)
          entries.push_back(node * n + c);
    };
    expand(nodes.owned, result.owned);
    expand(nodes.ghost, result.ghost);
    return result;
  }


  template <class Number>
  GhostTail<Number>::GhostTail(const Space &space, const SharedNodes &shared,
                               const Transport &transport,
                               const Backend backend)
    : of_owned(backend, shared.owned.size() * space.n_components),
      of_ghosts(backend, shared.ghost.size() * space.n_components)
  {
    SharedNodes entries = entries_of_nodes(shared, space.n_components);
    for (int &entry : entries.ghost)
      entry += space.n_owned * space.n_components;
    const Places places(entries.owned);
    ghost     = Array<int>(backend, entries.ghost);
    owned     = Array<int>(backend, entries.owned);
    receiver  = Array<int>(backend, places.entry);
    start     = Array<int>(backend, places.start);
    place     = Array<int>(backend, places.place);
    to_ghosts = transport.open(entries.to, entries.from, sizeof(Number));
    to_owners = transport.open(entries.from, entries.to, sizeof(Number));
  }


  template <class Number>
  void
  GhostTail<Number>::import(const Vector<Number> &x, const Stream stream) const
  {
    begin_import(x, stream);
    finish_import(x, stream);
  }


  template <class Number>
  void
  GhostTail<Number>::begin_import(const Vector<Number> &x,
                                  const Stream stream) const
  {
    for_list(x, owned, Packing<Number>{owned.data(), x.data(), of_owned.data()},
             stream);
    to_ghosts->begin(of_owned.data(), of_ghosts.data(), stream);
  }


  template <class Number>
  void
  GhostTail<Number>::finish_import(const Vector<Number> &x,
                                   const Stream stream) const
  {
    to_ghosts->finish(stream);
    for_list(
      x, ghost,
      Unpacking<Number>{ghost.data(), of_ghosts.data(), x.tail() - x.n_owned()},
      stream);
  }


  template <class Number>
  void
  GhostTail<Number>::export_add(Vector<Number> &y, const Stream stream) const
  {
    begin_export(y, stream);
    finish_export(y, stream);
  }


  template <class Number>
  void
  GhostTail<Number>::begin_export(Vector<Number> &y, const Stream stream) const
  {
    for_list(y, ghost,
             Packing<Number>{ghost.data(), y.data(), of_ghosts.data()}, stream);
    to_owners->begin(of_ghosts.data(), of_owned.data(), stream);
  }


  template <class Number>
  void
  GhostTail<Number>::finish_export(Vector<Number> &y, const Stream stream) const
  {
    to_owners->finish(stream);
    for_list(y, receiver,
             AddingUp<Number>{receiver.data(), start.data(), place.data(),
                              of_owned.data(), y.data()},
             stream);
  }


  template class GhostTail<double>;
  template class GhostTail<float>;
} // namespace tessera
