#pragma once

#include <tessera/base/grid_sum.h>
#include <tessera/matrix/row_matrix.h>
#include <tessera/operators/operator.h>
#include <tessera/space/tail.h>

#include <functional>
#include <memory>

namespace tessera
{
  template <class Number>
  struct RowApply;
  template <class Number>
  class GhostColumns;
  template <class Number>
  class HangingRows;

  /// Base class of the operators that store an assembled matrix row by row. A
  /// kernel writes every row by one thread, so that products have no conflicts
  /// and are repeatable.
  template <class Number>
  class RowOperator : public Operator<Number>
  {
  public:
    virtual const RowMatrix<Number> &
    matrix() const = 0;

    virtual RowMatrix<Number> &
    matrix() = 0;

    const RowOperator *
    as_rows() const override
    {
      return this;
    }

    RowOperator *
    as_rows() override
    {
      return this;
    }

    /// Must be called after values of the matrix were changed, so that an
    /// operator can update copies of the values that its product reads.
    virtual void
    values_changed(Stream = {})
    {}

    /// Writes new values of the matrix by the function of `set_writer`.
    void
    update(const std::shared_ptr<const FormData<Number>> &form,
           Stream stream = {}) override;

    /// Writes the values of a form into the matrix of an operator.
    using Writer = std::function<void(RowOperator<Number> &,
                                      const FormData<Number> &, Stream)>;

    /// Sets the function of `update` that writes values, for `make_operator`.
    void
    set_writer(Writer new_writer)
    {
      writer = std::move(new_writer);
    }

    Backend
    backend() const override
    {
      return partial.backend();
    }

    int
    n_owned() const override
    {
      return matrix().n_rows() - n_shared;
    }

    int
    n_tail() const override
    {
      return n_shared + n_behind;
    }

    /// Declares that the last `n_rows` rows belong to ghosts and hanging nodes.
    /// From now on products import the tail of x and export the tail of y, and
    /// diagonals use the interpolation of hanging nodes by `new_hanging`, null
    /// if there are none. With `new_columns`, products go over all rows while
    /// the tail travels; it is null if the tail does not travel.
    void
    set_tail(std::shared_ptr<const Tail<Number>> new_tail, const int n_rows,
             std::shared_ptr<const HangingRows<Number>> new_hanging,
             std::shared_ptr<const GhostColumns<Number>> new_columns)
    {
      tail     = std::move(new_tail);
      n_shared = n_rows;
      hanging  = std::move(new_hanging);
      columns  = std::move(new_columns);
    }

    /// True if rows are summed up over parts, or some of them belong to hanging
    /// nodes.
    bool
    exchanges_tail() const
    {
      return !tail->ignores_tails();
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
      return true;
    }

  protected:
    /// The vectors of the operator have `n_behind` entries behind the entries
    /// with rows. The kernels write `n_blocks` partial sums of a dot product.
    RowOperator(Backend backend, int n_behind, int n_blocks);

    /// Launches the kernel of the product.
    virtual void
    launch_apply(const RowApply<Number> &apply, Stream stream) const = 0;

  private:
    Writer writer;
    int n_behind, n_shared = 0;
    std::shared_ptr<const Tail<Number>> tail;
    std::shared_ptr<const HangingRows<Number>> hanging;
    std::shared_ptr<const GhostColumns<Number>> columns;
    int n_blocks;
    /// The sums of the blocks, and behind them the sum of `columns`.
    mutable Array<double> partial;
    mutable Array<unsigned int> counter;
  };

  /// Base class of the operators that own a matrix of one format.
  template <class Number, template <class> class Matrix,
            template <class> class Base = RowOperator>
  class MatrixOperator : public Base<Number>
  {
  public:
    std::string
    name() const override
    {
      return own_name;
    }

    const Matrix<Number> &
    matrix() const override
    {
      return stored;
    }

    Matrix<Number> &
    matrix() override
    {
      return stored;
    }

  protected:
    /// Takes ownership of the matrix. `name` is the operator's name, and the
    /// other arguments go to the constructor of `Base`.
    template <class... Arguments>
    MatrixOperator(const std::string &name, Matrix<Number> &&matrix,
                   const Arguments &...arguments)
      : Base<Number>(arguments...), own_name(name), stored(std::move(matrix))
    {}

  private:
    std::string own_name;
    Matrix<Number> stored;
  };
} // namespace tessera
