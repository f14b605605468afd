#pragma once

#include <tessera/base/for_each.h>
#include <tessera/space/cell_data.h>

#include <vector>

namespace tessera
{
  /// y_i += x_{i / n} where i % n is a given component: adds a vector of one
  /// component to a vector of n.
  template <class Number>
  struct ComponentSum
  {
    const Number *x;
    Number *y; ///< from the component on
    int n;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      y[i * n] += x[i];
    }
  };

  /// Calls `add(c, v)` for each of n components, which adds to a vector of one
  /// component, and adds these vectors to b, [node][component]. Waits for the
  /// device.
  template <class Number, class Add>
  void
  add_components(Vector<Number> &b, const Space &space, const int n,
                 const Add &add, const Stream stream)
  {
    Vector<Number> of_component(b.backend(), space.n_owned, space.n_tail());
    for (int c = 0; c < n; ++c)
      {
        if (c > 0)
          of_component.zero(stream);
        add(c, of_component);
        for_each(b.backend(), space.n_local(),
                 ComponentSum<Number>{of_component.data(), b.data() + c, n},
                 stream);
      }
    if (b.backend() == Backend::cuda)
      runtime::synchronize(stream);
  }

  /// Returns component c of values in which n components are fastest.
  inline std::vector<double>
  component_of(const std::vector<double> &values, const int n, const int c)
  {
    std::vector<double> result(values.size() / n);
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = values[i * n + c];
    return result;
  }
} // namespace tessera
