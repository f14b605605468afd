#include <tessera/base/vector.h>
#include <tessera/space/ghost_tail.h>

#include <algorithm>
#include <numeric>

#include "ghost_tail.cuh"

namespace tessera
{
  namespace
  {
    /// Returns the entries of vectors that belong to nodes.
    std::vector<int>
    entries_of(const std::vector<int> &nodes, const int first,
               const int n_components)
    {
      std::vector<int> result;
      result.reserve(nodes.size() * n_components);
      for (const int node : nodes)
        for (int c = 0; c < n_components; ++c)
          result.push_back((first + node) * n_components + c);
      return result;
    }

    Envelopes
    with_components(Envelopes of_nodes, const int n_components)
    {
      for (int &start : of_nodes.start)
        start *= n_components;
      return of_nodes;
    }

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


  template <class Number>
  GhostTail<Number>::GhostTail(const Space &space, const SharedNodes &shared,
                               const Transport &transport,
                               const Backend backend)
    : ghost(backend,
            entries_of(shared.ghost, space.n_owned, space.n_components)),
      of_owned(backend, shared.owned.size() * space.n_components),
      of_ghosts(backend, shared.ghost.size() * space.n_components)
  {
    const std::vector<int> sent =
      entries_of(shared.owned, 0, space.n_components);
    const Places places(sent);
    owned                = Array<int>(backend, sent);
    receiver             = Array<int>(backend, places.entry);
    start                = Array<int>(backend, places.start);
    place                = Array<int>(backend, places.place);
    const Envelopes to   = with_components(shared.to, space.n_components);
    const Envelopes from = with_components(shared.from, space.n_components);
    to_ghosts            = transport.open(to, from, sizeof(Number));
    to_owners            = transport.open(from, to, sizeof(Number));
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
