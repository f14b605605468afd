#include <tessera/solvers/vector_operations.h>

#include <cstring>
#include <stdexcept>

#include "vector_operations_kernels.h"

namespace tessera
{
  template <class Number>
  VectorOperations<Number>::VectorOperations(const Backend backend,
                                             const int n_owned)
    : backend(backend), n_owned(n_owned),
      n_blocks(on_target(
        backend,
        [&](const auto target) { return vector_blocks(target, n_owned); })),
      sum(backend, 1), partial(backend, n_blocks), counter(backend, 1)
  {}

  template <class Number>
  void
  VectorOperations<Number>::check(const Vector<Number> &x) const
  {
    if (x.n_owned() != n_owned || x.backend() != backend)
      throw std::length_error(
        "VectorOperations: vectors of different sizes or backends");
  }

  template <class Number>
  VectorData<Number>
  VectorOperations<Number>::data(const Number a, const Vector<Number> &x,
                                 const Number b, Number *y,
                                 const Vector<Number> &z) const
  {
    check(x);
    check(z);
    return {n_owned,
            a,
            b,
            x.data(),
            y,
            z.data(),
            {partial.data(), counter.data(), sum.data(), n_blocks}};
  }

  template <class Number>
  Number
  VectorOperations<Number>::read_sum(const Stream stream) const
  {
    if (backend == Backend::host)
      return *sum.data();
    Number value;
    runtime::copy_async(&value, sum.data(), sizeof(value),
                        runtime::Copy::device_to_host, stream);
    runtime::synchronize(stream);
    return value;
  }

  template <class Number>
  void
  VectorOperations<Number>::combine(const Number a, const Vector<Number> &x,
                                    const Number b, Vector<Number> &y,
                                    const Stream stream) const
  {
    const VectorData<Number> data = this->data(a, x, b, y.data(), y);
    on_target(backend, [&](const auto target) {
      combine_vectors<Number>(target, data, stream);
    });
  }

  template <class Number>
  Number
  VectorOperations<Number>::dot(const Vector<Number> &x,
                                const Vector<Number> &y,
                                const Stream stream) const
  {
    store_dot(sum.data(), x, y, stream);
    return read_sum(stream);
  }

  template <class Number>
  void
  VectorOperations<Number>::store_dot(Number *const result,
                                      const Vector<Number> &x,
                                      const Vector<Number> &y,
                                      const Stream stream) const
  {
    VectorData<Number> data = this->data(0, x, 0, nullptr, y);
    data.sum.result         = result;
    on_target(backend, [&](const auto target) {
      dot_vectors<Number>(target, data, stream);
    });
  }

  template <class Number>
  Number
  VectorOperations<Number>::add_and_dot(const Number a, const Vector<Number> &x,
                                        Vector<Number> &y,
                                        const Vector<Number> &z,
                                        const Stream stream) const
  {
    check(y);
    const VectorData<Number> data = this->data(a, x, 1, y.data(), z);
    on_target(backend, [&](const auto target) {
      add_and_dot_vectors<Number>(target, data, stream);
    });
    return read_sum(stream);
  }

  template <class Number>
  bool
  VectorOperations<Number>::all_zero(const Vector<Number> &x,
                                     const Stream stream) const
  {
    const VectorData<Number> data = this->data(0, x, 0, nullptr, x);
    on_target(backend, [&](const auto target) {
      count_nonzeros<Number>(target, data, stream);
    });
    return read_sum(stream) == Number(0);
  }

  template <class Number>
  void
  zero_tail(Vector<Number> &x, const Stream stream)
  {
    const std::size_t bytes = x.n_tail() * sizeof(Number);
    if (bytes == 0)
      return;
    if (x.backend() == Backend::host)
      std::memset(x.tail(), 0, bytes);
    else
      runtime::fill_async(x.tail(), 0, bytes, stream);
  }

  template class VectorOperations<double>;
  template class VectorOperations<float>;
  template void
  zero_tail<double>(Vector<double> &, Stream);
  template void
  zero_tail<float>(Vector<float> &, Stream);
} // namespace tessera
