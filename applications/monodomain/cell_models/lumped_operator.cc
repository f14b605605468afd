#include "lumped_operator.h"

#include "lumped_operator.cuh"

namespace tessera
{
  template <class Number>
  LumpedOperator<Number>::LumpedOperator(const Operator<Number> &K,
                                         const Vector<Number> &mass,
                                         const Number factor)
    : K(K), mass(mass), factor(factor), operations(K.backend(), K.n_owned())
  {
    this->set_parts(K.parts());
  }


  template <class Number>
  void
  LumpedOperator<Number>::vmult(Vector<Number> &y, const Vector<Number> &x,
                                const Epilogue<Number> &epilogue,
                                const Stream stream) const
  {
    using Kind = typename Epilogue<Number>::Kind;
    if (epilogue.kind == Kind::add)
      throw std::logic_error("LumpedOperator: products are not added.");
    if (factor != Number(0))
      K.vmult(y, x, Epilogue<Number>::store(), stream);
    for_each(backend(), n_owned(),
             AddLumped<Number>{factor, mass.data(), x.data(), y.data()},
             stream);
    if (epilogue.kind == Kind::dot)
      operations.store_dot(epilogue.result, x, y, stream);
  }


  template <class Number>
  void
  LumpedOperator<Number>::diagonal(Vector<Number> &d, const Stream stream) const
  {
    K.diagonal(d, stream);
    operations.combine(Number(1), mass, factor, d, stream);
  }


  template <class Number>
  Traffic
  LumpedOperator<Number>::traffic() const
  {
    const std::uint64_t vector = sizeof(Number) * n_owned();
    if (factor == Number(0))
      return {3 * vector, vector};
    Traffic traffic = K.traffic();
    traffic.compulsory += 4 * vector;
    traffic.stored += vector;
    return traffic;
  }


  template class LumpedOperator<double>;
} // namespace tessera
