#include "traces.h"

#include "traces.cuh"

#include <stdexcept>

namespace tessera
{
  template <class Number>
  Traces<Number>::Traces(const Backend backend,
                         const std::vector<Point> &points, const int n_samples)
    : capacity(n_samples)
  {
    std::vector<int> first = {0}, all_nodes;
    std::vector<Number> all_weights;
    for (const Point &point : points)
      {
        if (point.nodes.size() != point.weights.size())
          throw std::length_error("Traces: nodes without weights");
        all_nodes.insert(all_nodes.end(), point.nodes.begin(),
                         point.nodes.end());
        all_weights.insert(all_weights.end(), point.weights.begin(),
                           point.weights.end());
        first.push_back(static_cast<int>(all_nodes.size()));
      }
    begins  = Array<int>(backend, first);
    nodes   = Array<int>(backend, all_nodes);
    weights = Array<Number>(backend, all_weights);
    values  = Array<Number>(backend, capacity * points.size());
  }


  template <class Number>
  void
  Traces<Number>::sample(const double time, const Vector<Number> &potential,
                         const Stream stream)
  {
    if (full())
      throw std::length_error("Traces: more samples than there is room for");
    for_each(begins.backend(), n_points(),
             SamplePoint<Number>{begins.data(), nodes.data(), weights.data(),
                                 potential.data(),
                                 values.data() + times.size() * n_points()},
             stream);
    times.push_back(time);
  }


  template <class Number>
  typename Traces<Number>::Samples
  Traces<Number>::take()
  {
    Samples samples{times, values.to_vector()};
    samples.values.resize(times.size() * n_points());
    times.clear();
    return samples;
  }


  template class Traces<double>;
} // namespace tessera
