#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/grid_sum.h>

/// This header defines the operations that a kernel may use. They have the same
/// names for nvcc and for the fiber shim, so every kernel can also run on the
/// host, under sanitizers, where there is no device.
///
/// A kernel is written as
///   template <...> TESSERA_KERNEL(threads, blocks per multiprocessor) void
///   name(TESSERA_ARGUMENT(Type) argument, ...)
/// and its shared arrays as `TESSERA_SHARED Number buffer[size];`. If they take
/// more than 48 KB, `TESSERA_LARGE_SHARED(Type, name);` is all of the shared
/// memory of the kernel, and `launch` has to know its size.
#if defined(__CUDACC__)

#  define TESSERA_DEVICE __device__ __forceinline__
#  define TESSERA_KERNEL(...) __global__ __launch_bounds__(__VA_ARGS__)
#  define TESSERA_ARGUMENT(...) const __grid_constant__ __VA_ARGS__
#  define TESSERA_SHARED __shared__
#  define TESSERA_LARGE_SHARED(Type, name)           \
    extern __shared__ double tessera_large_shared[]; \
    Type &name = *reinterpret_cast<Type *>(tessera_large_shared)

namespace tessera::device
{
  TESSERA_DEVICE int
  thread_index()
  {
    return threadIdx.x;
  }

  TESSERA_DEVICE int
  block_index()
  {
    return blockIdx.x;
  }

  TESSERA_DEVICE int
  n_blocks()
  {
    return gridDim.x;
  }

  TESSERA_DEVICE void
  barrier()
  {
    __syncthreads();
  }

  TESSERA_DEVICE void
  fence()
  {
    __threadfence();
  }

  /// Keeps the compiler from overlapping the steps of a warp before and after
  /// this point, which would need too many registers.
  TESSERA_DEVICE void
  warp_barrier()
  {
    __syncwarp();
  }

  /// Adds `value` to *to atomically.
  template <class Number>
  TESSERA_DEVICE void
  atomic_add(Number *to, const Number value)
  {
    atomicAdd(to, value);
  }

  /// Adds `value` to *to atomically and returns the value before the addition.
  template <class Number>
  TESSERA_DEVICE Number
  atomic_fetch_add(Number *to, const Number value)
  {
    return atomicAdd(to, value);
  }

  /// Adds 1 atomically and returns the value before the addition.
  TESSERA_DEVICE unsigned int
  atomic_increment(unsigned int *counter)
  {
    return atomicAdd(counter, 1u);
  }

  /// Returns the value of the thread `offset` lanes further on; lanes are
  /// counted in groups of `width`. A thread without such a lane in its group
  /// gets its own value. All lanes of the warp take part.
  template <class Number>
  TESSERA_DEVICE Number
  shuffle_down(const Number value, const int offset, const int width = 32)
  {
    return __shfl_down_sync(0xffffffffu, value, offset, width);
  }

  /// Returns the value of a lane of the warp. All lanes of the warp take part.
  template <class Number>
  TESSERA_DEVICE Number
  shuffle(const Number value, const int lane)
  {
    return __shfl_sync(0xffffffffu, value, lane);
  }

  /// Starts the copy of one number of 4 or 8 bytes to shared memory, which does
  /// not pass through registers. The calling thread may read the number after
  /// `wait_for_copies`.
  template <class Number>
  TESSERA_DEVICE void
  copy_async(Number *shared, const Number *global)
  {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                   static_cast<unsigned int>(__cvta_generic_to_shared(shared))),
                 "l"(global), "n"(sizeof(Number))
                 : "memory");
  }

  TESSERA_DEVICE void
  wait_for_copies()
  {
    asm volatile("cp.async.wait_all;" ::: "memory");
  }

  /// Returns the value of the thread one lane before; lane 0 gets its own
  /// value. All lanes of the warp take part.
  template <class Number>
  TESSERA_DEVICE Number
  shuffle_up_one(const Number value)
  {
    return __shfl_up_sync(0xffffffffu, value, 1);
  }

  /// Makes what the lanes of a warp wrote to shared memory before this call
  /// visible to all lanes after it. All lanes take part.
  TESSERA_DEVICE void
  warp_synchronize()
  {
    __syncwarp();
  }

  /// Returns the smallest value of the warp in all of its lanes.
  TESSERA_DEVICE unsigned int
  warp_minimum(const unsigned int value)
  {
    return __reduce_min_sync(0xffffffffu, value);
  }

  /// Loads a value that will not be needed again, so that it leaves the caches
  /// first.
  template <class Number>
  TESSERA_DEVICE Number
  load_once(const Number *from)
  {
    return __ldcs(from);
  }
} // namespace tessera::device

