#include <tessera/base/vector_operations.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "vector_operations.cuh"

namespace tessera
{
  template <class Number>
  VectorOperations<Number>::VectorOperations(const Backend backend,
                                             const int n_owned,
                                             const Communicator &all)
    : backend(backend), n_owned(n_owned), all(all),
      n_blocks(pass_blocks(backend, n_owned)), sum(backend, 1),
      partial(backend, n_blocks), counter(backend, 1)
  {}

  template <class Number>
  const Number *
  VectorOperations<Number>::entries(const Vector<Number> &x) const
  {
    if (x.n_owned() != n_owned || x.backend() != backend)
      throw std::length_error(
        "VectorOperations: vectors of different sizes or backends");
    return x.data();
  }

  template <class Number>
  Number *
  VectorOperations<Number>::entries(Vector<Number> &x) const
  {
    return const_cast<Number *>(entries(std::as_const(x)));
  }

  template <class Number>
  template <class Work>
  void
  VectorOperations<Number>::run(const Work &work, double *const result,
                                const Stream stream) const
  {
    pass_over(backend, n_owned, work,
              {partial.data(), counter.data(), result, n_blocks}, stream);
  }

  template <class Number>
  template <class Work>
  double
  VectorOperations<Number>::sum_of(const Work &work, const Stream stream) const
  {
    run(work, sum.data(), stream);
    return sum_over_parts(stream);
  }

  template <class Number>
  double
  VectorOperations<Number>::sum_over_parts(const Stream stream) const
  {
    all.sum(sum.data(), 1, stream);
    if (backend == Backend::host)
      return *sum.data();
    double value;
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
    run(Combination<Number>{{}, a, entries(x), b, entries(y)}, nullptr, stream);
  }

  template <class Number>
  double
  VectorOperations<Number>::dot(const Vector<Number> &x,
                                const Vector<Number> &y,
                                const Stream stream) const
  {
    return sum_of(DotProduct<Number>{{}, entries(x), entries(y)}, stream);
  }

  template <class Number>
  void
  VectorOperations<Number>::store_dot(double *const result,
                                      const Vector<Number> &x,
                                      const Vector<Number> &y,
                                      const Stream stream) const
  {
    run(DotProduct<Number>{{}, entries(x), entries(y)}, result, stream);
  }

  template <class Number>
  double
  VectorOperations<Number>::add_and_dot(const Number a, const Vector<Number> &x,
                                        Vector<Number> &y,
                                        const Vector<Number> &z,
                                        const Stream stream) const
  {
    return sum_of(AddAndDot<Number>{{}, a, entries(x), entries(y), entries(z)},
                  stream);
  }

  template <class Number>
  double
  VectorOperations<Number>::n_of_all_parts(const Stream stream) const
  {
    const double n = n_owned;
    if (backend == Backend::host)
      *sum.data() = n;
    else
      runtime::copy_async(sum.data(), &n, sizeof(n),
                          runtime::Copy::host_to_device, stream);
    return sum_over_parts(stream);
  }

  template <class Number>
  bool
  VectorOperations<Number>::all_zero(const Vector<Number> &x,
                                     const Stream stream) const
  {
    return sum_of(Magnitude<Number>{{}, entries(x)}, stream) == 0;
  }

  template <class Number>
  double
  VectorOperations<Number>::normalize(Vector<Number> &x,
                                      const Stream stream) const
  {
    const double size = sum_of(Magnitude<Number>{{}, entries(x)}, stream) /
                        std::max(n_of_all_parts(stream), 1.);
    if (size == 0)
      return 1;
    if (std::isfinite(size))
      for_each(backend, n_owned, Division<Number>{entries(x), size}, stream);
    return size;
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
