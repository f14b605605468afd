#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/simd.h>

#include <cstdint>
#include <cstring>

namespace tessera
{
  /// A variable x of a cell model on whose intervals of equal length, from
  /// `first` on, functions of x and of parameters are polynomials of degree 2
  /// that agree with them at the points of Chebyshev inside of the interval: a
  /// jump between two intervals, such as the jump of rates at -40 mV, does no
  /// harm. Beyond all intervals functions have the value at the end, or none.
  struct TableAxis
  {
    double first, per_unit;       ///< per_unit intervals in a unit of x
    int n_intervals, n_functions; ///< functions of this axis
    bool has_ends;                ///< values beyond all intervals

    /// Returns the interval of x, and sets u in [-1, 1]. Where there are no
    /// values, because x is beyond all intervals or not a number, u is not a
    /// number.
    template <class Number>
    TESSERA_HOST_DEVICE constexpr int
    interval(const Number of, Number &u) const
    {
      const Number all = (of - Number(first)) * Number(per_unit);
      Number x         = all > Number(0) ? all : Number(0);
      x                = x < Number(n_intervals) ? x : Number(n_intervals);
      int k            = static_cast<int>(x);
      k                = k < n_intervals ? k : n_intervals - 1;
      u                = Number(2) * (x - Number(k)) - Number(1) + (of - of);
      if (!has_ends && all != x)
        u = (u - u) / (u - u);
      return k;
    }
  };

  /// The polynomial value + slope u + curvature u^2 of a function on an
  /// interval, in 16 bytes, which one load reads. Slope and curvature are the
  /// upper words of doubles, which need no conversion: intervals are so short
  /// that 20 bits of a slope are enough.
  struct alignas(16) TableEntry
  {
    double value;
    std::uint32_t slope, curvature;

    TableEntry() = default;

    TableEntry(const double value, const double slope, const double curvature)
      : value(value), slope(upper(slope)), curvature(upper(curvature))
    {}

    TESSERA_HOST_DEVICE static TableEntry
    load(const TableEntry *const from)
    {
#ifdef __CUDA_ARCH__
      const uint4 words = __ldg(reinterpret_cast<const uint4 *>(from));
      TableEntry result;
      result.value     = __hiloint2double(words.y, words.x);
      result.slope     = words.z;
      result.curvature = words.w;
      return result;
#else
      return *from;
#endif
    }

    /// Returns the double with that upper word.
    TESSERA_HOST_DEVICE static double
    number(const std::uint32_t word)
    {
#ifdef __CUDA_ARCH__
      return __hiloint2double(word, 0);
#else
      const std::uint64_t bits = std::uint64_t(word) << 32;
      double result;
      std::memcpy(&result, &bits, sizeof result);
      return result;
#endif
    }

    /// Returns the upper word of the nearest of such doubles.
    static std::uint32_t
    upper(const double x)
    {
      std::uint64_t bits;
      std::memcpy(&bits, &x, sizeof bits);
      return static_cast<std::uint32_t>((bits + 0x80000000u) >> 32);
    }
  };

  /// The layout of a model's table for one list of parameters: entries whose
  /// values are Model::constants, and then for each axis [interval][function].
  /// The first functions of the first axis, the potential, are the limits and
  /// the decays exp(-dt rate) of gates 1 to n_tabulated, in turns; the others
  /// are Model::functions.
  template <class Model>
  struct TableLayout
  {
    TESSERA_HOST_DEVICE static constexpr std::int64_t
    first(const int axis)
    {
      std::int64_t result = Model::n_constants;
      for (int a = 0; a < axis; ++a)
        result +=
          std::int64_t(Model::axes[a].n_intervals) * Model::axes[a].n_functions;
      return result;
    }

    static constexpr std::int64_t size = first(Model::n_axes);
  };

  /// The table of a cell, and its values.
  template <class T>
  struct TableAt
  {
    const TableEntry *table = nullptr;

    TESSERA_HOST_DEVICE T
    constant(const int k) const
    {
      return T(read_only(&table[k].value));
    }

