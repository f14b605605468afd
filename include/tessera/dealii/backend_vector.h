#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/solvers/vector_operations.h>

#include <deal.II/base/types.h>

#include <memory>

namespace tessera
{
  /// A vector of the owned, free degrees of freedom of a `Space` in the memory
  /// of one backend, with what deal.II's SolverCG asks of its VectorType. Its
  /// tail is zero. Only the scalars that operator*, add_and_dot, l2_norm and
  /// all_zero return leave the memory of the backend. Operations of vectors of
  /// different sizes or backends throw std::length_error.
  template <class Number>
  class BackendVector
  {
  public:
    using value_type = Number;
    using real_type  = Number;
    using size_type  = dealii::types::global_dof_index;

    /// Without entries, until `reinit`.
    BackendVector() = default;

    /// Takes over a vector, and clears its tail.
    explicit BackendVector(Vector<Number> vector);

    BackendVector(const BackendVector &other);
    BackendVector(BackendVector &&other) noexcept;

    BackendVector &
    operator=(const BackendVector &other);
    BackendVector &
    operator=(BackendVector &&other) noexcept;

    /// All entries become zero, the only value that is taken: throws
    /// std::invalid_argument for another one.
    BackendVector &
    operator=(Number zero);

    /// Sizes and backend of `like`; where they change, or
    /// `omit_zeroing_entries` is false, entries become zero.
    void
    reinit(const BackendVector &like, bool omit_zeroing_entries = false);

    size_type
    size() const;

    void
    swap(BackendVector &other);

    /// y += a x, for y this vector.
    void
    add(Number a, const BackendVector &x);

    /// y = s y + a x
    void
    sadd(Number s, Number a, const BackendVector &x);

    /// y = a x
    void
    equ(Number a, const BackendVector &x);

    BackendVector &
    operator*=(Number a);

    Number
    operator*(const BackendVector &x) const;

    /// y += a x, then y . z
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

    /// Who writes to the tail clears it.
    Vector<Number> &
    local()
    {
      return vector;
    }

  private:
    Vector<Number> vector;
    /// Shared by vectors of one size; null while there are no entries.
    std::shared_ptr<const VectorOperations<Number>> operations;
  };
} // namespace tessera
