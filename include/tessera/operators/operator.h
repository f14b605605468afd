#pragma once

#include <tessera/base/vector.h>

#include <cstdint>
#include <limits>
#include <string>

namespace tessera
{
  /// What an operator does with y_i = (A x)_i where it is at hand.
  template <class Number>
  struct Epilogue
  {
    enum class Kind
    {
      store, ///< y = A x
      add,   ///< y += A x
      dot    ///< y = A x, and *result = x . A x over owned entries, here
    };

    Kind kind      = Kind::store;
    Number *result = nullptr; ///< for `dot`: one value, in backend memory

    static Epilogue
    store()
    {
      return {Kind::store, nullptr};
    }

    static Epilogue
    add()
    {
      return {Kind::add, nullptr};
    }

    static Epilogue
    dot(Number *result)
    {
      return {Kind::dot, result};
    }
  };

  /// Bytes that one application must move (x read once, y written once, 32-bit
  /// indices; the models of doc/benchmarking.md), and bytes that the stored
  /// form holds, padding included.
  struct Traffic
  {
    std::uint64_t compulsory = 0;
    std::uint64_t stored     = 0;
  };

  /// How exact the entries of a matrix are: relative to each, and below which
  /// size it is lost.
  struct Precision
  {
    double eps      = 0;
    double smallest = 0;
  };

  template <class Number>
  constexpr Precision
  precision_of()
  {
    return {std::numeric_limits<Number>::epsilon(),
            std::numeric_limits<Number>::min()};
  }

  /// y = A x on the owned entries of a `Space`. Nothing allocates or
  /// synchronises after construction: every call may be captured in a graph.
  /// An object serves one stream at a time.
  template <class Number>
  class Operator
  {
  public:
    virtual ~Operator() = default;

    virtual Backend
    backend() const = 0;

    virtual int
    n_owned() const = 0;

    virtual int
    n_tail() const = 0;

    /// A vector of the operator's sizes, zero.
    Vector<Number>
    make_vector() const
    {
      return Vector<Number>(backend(), n_owned(), n_tail());
    }

    /// Applies the operator. With a tail of zero (a homogeneous problem) A is
    /// the matrix of the free degrees of freedom; cell operators read whatever
    /// the tail of x holds, so that A [0; g] lifts boundary values. The tail
    /// of y is undefined afterwards. `x` and `y` differ.
    virtual void
    vmult(Vector<Number> &y, const Vector<Number> &x,
          const Epilogue<Number> &epilogue = {}, Stream stream = {}) const = 0;

    /// d_i = A_ii on owned entries.
    virtual void
    diagonal(Vector<Number> &d, Stream stream = {}) const = 0;

    virtual Traffic
    traffic() const = 0;

    /// Errors of a product are some eps sum_j |a_ij| |x_j|: eps of Number, or
    /// of the type that entries are stored in where that has less.
    virtual Precision
    precision() const
    {
      return precision_of<Number>();
    }

    /// True if two runs give the same bits.
    virtual bool
    repeatable() const = 0;

    /// Its name in `operators.def`.
    virtual std::string
    name() const = 0;
  };
} // namespace tessera
