#pragma once

#include <tessera/base/backend.h>
#include <tessera/base/device_memory.h>
#include <tessera/base/runtime.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera
{
  namespace internal
  {
    /// Allocates memory for `n` values of `size` bytes: host memory is aligned
    /// to 64 bytes, device memory comes from `runtime::allocate`. Throws
    /// DeviceError, naming the requested amount, if the memory is not
    /// available.
    void *
    allocate(Backend backend, std::size_t n, std::size_t size);

    void
    deallocate(Backend backend, void *pointer) noexcept;

    /// Sets host memory to zero with all threads. The pages are distributed by
    /// a static schedule, so a page is first touched by the thread that later
    /// works on it in a static loop over the entries.
    void
    zero_on_host(void *pointer, std::size_t bytes);
  } // namespace internal

  /// An array of fixed size with plain values in the memory of one backend. It
  /// owns its memory and can be moved but not copied. A new array is filled
  /// with zeros.
  template <class T>
  class Array
  {
    static_assert(std::is_trivially_copyable<T>::value, "plain values only");

  public:
    Array() = default;

    Array(const Backend backend, const std::size_t size)
      : memory(size == 0 ? nullptr
                         : static_cast<T *>(
                             internal::allocate(backend, size, sizeof(T))),
               Free{backend}),
        n(size)
    {
      zero();
      if (n > 0)
        internal::finish_arrays(backend);
    }

    Array(const Backend backend, const std::vector<T> &values)
      : memory(values.empty() ? nullptr
                              : static_cast<T *>(internal::allocate(
                                  backend, values.size(), sizeof(T))),
               Free{backend}),
        n(values.size())
    {
      copy_from(values);
    }

    /// Leaves `other` empty.
    Array(Array &&other) noexcept
      : memory(std::move(other.memory)), n(std::exchange(other.n, 0))
    {}

    Array &
    operator=(Array &&other) noexcept
    {
      memory = std::move(other.memory);
      n      = std::exchange(other.n, 0);
      return *this;
    }

    T *
    data()
    {
      return memory.get();
    }

    const T *
    data() const
    {
      return memory.get();
    }

    std::size_t
    size() const
    {
      return n;
    }

    std::size_t
    bytes() const
    {
      return n * sizeof(T);
    }

    Backend
    backend() const
    {
      return memory.get_deleter().backend;
    }

    void
    zero(const Stream stream = {})
    {
      if (n == 0)
        return;
      if (backend() == Backend::host)
        internal::zero_on_host(data(), bytes());
      else
        runtime::fill_async(data(), 0, bytes(), stream);
    }

    /// Overwrites all values and waits for the copy. Throws std::length_error
    /// unless `values` has `size()` entries.
    void
    copy_from(const std::vector<T> &values)
    {
      if (values.size() != n)
        throw std::length_error("Array::copy_from: sizes differ");
      if (n == 0)
        return;
      if (backend() == Backend::host)
        std::memcpy(static_cast<void *>(data()), values.data(), bytes());
      else
        runtime::copy(data(), values.data(), bytes(),
                      runtime::Copy::host_to_device);
    }

    std::vector<T>
    to_vector() const
    {
      std::vector<T> values(n);
      if (n == 0)
        return values;
      if (backend() == Backend::host)
        std::memcpy(static_cast<void *>(values.data()), data(), bytes());
      else
        runtime::copy(values.data(), data(), bytes(),
                      runtime::Copy::device_to_host);
      return values;
    }

  private:
    struct Free
    {
      Backend backend = Backend::host;
      void
      operator()(T *pointer) const noexcept
      {
        internal::deallocate(backend, pointer);
      }
    };

    std::unique_ptr<T[], Free> memory;
    std::size_t n = 0;
  };
} // namespace tessera
