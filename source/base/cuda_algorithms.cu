#include <tessera/base/algorithms.h>
#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>

#include <string>

namespace tessera::algorithms
{
  namespace
  {
    /// Calls a function of CUB twice: the first call returns the size of its
    /// scratch memory, the second one computes the result.
    template <class Call>
    void
    run(const char *name, const Call &call)
    {
      std::size_t bytes = 0;
      cudaError_t code  = call(nullptr, bytes);
      if (code == cudaSuccess)
        {
          Array<char> scratch(Backend::cuda, bytes > 0 ? bytes : 1);
          code = call(scratch.data(), bytes);
          internal::finish_arrays(Backend::cuda);
        }
      if (code != cudaSuccess)
        {
          cudaGetLastError();
          throw DeviceError(std::string(name) +
                            " failed: " + cudaGetErrorString(code) + '.');
        }
    }

    /// Runs a reduction of CUB and copies its result to the host.
    template <class Result, class Call>
    Result
    reduce(const char *name, const Call &call)
    {
      Array<Result> result(Backend::cuda, 1);
      run(name, [&](void *scratch, std::size_t &bytes) {
        return call(scratch, bytes, result.data());
      });
      return result.to_vector()[0];
    }

    struct Widen
    {
      int factor = 1;

      __host__ __device__ std::int64_t
      operator()(const int value) const
      {
        return static_cast<std::int64_t>(factor) * value;
      }
    };

    struct IsEven
    {
      __host__ __device__ std::int64_t
      operator()(const int value) const
      {
        return value % 2 == 0;
      }
    };

    struct IsAtLeast
    {
      int bound;

      __host__ __device__ std::int64_t
      operator()(const int value) const
      {
        return value >= bound;
      }
    };

    /// Returns the sum of f(value) over all values.
    template <class F>
    std::int64_t
    sum_of(const int *values, const std::int64_t n, const F &f)
    {
      return reduce<std::int64_t>(
        "cub::DeviceReduce",
        [&](void *scratch, std::size_t &bytes, std::int64_t *to) {
          return cub::DeviceReduce::Sum(
            scratch, bytes, thrust::make_transform_iterator(values, f), to, n);
        });
    }
  } // namespace


  void
  exclusive_scan(const int *in, std::int64_t *out, const std::int64_t n,
                 const int factor)
  {
    runtime::fill_async(out, 0, sizeof(std::int64_t), {});
    run("cub::DeviceScan", [&](void *scratch, std::size_t &bytes) {
      return cub::DeviceScan::InclusiveSum(
        scratch, bytes, thrust::make_transform_iterator(in, Widen{factor}),
        out + 1, n);
    });
  }


  int
  maximum(const int *values, const std::int64_t n)
  {
    if (n == 0)
      return 0;
    return reduce<int>(
      "cub::DeviceReduce", [&](void *scratch, std::size_t &bytes, int *to) {
        return cub::DeviceReduce::Max(scratch, bytes, values, to, n);
      });
  }


  std::int64_t
  sum(const int *values, const std::int64_t n)
  {
    return sum_of(values, n, Widen());
  }


  std::int64_t
  count_at_least(const int *values, const std::int64_t n, const int bound)
  {
    return sum_of(values, n, IsAtLeast{bound});
  }


  std::int64_t
  count_even(const int *values, const std::int64_t n)
  {
    return sum_of(values, n, IsEven());
  }


  template <class Key>
  void
  sort_pairs(const Key *keys, Key *sorted_keys, const int *values,
             int *sorted_values, const int n, const int n_bits)
  {
    run("cub::DeviceRadixSort", [&](void *scratch, std::size_t &bytes) {
      return cub::DeviceRadixSort::SortPairs(
        scratch, bytes, keys, sorted_keys, values, sorted_values, n, 0, n_bits);
    });
  }


  template void
  sort_pairs<std::uint32_t>(const std::uint32_t *, std::uint32_t *, const int *,
                            int *, int, int);
  template void
  sort_pairs<std::uint64_t>(const std::uint64_t *, std::uint64_t *, const int *,
                            int *, int, int);
} // namespace tessera::algorithms
