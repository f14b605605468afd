#pragma once

#include <tessera/base/error.h>
#include <tessera/base/vector_operations.h>
#include <tessera/operators/operator.h>

#include <stdexcept>
#include <string>

namespace tessera::benchmarks
{
  /// The operator of ours whose matrix other libraries read, and with which
  /// their products are compared.
  constexpr const char *compared_operator = "csr";

  /// A product y = A x of another library that is measured like ours. It cannot
  /// compute sums on the way: the epilogue `dot` is a kernel of its own behind
  /// the product and reads x and y once more. The epilogue `add` and the
  /// diagonal are missing.
  template <class Number>
  class PeerOperator : public Operator<Number>
  {
  public:
    Backend
    backend() const override
    {
      return where;
    }

    int
    n_owned() const override
    {
      return n_rows;
    }

    int
    n_tail() const override
    {
      return tail;
    }

    void
    vmult(Vector<Number> &y, const Vector<Number> &x,
          const Epilogue<Number> &epilogue, const Stream stream) const override
    {
      using Kind = typename Epilogue<Number>::Kind;
      if (epilogue.kind == Kind::add)
        throw std::logic_error("the operator of a peer cannot add");
      multiply(y, x, stream);
      if (epilogue.kind == Kind::dot)
        vectors.store_dot(epilogue.result, x, y, stream);
    }

    void
    diagonal(Vector<Number> &, Stream) const override
    {
      throw ParameterError(
        "The operator of a peer gives no diagonal, which this "
        "preconditioner needs.");
    }

    std::string
    name() const override
    {
      return compared_operator;
    }

  protected:
    PeerOperator(const Backend backend, const int n_rows, const int n_tail)
      : where(backend), n_rows(n_rows), tail(n_tail), vectors(backend, n_rows)
    {}

    virtual void
    multiply(Vector<Number> &y, const Vector<Number> &x,
             Stream stream) const = 0;

  private:
    Backend where;
    int n_rows, tail;
    VectorOperations<Number> vectors;
  };
} // namespace tessera::benchmarks