#elif defined(TESSERA_SHIM)

#  include <tessera/base/shim.h>

#  define TESSERA_DEVICE inline
#  define TESSERA_KERNEL(...)
#  define TESSERA_ARGUMENT(...) const __VA_ARGS__
#  define TESSERA_SHARED static
#  define TESSERA_LARGE_SHARED(Type, name) TESSERA_SHARED Type name

namespace tessera::device
{
  inline int
  thread_index()
  {
    return shim::current.thread;
  }

  inline int
  block_index()
  {
    return shim::current.block;
  }

  inline int
  n_blocks()
  {
    return shim::current.n_blocks;
  }

  inline void
  barrier()
  {
    shim::wait(shim::State::at_barrier);
  }

  inline void
  fence()
  {
    shim::note_fence();
  }

  inline void
  warp_barrier()
  {}

  template <class Number>
  void
  atomic_add(Number *to, const Number value)
  {
    shim::add_atomically(to, value);
  }

  template <class Number>
  Number
  atomic_fetch_add(Number *to, const Number value)
  {
    return shim::add_atomically(to, value);
  }

  inline unsigned int
  atomic_increment(unsigned int *counter)
  {
    return shim::add_atomically(counter, 1u);
  }

  template <class Number>
  Number
  shuffle_down(const Number value, const int offset, const int width = 32)
  {
    static_assert(sizeof(Number) <= 8, "one word");
    const int lane   = shim::current.thread % 32;
    const int source = lane % width + offset < width ? lane + offset : lane;
    Number result;
    shim::exchange(&value, sizeof(Number), source, &result);
    return result;
  }

  template <class Number>
  Number
  shuffle(const Number value, const int lane)
  {
    static_assert(sizeof(Number) <= 8, "one word");
    Number result;
    shim::exchange(&value, sizeof(Number), lane, &result);
    return result;
  }

  template <class Number>
  void
  copy_async(Number *shared, const Number *global)
  {
    *shared = *global;
  }

  inline void
  wait_for_copies()
  {}

  template <class Number>
  Number
  shuffle_up_one(const Number value)
  {
    static_assert(sizeof(Number) <= 8, "one word");
    const int lane = shim::current.thread % 32;
    Number result;
    shim::exchange(&value, sizeof(Number), lane > 0 ? lane - 1 : 0, &result);
    return result;
  }

  inline void
  warp_synchronize()
  {
    // Unlike a shuffle, this orders what the lanes wrote.
    shim::wait(shim::State::at_warp_barrier);
  }

  inline unsigned int
  warp_minimum(unsigned int value)
  {
    const int lane = shim::current.thread % 32;
    for (int offset = 1; offset < 32; offset *= 2)
      {
        unsigned int other;
        shim::exchange(&value, sizeof(value), lane ^ offset, &other);
        value = other < value ? other : value;
      }
    return value;
  }

  template <class Number>
  Number
  load_once(const Number *from)
  {
    return *from;
  }
} // namespace tessera::device

#else
#  error "base/device.cuh is for kernels: nvcc or TESSERA_SHIM"
#endif

namespace tessera::device
{
  /// Returns the sum of `value` over a block in thread 0; other threads get 0.
  /// The block has `threads` threads, a multiple of 32. The order of additions
  /// is fixed. All threads take part.
  template <int threads, class Number>
  TESSERA_DEVICE Number
  block_sum(Number value)
  {
    TESSERA_SHARED Number of_warp[threads / 32];
    for (int offset = 16; offset > 0; offset /= 2)
      value += shuffle_down(value, offset);
    if (thread_index() % 32 == 0)
      of_warp[thread_index() / 32] = value;
    barrier();
    Number sum = Number(0);
    if (thread_index() == 0)
      for (int warp = 0; warp < threads / 32; ++warp)
        sum += of_warp[warp];
    barrier();
    return sum;
  }

  /// Stores the sum of `value` over a block in where.partial[block];
  /// `finish_sum` adds up the partial sums later. Use this instead of
  /// `grid_sums` for blocks with little work, which would spend more time at
  /// the counter of `grid_sums` than on their work. All threads of the block
  /// take part.
  template <int threads>
  TESSERA_DEVICE void
  leave_sum(const double value, const int block, const GridSum &where)
  {
    const double sum = block_sum<threads>(value);
    if (thread_index() == 0)
      where.partial[block] = sum;
  }
} // namespace tessera::device
