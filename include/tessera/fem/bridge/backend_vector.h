#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/base/vector_operations.h>

#include <deal.II/base/types.h>

#include <memory>

namespace tessera
{
  /// A vector of the owned, free degrees of freedom of a `Space` in the memory
  /// of one backend, with all members that deal.II's SolverCG requires of its
  /// VectorType. Its tail is always zero. Only the scalars that operator*,
  /// add_and_dot, l2_norm and all_zero return leave the memory of the backend.
  /// An operation on vectors with different sizes or backends throws
  /// std::length_error.
  template <class Number>
  class BackendVector
  {
  public:
    using value_type = Number;
    using real_type  = Number;
    using size_type  = dealii::types::global_dof_index;

    /// Makes a vector without entries; call `reinit` before using it.
    BackendVector() = default;

    /// Takes over a vector and sets its tail to zero.
    explicit BackendVector(Vector<Number> vector);

    BackendVector(const BackendVector &other);
    BackendVector(BackendVector &&other) noexcept;

    BackendVector &
    operator=(const BackendVector &other);
    BackendVector &
    operator=(BackendVector &&other) noexcept;

    /// Sets all entries to zero, which is the only legal value. Throws
    /// std::invalid_argument for any other value.
    BackendVector &
    operator=(Number zero);

    /// Takes the sizes and the backend of `like`. Entries become zero if these
    /// change or if `omit_zeroing_entries` is false.
    void
    reinit(const BackendVector &like, bool omit_zeroing_entries = false);

    size_type
    size() const;

    void
    swap(BackendVector &other);

    /// Computes y += a x, where y is this vector.
    void
    add(Number a, const BackendVector &x);

    /// Computes y = s y + a x.
    void
    sadd(Number s, Number a, const BackendVector &x);

    /// Computes y = a x.
    void
    equ(Number a, const BackendVector &x);

    BackendVector &
    operator*=(Number a);

    Number
    operator*(const BackendVector &x) const;

    /// Computes y += a x and returns y . z with the new y.
    Number
    add_and_dot(Number a, const BackendVector &x, const BackendVector &z);

    Number
    l2_norm() const;

    bool
    all_zero() const;

    std::size_t
    memory_consumption() const;

    const Vector<Number> &
    local() const
    {
      return vector;
    }

    /// Returns the vector for writing. A caller that writes to its tail must
    /// set the tail to zero again.
    Vector<Number> &
    local()
    {
      return vector;
    }

  private:
    Vector<Number> vector;
    /// Vectors of one size share this object; it is null if there are no
    /// entries.
    std::shared_ptr<const VectorOperations<Number>> operations;
  };
} // namespace tessera