    struct Row
    {
      const TableEntry *entries;
      T u;

      TESSERA_HOST_DEVICE T
      operator()(const int function) const
      {
        const TableEntry entry = TableEntry::load(entries + function);
        return T(entry.value) + (T(TableEntry::number(entry.curvature)) * u +
                                 T(TableEntry::number(entry.slope))) *
                                  u;
      }
    };

    template <class Model, int axis>
    TESSERA_HOST_DEVICE Row
    row(const T x) const
    {
      constexpr TableAxis of = Model::axes[axis];
      constexpr auto first   = TableLayout<Model>::first(axis);
      Row result;
      const int k    = of.interval(x, result.u);
      result.entries = table + first + k * of.n_functions;
      return result;
    }
  };

  /// The tables of the cells in the lanes of T, each for its parameters.
  template <class Number, int width>
  struct TableAt<Simd<Number, width>>
  {
    using T = Simd<Number, width>;

    const TableEntry *table[width] = {};
    bool same                      = true; ///< for all lanes

    TESSERA_HOST T
    constant(const int k) const
    {
      T result(Number(table[0][k].value));
      for (int lane = 1; lane < width && !same; ++lane)
        result.set(lane, Number(table[lane][k].value));
      return result;
    }

    struct Row
    {
      const TableEntry *entries[width];
      T u = T(Number(0));
      bool same; ///< for all lanes

      TESSERA_HOST T
      operator()(const int function) const
      {
        const auto number = [](const std::uint32_t word) {
          return Number(TableEntry::number(word));
        };
        const TableEntry &first = entries[0][function];
        T value(Number(first.value)), slope(number(first.slope)),
          curvature(number(first.curvature));
        for (int lane = 1; lane < width && !same; ++lane)
          {
            const TableEntry &entry = entries[lane][function];
            value.set(lane, Number(entry.value));
            slope.set(lane, number(entry.slope));
            curvature.set(lane, number(entry.curvature));
          }
        return value + (curvature * u + slope) * u;
      }
    };

    template <class Model, int axis>
    TESSERA_HOST Row
    row(const T x) const
    {
      Row result;
      result.same = true;
      for (int lane = 0; lane < width; ++lane)
        {
          const auto of_lane =
            TableAt<Number>{table[lane]}.template row<Model, axis>(x[lane]);
          result.u.set(lane, of_lane.u);
          result.entries[lane] = of_lane.entries;
          result.same = result.same && of_lane.entries == result.entries[0];
        }
      return result;
    }
  };

  /// The tables for steps of half and of the whole length.
  template <class T>
  struct CellTables
  {
    TableAt<T> half, whole;
  };

  /// A gate in 32 bits: the multiple of 1 / (2^32 - 1) next to it in [0, 1]. A
  /// gate that takes n steps to its limit ends within n / 2^33 of it.
  struct NarrowGate
  {
    static constexpr double steps = 4294967295., shift = 4503599627370496.;

    TESSERA_HOST_DEVICE static double
    value(const std::uint32_t bits)
    {
#ifdef __CUDA_ARCH__
      return (__hiloint2double(0x43300000, bits) - shift) * (1 / steps);
#else
      return bits * (1 / steps);
#endif
    }

    /// The sum is in [2^52, 2^52 + 2^32) if the gate is in [0, 1], and its
    /// lower word is the multiple.
    TESSERA_HOST_DEVICE static std::uint32_t
    bits(const double value)
    {
      const double sum = value * steps + shift;
#ifdef __CUDA_ARCH__
      const int upper           = __double2hiint(sum);
      const std::uint32_t lower = __double2loint(sum);
#else
      std::uint64_t all;
      std::memcpy(&all, &sum, sizeof all);
      const int upper  = static_cast<int>(all >> 32);
      const auto lower = static_cast<std::uint32_t>(all);
#endif
      return upper == 0x43300000 ? lower : upper < 0x43300000 ? 0 : 0xffffffffu;
    }
  };
} // namespace tessera
