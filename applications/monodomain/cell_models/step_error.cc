#include "step_error.h"

#include <cmath>
#include <stdexcept>

#include "step_error.cuh"

namespace tessera
{
  template <class Number>
  StepError<Number>::StepError(const Backend backend, const int n_nodes,
                               const Communicator &all)
    : n_nodes(n_nodes), n_blocks(pass_blocks(backend, n_nodes)), all(all),
      sums(backend, 2), partial(backend, 2 * std::size_t(n_blocks)),
      counter(backend, 1)
  {}


  template <class Number>
  double
  StepError<Number>::operator()(const Vector<Number> &x,
                                const Vector<Number> &y, const Stream stream)
  {
    for (const auto *vector : {&x, &y})
      if (vector->n_owned() < n_nodes || vector->backend() != sums.backend())
        throw std::length_error("StepError: a vector of other nodes");
    pass_over(sums.backend(), n_nodes,
              SumDifferences<Number>{{}, x.data(), y.data()},
              {partial.data(), counter.data(), sums.data(), n_blocks}, stream);
    all.sum(sums.data(), 2, stream);
    if (sums.backend() == Backend::cuda)
      runtime::synchronize(stream);
    const auto values = sums.to_vector();
    return values[0] == 0 ? 0. : std::sqrt(values[1] / values[0]);
  }


  template class StepError<double>;
} // namespace tessera
