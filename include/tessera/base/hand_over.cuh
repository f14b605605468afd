#pragma once

#include <tessera/base/device.cuh>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

// These functions pass a number from one block of a kernel to a later block of
// the same kernel.
namespace tessera::device
{
  template <class Number>
  using Bits =
    std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;

  /// Returns the marker that is stored in memory for a number that has not
  /// arrived yet: a NaN with all bits set, so that a memset to 255 creates it.
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
  /// Pauses briefly between two looks at a number that an earlier block is
  /// going to write.
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
  /// Fibers run one block after another, so a number that is missing now will
  /// never arrive: waiting for it is an error.
  inline void
  wait_for_a_block()
  {
    throw std::logic_error(
      "a wait without end: no block before this one has left the number");
  }

  /// Throws if the place still holds a number. On the device such an error
  /// would depend on timing; on fibers it shows in every run.
  template <class Number>
  void
  check_is_taken(const Number *place)
  {
    if (!is_to_come(*static_cast<const volatile Number *>(place)))
      throw std::logic_error("no block has taken the number that is there");
  }
#endif

  /// Passes a number to the one thread of a later block that calls `take_over`
  /// on the same place. *to must hold the marker `to_come`. The number is its
  /// own flag: it is one word that is either there or not, so no fence is
  /// needed. A NaN with all bits set arrives as a different NaN.
  template <class Number>
  TESSERA_DEVICE void
  hand_over(Number *to, const Number value)
  {
    check_is_taken(to);
    *static_cast<volatile Number *>(to) =
      is_to_come(value) ? static_cast<Number>(__builtin_nan("")) : value;
  }

  /// Waits for the number that an earlier block hands over, then restores the
  /// marker so that the next kernel can use the place again. The wait ends
  /// because a device starts blocks in the order of their indices, which the
  /// scans of CUB rely on as well, and a running block never waits for a later
  /// one. On fibers, a wait that would not end is an error, and so is a number
  /// that nobody takes before the next one arrives.
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
