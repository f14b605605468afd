#include <tessera/base/launch.h>

#include "vector_loops.cuh"
#include "vector_operations_kernels.h"

namespace tessera
{
  namespace
  {
    template <class Number>
    TESSERA_DEVICE void
    sum_up(const Number value, const VectorData<Number> &data)
    {
      device::grid_sum<vector_threads>(value, device::block_index(), data.sum);
    }

    /// Computes y = a x + b y. One thread works on entry i. Moves 3 numbers per
    /// entry, or 2 if b = 0, when y is not read.
    template <class Number>
    TESSERA_KERNEL(vector_threads, 4)
    void combine(TESSERA_ARGUMENT(VectorData<Number>) data)
    {
      if (data.b == Number(0))
        for_each_entry(data.n, [&](const std::int64_t i) {
          data.y[i] = data.a * data.x[i];
        });
      else
        for_each_entry(data.n, [&](const std::int64_t i) {
          data.y[i] = data.a * data.x[i] + data.b * data.y[i];
        });
    }

    /// Computes the sum x . z. One thread works on entry i. Moves 2 numbers per
    /// entry. Repeatable.
    template <class Number>
    TESSERA_KERNEL(vector_threads, 4)
    void dot(TESSERA_ARGUMENT(VectorData<Number>) data)
    {
      Number sum = 0;
      for_each_entry(
        data.n, [&](const std::int64_t i) { sum += data.x[i] * data.z[i]; });
      sum_up(sum, data);
    }

    /// Computes y += a x and the sum y . z. One thread works on entry i. Moves
    /// 3 numbers per entry, or 4 if z is not y. Repeatable.
    template <class Number>
    TESSERA_KERNEL(vector_threads, 4)
    void add_and_dot(TESSERA_ARGUMENT(VectorData<Number>) data)
    {
      Number sum = 0;
      for_each_entry(data.n, [&](const std::int64_t i) {
        const Number y = data.y[i] + data.a * data.x[i];
        data.y[i]      = y;
        sum += y * data.z[i]; // z may be y
      });
      sum_up(sum, data);
    }

    /// Sums 1 over the entries of x that are not 0. One thread works on entry
    /// i. Moves 1 number per entry. Repeatable.
    template <class Number>
    TESSERA_KERNEL(vector_threads, 4)
    void count(TESSERA_ARGUMENT(VectorData<Number>) data)
    {
      Number sum = 0;
      for_each_entry(data.n, [&](const std::int64_t i) {
        sum += data.x[i] == Number(0) ? Number(0) : Number(1);
      });
      sum_up(sum, data);
    }

    template <class Number>
    Shape
    shape(const VectorData<Number> &data)
    {
      return {data.sum.n_blocks, vector_threads};
    }
  } // namespace

  int
  vector_blocks(Cuda, const std::int64_t n)
  {
    return grid_of_entries(n);
  }

  template <class Number>
  void
  combine_vectors(Cuda, const VectorData<Number> &data, const Stream stream)
  {
    launch(combine<Number>, shape(data), stream, data);
  }

  template <class Number>
  void
  dot_vectors(Cuda, const VectorData<Number> &data, const Stream stream)
  {
    launch(dot<Number>, shape(data), stream, data);
  }

  template <class Number>
  void
  add_and_dot_vectors(Cuda, const VectorData<Number> &data, const Stream stream)
  {
    launch(add_and_dot<Number>, shape(data), stream, data);
  }

  template <class Number>
  void
  count_nonzeros(Cuda, const VectorData<Number> &data, const Stream stream)
  {
    launch(count<Number>, shape(data), stream, data);
  }

#define INSTANTIATE(Number)                                                    \
  template void combine_vectors<Number>(Cuda, const VectorData<Number> &,      \
                                        Stream);                               \
  template void dot_vectors<Number>(Cuda, const VectorData<Number> &, Stream); \
  template void add_and_dot_vectors<Number>(Cuda, const VectorData<Number> &,  \
                                            Stream);                           \
  template void count_nonzeros<Number>(Cuda, const VectorData<Number> &,       \
                                       Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
