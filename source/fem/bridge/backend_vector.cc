#include <tessera/fem/bridge/backend_vector.h>

#include <deal.II/lac/vector_memory.h>
#include <deal.II/lac/vector_memory.templates.h>

#include <cmath>
#include <stdexcept>

namespace tessera
{
  template <class Number>
  BackendVector<Number>::BackendVector(Vector<Number> vector_in)
    : vector(std::move(vector_in)),
      operations(std::make_shared<const VectorOperations<Number>>(
        vector.backend(), vector.n_owned()))
  {
    zero_tail(vector);
  }

  template <class Number>
  BackendVector<Number>::BackendVector(const BackendVector &other)
  {
    *this = other;
  }

  template <class Number>
  BackendVector<Number>::BackendVector(BackendVector &&other) noexcept
  {
    swap(other);
  }

  template <class Number>
  BackendVector<Number> &
  BackendVector<Number>::operator=(BackendVector &&other) noexcept
  {
    swap(other);
    return *this;
  }

  template <class Number>
  BackendVector<Number> &
  BackendVector<Number>::operator=(const BackendVector &other)
  {
    if (this == &other)
      return *this;
    reinit(other, true);
    if (operations)
      equ(Number(1), other);
    return *this;
  }

  template <class Number>
  BackendVector<Number> &
  BackendVector<Number>::operator=(const Number zero)
  {
    if (zero != Number(0))
      throw std::invalid_argument("BackendVector: only 0 can be assigned");
    vector.zero();
    return *this;
  }

  template <class Number>
  void
  BackendVector<Number>::reinit(const BackendVector &like,
                                const bool omit_zeroing_entries)
  {
    const Vector<Number> &other = like.vector;
    if (vector.n_owned() != other.n_owned() ||
        vector.n_tail() != other.n_tail() ||
        vector.backend() != other.backend())
      vector = Vector<Number>(other.backend(), other.n_owned(), other.n_tail());
    else if (!omit_zeroing_entries)
      vector.zero();
    operations = like.operations;
  }

  template <class Number>
  typename BackendVector<Number>::size_type
  BackendVector<Number>::size() const
  {
    return vector.n_owned();
  }

  template <class Number>
  void
  BackendVector<Number>::swap(BackendVector &other)
  {
    std::swap(vector, other.vector);
    std::swap(operations, other.operations);
  }

  template <class Number>
  void
  BackendVector<Number>::add(const Number a, const BackendVector &x)
  {
    operations->combine(a, x.vector, Number(1), vector);
  }

  template <class Number>
  void
  BackendVector<Number>::sadd(const Number s, const Number a,
                              const BackendVector &x)
  {
    operations->combine(a, x.vector, s, vector);
  }

  template <class Number>
  void
  BackendVector<Number>::equ(const Number a, const BackendVector &x)
  {
    operations->combine(a, x.vector, Number(0), vector);
  }

  template <class Number>
  BackendVector<Number> &
  BackendVector<Number>::operator*=(const Number a)
  {
    equ(a, *this);
    return *this;
  }

  template <class Number>
  Number
  BackendVector<Number>::operator*(const BackendVector &x) const
  {
    return static_cast<Number>(operations->dot(vector, x.vector));
  }

  template <class Number>
  Number
  BackendVector<Number>::add_and_dot(const Number a, const BackendVector &x,
                                     const BackendVector &z)
  {
    return static_cast<Number>(
      operations->add_and_dot(a, x.vector, vector, z.vector));
  }

  template <class Number>
  Number
  BackendVector<Number>::l2_norm() const
  {
    return static_cast<Number>(std::sqrt(operations->dot(vector, vector)));
  }

  template <class Number>
  bool
  BackendVector<Number>::all_zero() const
  {
    return operations->all_zero(vector);
  }

  template <class Number>
  std::size_t
  BackendVector<Number>::memory_consumption() const
  {
    return sizeof(*this) + vector.size() * sizeof(Number);
  }

  template class BackendVector<double>;
  template class BackendVector<float>;
} // namespace tessera


// The solvers of deal.II take their vectors from these.
template class dealii::VectorMemory<tessera::BackendVector<double>>;
template class dealii::VectorMemory<tessera::BackendVector<float>>;
template class dealii::GrowingVectorMemory<tessera::BackendVector<double>>;
template class dealii::GrowingVectorMemory<tessera::BackendVector<float>>;
