#include <tessera/base/vector.h>
#include <tessera/space/constraints.h>

#include <algorithm>
#include <numeric>

#include "constraints.cuh"

namespace tessera
{
  namespace
  {
    /// Vectors cache what is hidden or follows from other entries, so that even
    /// a constant one lets it be written, as its tail.
    template <class Number>
    Number *
    entries_of(const Vector<Number> &x)
    {
      return const_cast<Number *>(x.data());
    }
  } // namespace


  LinearConstraints
  transposed(const LinearConstraints &constraints)
  {
    std::vector<int> of(constraints.source.size());
    for (int k = 0; k < constraints.size(); ++k)
      std::fill(of.begin() + constraints.start[k],
                of.begin() + constraints.start[k + 1], constraints.entry[k]);
    std::vector<std::int64_t> order(of.size());
    std::iota(order.begin(), order.end(), std::int64_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](const std::int64_t a, const std::int64_t b) {
                       return constraints.source[a] < constraints.source[b];
                     });
    LinearConstraints result;
    for (const std::int64_t m : order)
      {
        const int source = constraints.source[m];
        if (result.size() == 0 || result.entry.back() != source)
          result.begin(source);
        result.add(of[m], constraints.weight[m]);
      }
    return result;
  }


  template <class Number>
  FixedComponents<Number>::FixedComponents(const Space &space,
                                           const Backend backend)
    : n(static_cast<int>(std::lower_bound(space.fixed.begin(),
                                          space.fixed.end(),
                                          space.n_owned * space.n_components) -
                         space.fixed.begin())),
      entries(backend, space.fixed)
  {}


  template <class Number>
  void
  FixedComponents<Number>::set(Vector<Number> &x, const Number value,
                               const Stream stream) const
  {
    if (n > 0)
      for_each(x.backend(), n, Setting<Number>{entries.data(), x.data(), value},
               stream);
  }


  template <class Number>
  typename FixedComponents<Number>::Kept
  FixedComponents<Number>::make_kept() const
  {
    const Backend backend = entries.backend();
    if (n == 0)
      return {};
    return {Array<Number>(backend, n), Array<Number>(backend, n),
            Array<double>(backend, pass_blocks(backend, n)),
            Array<unsigned int>(backend, 1), Array<double>(backend, 1)};
  }


  template <class Number>
  void
  FixedComponents<Number>::hide(const Vector<Number> &x,
                                const Vector<Number> &y, const bool add,
                                Kept &kept, const Stream stream) const
  {
    if (n > 0)
      for_each(x.backend(), n,
               Hiding<Number>{entries.data(), entries_of(x), y.data(), add,
                              kept.x.data(), kept.y.data()},
               stream);
  }


  template <class Number>
  void
  FixedComponents<Number>::clear_ghosts(const Vector<Number> &x,
                                        const Stream stream) const
  {
    const auto n_ghosts = static_cast<std::int64_t>(entries.size()) - n;
    if (n_ghosts > 0)
      for_each(x.backend(), n_ghosts,
               Setting<Number>{entries.data() + n, entries_of(x), Number(0)},
               stream);
  }


  template <class Number>
  void
  FixedComponents<Number>::show(const Vector<Number> &x, Vector<Number> &y,
                                Kept &kept, double *const result,
                                const Stream stream) const
  {
    if (n == 0)
      return;
    pass_over(x.backend(), n,
              Showing<Number>{{},
                              entries.data(),
                              entries_of(x),
                              y.data(),
                              kept.x.data(),
                              kept.y.data()},
              {kept.partial.data(), kept.counter.data(), kept.sum.data(),
               pass_blocks(x.backend(), n)},
              stream);
    if (result != nullptr)
      for_each(x.backend(), 1, Increase{result, kept.sum.data()}, stream);
  }


  template <class Number>
  HangingNodes<Number>::Rows::Rows(const LinearConstraints &constraints,
                                   const Backend backend)
    : entry(backend, constraints.entry), start(backend, constraints.start),
      source(backend, constraints.source),
      weight(backend, std::vector<Number>(constraints.weight.begin(),
                                          constraints.weight.end()))
  {}


  template <class Number>
  HangingNodes<Number>::HangingNodes(const Space &space, const Backend backend)
    : of_hanging(space.hanging, backend),
      of_sources(transposed(space.hanging), backend)
  {}


  namespace
  {
    template <class Rows, class Number>
    void
    add_up(const Rows &rows, const Vector<Number> &x, const bool add,
           const Stream stream)
    {
      if (rows.entry.size() > 0)
        for_each(x.backend(), static_cast<std::int64_t>(rows.entry.size()),
                 WeightedSums<Number>{rows.entry.data(), rows.start.data(),
                                      rows.source.data(), rows.weight.data(),
                                      entries_of(x), add},
                 stream);
    }
  } // namespace


  template <class Number>
  void
  HangingNodes<Number>::import(const Vector<Number> &x,
                               const Stream stream) const
  {
    add_up(of_hanging, x, false, stream);
  }


  template <class Number>
  void
  HangingNodes<Number>::export_add(Vector<Number> &y, const Stream stream) const
  {
    add_up(of_sources, y, true, stream);
  }


  template <class Number>
  void
  HangingNodes<Number>::export_diagonal(Vector<Number> &, Stream) const
  {}


  template class FixedComponents<double>;
  template class FixedComponents<float>;
  template class HangingNodes<double>;
  template class HangingNodes<float>;
} // namespace tessera
