#pragma once

#include <tessera/base/vector_operations.h>
#include <tessera/operators/operator.h>

namespace tessera
{
  /// A = M + factor K, where M is a diagonal matrix: a lumped mass. If factor
  /// is 0, products with M do not multiply by K.
  ///
  /// A product takes one with K and a pass that moves 4 numbers an entry, or 3
  /// if factor is 0; `Epilogue::dot` adds a pass that reads 2. The epilogue
  /// `add` throws std::logic_error. As repeatable as K.
  template <class Number>
  class LumpedOperator : public Operator<Number>
  {
  public:
    /// `mass` has the diagonal of M in its owned entries. Both must outlive
    /// this object.
    LumpedOperator(const Operator<Number> &K, const Vector<Number> &mass,
                   Number factor);

    Backend
    backend() const override
    {
      return K.backend();
    }

    int
    n_owned() const override
    {
      return K.n_owned();
    }

    int
    n_tail() const override
    {
      return K.n_tail();
    }

    void
    vmult(Vector<Number> &y, const Vector<Number> &x,
          const Epilogue<Number> &epilogue = {},
          Stream stream                    = {}) const override;

    void
    diagonal(Vector<Number> &d, Stream stream = {}) const override;

    Traffic
    traffic() const override;

    bool
    repeatable() const override
    {
      return K.repeatable();
    }

    std::string
    name() const override
    {
      return K.name();
    }

    RecordValues
    layout_parameters() const override
    {
      return K.layout_parameters();
    }

    RecordValues
    product_parameters() const override
    {
      return K.product_parameters();
    }

  private:
    const Operator<Number> &K;
    const Vector<Number> &mass;
    const Number factor;
    const VectorOperations<Number> operations; ///< of this part
  };
} // namespace tessera
