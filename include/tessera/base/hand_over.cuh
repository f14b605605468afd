#pragma once

#include <tessera/base/device.cuh>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

// Numbers that go from one block of a kernel to a later one.
namespace tessera::device
{
  template <class Number>
  using Bits =
    std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;

  /// What stands in memory for a number that is still to come: a NaN with all
  /// bits set, so that filling bytes makes it.
  template <class Number>
  TESSERA_DEVICE Number
  to_come()
  {
    const Bits<Number> bits = static_cast<Bits<Number>>(-1);
    Number value;
    static_assert(sizeof(value) == sizeof(bits), "one word");
    std::memcpy(&value, &bits, sizeof(bits));
    return value;
  }

  template <class Number>
  TESSERA_DEVICE bool
  is_to_come(const Number value)
  {
    Bits<Number> bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits == static_cast<Bits<Number>>(-1);
  }

#ifdef __CUDACC__
  /// Between two looks at what a block before this one is to write.
  TESSERA_DEVICE void
  wait_for_a_block()
  {
    __nanosleep(20);
  }

  template <class Number>
  TESSERA_DEVICE void
  check_is_taken(const Number *)
  {}
#else
  /// Fibers run block after block: there is nothing to wait for.
  inline void
  wait_for_a_block()
  {
    throw std::logic_error(
      "a wait without end: no block before this one has left the number");
  }

  /// That a number finds its place empty is no matter of time here.
  template <class Number>
  void
  check_is_taken(const Number *place)
  {
    if (!is_to_come(*place))
      throw std::logic_error("no block has taken the number that is there");
  }
#endif

  /// Gives a number to the one thread of a later block that takes it with
  /// `take_over`; *to stands for one that is still to come. It is its own flag,
  /// one word that is there or not: no fence is needed. A NaN that has all bits
  /// set arrives as another one.
  template <class Number>
  TESSERA_DEVICE void
  hand_over(Number *to, const Number value)
  {
    check_is_taken(to);
    *static_cast<volatile Number *>(to) =
      is_to_come(value) ? static_cast<Number>(__builtin_nan("")) : value;
  }

  /// Waits for the number that a block before this one hands over, and then
  /// leaves the place as it was before, for the next kernel. A device starts
  /// blocks in the order of their indices, which the scans of CUB rely on as
  /// well, and one that has started is never kept waiting by a later one: so
  /// the wait ends. On fibers a wait that would not end is an error, as is a
  /// number that no one takes before the next one.
  template <class Number>
  TESSERA_DEVICE Number
  take_over(Number *from)
  {
    volatile Number *const place = from;
    Number value                 = *place;
    while (is_to_come(value))
      {
        wait_for_a_block();
        value = *place;
      }
    *place = to_come<Number>();
    return value;
  }
} // namespace tessera::device
