#pragma once

#include <tessera/base/communicator.h>
#include <tessera/base/vector.h>

namespace tessera
{
  /// Vector operations of Krylov methods, for solvers that do not belong to
  /// Tessera: scaled sums and dot products over owned entries. Tails are left
  /// unchanged.
  ///
  /// A function that returns a sum synchronises; nothing else leaves backend
  /// memory, and nothing allocates after construction. Sums repeat their bits
  /// and are double for all number types: a dot product of float vectors has
  /// only the rounding errors of additions in double. An object serves one
  /// stream at a time. All functions throw std::length_error for vectors of a
  /// different size or backend.
  template <class Number>
  class VectorOperations
  {
  public:
    /// Sums are taken over all parts, which call functions that return a sum
    /// together. `all` must outlive this object.
    VectorOperations(Backend backend, int n_owned,
                     const Communicator &all = Communicator::alone());

    /// Computes y = a x + b y; y is not read if b = 0, and x may be y. Moves 3
    /// numbers per entry, or 2 if b = 0.
    void
    combine(Number a, const Vector<Number> &x, Number b, Vector<Number> &y,
            Stream stream = {}) const;

    /// Returns x . y.
    double
    dot(const Vector<Number> &x, const Vector<Number> &y,
        Stream stream = {}) const;

    /// Computes *result = x . y, one value in backend memory. Does not
    /// synchronise, so that it may be captured in a graph.
    void
    store_dot(double *result, const Vector<Number> &x, const Vector<Number> &y,
              Stream stream = {}) const;

    /// Computes y += a x and then returns y . z, where z may be y. Moves 3
    /// numbers per entry, or 4 if z is another vector.
    double
    add_and_dot(Number a, const Vector<Number> &x, Vector<Number> &y,
                const Vector<Number> &z, Stream stream = {}) const;

    /// Returns the number of entries that all parts own.
    double
    n_of_all_parts(Stream stream = {}) const;

    /// Returns true if all owned entries are zero. An entry that is not a
    /// number is not zero.
    bool
    all_zero(const Vector<Number> &x, Stream stream = {}) const;

    /// Divides x by the mean magnitude of its owned entries and returns that
    /// mean: the squares of entries then neither overflow nor underflow in any
    /// units. Returns 1 if all entries are zero. If the mean is infinite or not
    /// a number, returns it and leaves x unchanged.
    double
    normalize(Vector<Number> &x, Stream stream = {}) const;

  private:
    /// Checks x and returns its memory.
    const Number *
    entries(const Vector<Number> &x) const;

    Number *
    entries(Vector<Number> &x) const;

    /// Runs a pass that leaves its sum, if it has one, in *result.
    template <class Work>
    void
    run(const Work &work, double *result, Stream stream) const;

    /// Returns the sum of a pass. Synchronises.
    template <class Work>
    double
    sum_of(const Work &work, Stream stream) const;

    /// Returns the sum of `*sum.data()` over all parts. Synchronises.
    double
    sum_over_parts(Stream stream) const;

    Backend backend;
    int n_owned;
    const Communicator &all;
    int n_blocks;
    mutable Array<double> sum;
    mutable Array<double> partial;
    mutable Array<unsigned int> counter;
  };

  /// Sets the tail to zero; owned entries are unchanged.
  template <class Number>
  void
  zero_tail(Vector<Number> &x, Stream stream = {});
} // namespace tessera
