#pragma once

#include <tessera/base/vector.h>

namespace tessera
{
  template <class Number>
  struct VectorData;

  /// What Krylov methods do with vectors, for solvers that are not Tessera's:
  /// scaled sums and dot products over owned entries, tails left alone. A sum
  /// that is returned synchronises; nothing else leaves the memory of the
  /// backend, and nothing allocates after construction. Sums are repeatable. An
  /// object serves one stream at a time. All throw std::length_error for
  /// vectors of other sizes or of another backend.
  template <class Number>
  class VectorOperations
  {
  public:
    VectorOperations(Backend backend, int n_owned);

    /// y = a x + b y; y is not read for b = 0. x may be y. 3 numbers an entry
    /// are moved, 2 for b = 0.
    void
    combine(Number a, const Vector<Number> &x, Number b, Vector<Number> &y,
            Stream stream = {}) const;

    /// x . y
    Number
    dot(const Vector<Number> &x, const Vector<Number> &y,
        Stream stream = {}) const;

    /// *result = x . y, one value in the memory of the backend; does not
    /// synchronise, so that it may be captured in a graph.
    void
    store_dot(Number *result, const Vector<Number> &x, const Vector<Number> &y,
              Stream stream = {}) const;

    /// y += a x, then y . z, where z may be y: 3 numbers an entry are moved, 4
    /// where z is another vector.
    Number
    add_and_dot(Number a, const Vector<Number> &x, Vector<Number> &y,
                const Vector<Number> &z, Stream stream = {}) const;

    /// False for what is not a number, too.
    bool
    all_zero(const Vector<Number> &x, Stream stream = {}) const;

  private:
    void
    check(const Vector<Number> &x) const;

    /// What kernels need; checks x and z.
    VectorData<Number>
    data(Number a, const Vector<Number> &x, Number b, Number *y,
         const Vector<Number> &z) const;

    /// What the last kernel summed up; synchronises.
    Number
    read_sum(Stream stream) const;

    Backend backend;
    int n_owned;
    int n_blocks;
    mutable Array<Number> sum;
    mutable Array<Number> partial;
    mutable Array<unsigned int> counter;
  };

  /// Clears the tail alone.
  template <class Number>
  void
  zero_tail(Vector<Number> &x, Stream stream = {});
} // namespace tessera
