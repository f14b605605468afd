#pragma once

#include <tessera/operators/operator.h>

#include <stdexcept>
#include <string>

namespace tessera::benchmarks
{
  /// A product y = A x of another library, to be measured as one of ours.
  /// Offers the epilogue `store` and no diagonal.
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
      if (epilogue.kind != Epilogue<Number>::Kind::store)
        throw std::logic_error("the operator of a peer can only store");
      multiply(y, x, stream);
    }

    void
    diagonal(Vector<Number> &, Stream) const override
    {
      throw std::logic_error("the operator of a peer has no diagonal");
    }

    /// The operator of ours that it stands beside.
    std::string
    name() const override
    {
      return "csr";
    }

  protected:
    PeerOperator(const Backend backend, const int n_rows, const int n_tail)
      : where(backend), n_rows(n_rows), tail(n_tail)
    {}

    virtual void
    multiply(Vector<Number> &y, const Vector<Number> &x,
             Stream stream) const = 0;

  private:
    Backend where;
    int n_rows, tail;
  };
} // namespace tessera::benchmarks
