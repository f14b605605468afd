#pragma once

#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

namespace tessera
{
  /// Messages between the parts of a divided problem. This process works on one
  /// of the parts. Messages have any length, go to any part and are in host
  /// memory. Set-up uses them to learn about other parts; exchanges that are
  /// repeated many times use a `Channel` instead. All parts have to call the
  /// same functions in the same order. This class is for a problem with one
  /// part.
  class Messages
  {
  public:
    using Bytes = std::vector<char>;

    virtual ~Messages() = default;

    /// Returns the number of this part, from 0 on.
    virtual int
    part() const
    {
      return 0;
    }

    virtual int
    n_parts() const
    {
      return 1;
    }

    /// Sends to[p] to part p, which may be this one, and returns what every
    /// part sent here, [n_parts()].
    virtual std::vector<Bytes>
    exchange(std::vector<Bytes> to) const
    {
      return to;
    }

    /// Returns the bytes that every part gives, [n_parts()].
    virtual std::vector<Bytes>
    gather(const Bytes &mine) const
    {
      return {mine};
    }

    /// Calls `work`, which sends nothing. If it throws in one part, all parts
    /// throw an Error with the sentence of the first part that failed.
    virtual void
    collectively(const std::function<void()> &work) const
    {
      work();
    }
  };

  /// Appends n values to a message.
  template <class T>
  void
  append(Messages::Bytes &bytes, const T *const values, const std::size_t n)
  {
    const std::size_t at = bytes.size();
    bytes.resize(at + n * sizeof(T));
    if (n > 0)
      std::memcpy(bytes.data() + at, values, n * sizeof(T));
  }

  /// Reads a message from its beginning on.
  class MessageReader
  {
  public:
    explicit MessageReader(const Messages::Bytes &bytes) : bytes(bytes)
    {}

    /// Reads the next n values. Throws std::logic_error if the message has
    /// fewer.
    template <class T>
    void
    read(T *const values, const std::size_t n)
    {
      if (bytes.size() - at < n * sizeof(T))
        throw std::logic_error("a message is too short");
      if (n > 0)
        std::memcpy(values, bytes.data() + at, n * sizeof(T));
      at += n * sizeof(T);
    }

    /// Appends the next n values to a list.
    template <class T>
    void
    append_to(std::vector<T> &values, const std::size_t n)
    {
      values.resize(values.size() + n);
      read(values.data() + values.size() - n, n);
    }

  private:
    const Messages::Bytes &bytes;
    std::size_t at = 0;
  };

  /// Returns one value of every part, [n_parts()].
  template <class T>
  std::vector<T>
  gather_values(const Messages &messages, const T &value)
  {
    Messages::Bytes mine;
    append(mine, &value, 1);
    std::vector<T> result;
    for (const Messages::Bytes &bytes : messages.gather(mine))
      MessageReader(bytes).append_to(result, 1);
    return result;
  }

  /// Returns the sum of the values of all parts, in their order.
  template <class T>
  T
  sum_over_parts(const Messages &messages, const T &value)
  {
    T sum = 0;
    for (const T &of_part : gather_values(messages, value))
      sum += of_part;
    return sum;
  }
} // namespace tessera
