#pragma once

#include <tessera/operators/row_operator.h>

#include <memory>
#include <utility>

namespace tessera
{
  /// The way between a level and the next coarser one: the matrix P, which
  /// brings coarse vectors to the finer level, and its transpose.
  template <class Number>
  class LevelTransfer
  {
  public:
    virtual ~LevelTransfer() = default;

    /// x += P coarse. Changes owned entries alone.
    virtual void
    prolongate(Vector<Number> &x, const Vector<Number> &coarse,
               Stream stream) const = 0;

    /// b = P^T r.
    virtual void
    restrict_to(Vector<Number> &b, const Vector<Number> &r,
                Stream stream) const = 0;

    /// Returns the bytes that both ways move together, and that are stored.
    virtual Traffic
    traffic() const = 0;
  };

  /// P and its transpose as matrices.
  template <class Number>
  class RowTransfer : public LevelTransfer<Number>
  {
  public:
    using Rows = std::unique_ptr<RowOperator<Number>>;

    RowTransfer(Rows prolongation, Rows restriction)
      : prolongation(std::move(prolongation)),
        restriction(std::move(restriction))
    {}

    void
    prolongate(Vector<Number> &x, const Vector<Number> &coarse,
               const Stream stream) const override
    {
      prolongation->vmult(x, coarse, Epilogue<Number>::add(), stream);
    }

    void
    restrict_to(Vector<Number> &b, const Vector<Number> &r,
                const Stream stream) const override
    {
      restriction->vmult(b, r, {}, stream);
    }

    Traffic
    traffic() const override
    {
      const Traffic down = restriction->traffic(), up = prolongation->traffic();
      return {down.compulsory + up.compulsory, down.stored + up.stored};
    }

  private:
    Rows prolongation, restriction;
  };
} // namespace tessera
