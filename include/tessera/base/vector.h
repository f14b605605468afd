#pragma once

#include <tessera/base/array.h>

#include <utility>

namespace tessera
{
  /// A vector of a `Space` in the memory of one backend, stored as [owned |
  /// tail]. A new vector is filled with zeros.
  template <class Number>
  class Vector
  {
  public:
    using value_type = Number;

    Vector() = default;

    Vector(const Backend backend, const int n_owned, const int n_tail)
      : values(backend, static_cast<std::size_t>(n_owned) + n_tail),
        owned(n_owned)
    {}

    /// Leaves `other` empty.
    Vector(Vector &&other) noexcept
      : values(std::move(other.values)), owned(std::exchange(other.owned, 0))
    {}

    Vector &
    operator=(Vector &&other) noexcept
    {
      values = std::move(other.values);
      owned  = std::exchange(other.owned, 0);
      return *this;
    }

    int
    n_owned() const
    {
      return owned;
    }

    int
    n_tail() const
    {
      return static_cast<int>(values.size()) - owned;
    }

    /// Returns the number of all entries, owned and in the tail.
    int
    size() const
    {
      return static_cast<int>(values.size());
    }

    Backend
    backend() const
    {
      return values.backend();
    }

    Number *
    data()
    {
      return values.data();
    }

    const Number *
    data() const
    {
      return values.data();
    }

    /// Returns the tail for writing. The tail only caches entries that are
    /// owned elsewhere, so even a constant vector lets it be filled.
    Number *
    tail() const
    {
      return const_cast<Number *>(values.data()) + owned;
    }

    void
    zero(const Stream stream = {})
    {
      values.zero(stream);
    }

    void
    zero_tail(const Stream stream = {})
    {
      const std::size_t bytes = sizeof(Number) * n_tail();
      if (backend() == Backend::cuda)
        runtime::fill_async(tail(), 0, bytes, stream);
      else
        std::fill_n(tail(), n_tail(), Number(0));
    }

    /// Overwrites all `size()` entries. Throws std::length_error if `from` has
    /// another size.
    void
    copy_from(const std::vector<Number> &from)
    {
      values.copy_from(from);
    }

    std::vector<Number>
    to_vector() const
    {
      return values.to_vector();
    }

  private:
    Array<Number> values;
    int owned = 0;
  };
} // namespace tessera
