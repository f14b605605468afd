#include "activation.h"

#include "activation.cuh"

#include <limits>
#include <stdexcept>

namespace tessera
{
  template <class Number>
  Activation<Number>::Activation(const Backend backend, const int n_nodes,
                                 const double activation,
                                 const double repolarisation)
    : rising(activation), falling(repolarisation),
      activated(backend, std::vector<Number>(
                           n_nodes, std::numeric_limits<Number>::quiet_NaN())),
      repolarised(backend, activated.to_vector())
  {}


  template <class Number>
  void
  Activation<Number>::observe(const Vector<Number> &before,
                              const Vector<Number> &after, const double time,
                              const double step, const Stream stream)
  {
    for_each(activated.backend(), static_cast<std::int64_t>(activated.size()),
             ObservePotential<Number>{
               before.data(), after.data(), activated.data(),
               repolarised.data(), static_cast<Number>(rising),
               static_cast<Number>(falling), static_cast<Number>(time),
               static_cast<Number>(step)},
             stream);
  }


  template <class Number>
  void
  Activation<Number>::set_times(const std::vector<Number> &activation,
                                const std::vector<Number> &repolarisation)
  {
    if (activation.size() != activated.size() ||
        repolarisation.size() != repolarised.size())
      throw std::length_error("Activation: another number of nodes");
    activated   = Array<Number>(activated.backend(), activation);
    repolarised = Array<Number>(activated.backend(), repolarisation);
  }


  template class Activation<double>;
} // namespace tessera
