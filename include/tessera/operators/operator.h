#pragma once

#include <tessera/base/error.h>
#include <tessera/base/grid_sum.h>
#include <tessera/base/vector.h>
#include <tessera/space/parts.h>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

namespace tessera
{
  template <class Number>
  class FormData;

  /// Tells an operator what to do with each value (A x)_i as soon as it is
  /// computed.
  template <class Number>
  struct Epilogue
  {
    enum class Kind
    {
      store, ///< y = A x
      add,   ///< y += A x
      dot    ///< y = A x; *result = local part of x . A x
    };

    Kind kind = Kind::store;
    /// The address of the sum for `dot`: one value in backend memory.
    double *result = nullptr;
    /// If it is set, an operator on a device may leave the sums of its blocks
    /// here, if they are few, in place of the result: the next pass over
    /// vectors adds them up (base/for_each.h) without a kernel between.
    GridSum *pending = nullptr;

    static Epilogue
    store()
    {
      return {Kind::store};
    }

    static Epilogue
    add()
    {
      return {Kind::add};
    }

    static Epilogue
    dot(double *result, GridSum *pending = nullptr)
    {
      return {Kind::dot, result, pending};
    }
  };

  /// Memory traffic of an operator in bytes. `compulsory` is the minimum that
  /// one application moves, if x is read once, y is written once and indices
  /// have 32 bits (the models of doc/benchmarking.md); `stored` is the size of
  /// the stored data, including padding.
  struct Traffic
  {
    std::uint64_t compulsory = 0;
    std::uint64_t stored     = 0;
  };

  /// Accuracy of the stored entries of a matrix: `eps` is the relative rounding
  /// error of an entry, `smallest` the magnitude below which an entry loses
  /// accuracy.
  struct Precision
  {
    double eps      = 0;
    double smallest = 0;
  };

  template <class Number>
  constexpr Precision
  precision_of()
  {
    return {std::numeric_limits<Number>::epsilon(),
            std::numeric_limits<Number>::min()};
  }

  /// Parameters as they are shown in records.
  using RecordValues =
    std::map<std::string,
             std::variant<std::int64_t, double, bool, std::string>>;

  template <class Number>
  class RowOperator;

  /// Base class of all operators y = A x on the owned entries of a `Space`.
  ///
  /// After construction nothing allocates or synchronises, so that every call
  /// may be captured in a graph. An object serves one stream at a time.
  template <class Number>
  class Operator
  {
  public:
    virtual ~Operator() = default;

    virtual Backend
    backend() const = 0;

    virtual int
    n_owned() const = 0;

    virtual int
    n_tail() const = 0;

    /// Returns a vector of zeros that fits the operator.
    Vector<Number>
    make_vector() const
    {
      return Vector<Number>(backend(), n_owned(), n_tail());
    }

    /// Computes y = A x, or what `epilogue` selects. If the tail of x is zero
    /// (a homogeneous problem), A is the matrix of free degrees of freedom.
    /// At given components of owned nodes A is the identity. The operator
    /// imports ghosts and hanging entries of x and, while it works, hides given
    /// components, so that no other stream may read x. The tail of y is
    /// undefined afterwards. `x` and `y` must be different vectors. Boundary
    /// values are lifted by `lift`.
    virtual void
    vmult(Vector<Number> &y, const Vector<Number> &x,
          const Epilogue<Number> &epilogue = {}, Stream stream = {}) const = 0;

    /// Sets d_i = A_ii on owned entries.
    virtual void
    diagonal(Vector<Number> &d, Stream stream = {}) const = 0;

    virtual Traffic
    traffic() const = 0;

    /// Returns the accuracy of a product, whose rounding errors are a small
    /// multiple of eps sum_j |a_ij| |x_j|. It is the accuracy of Number, or of
    /// the type in which entries are stored if that is less accurate.
    virtual Precision
    precision() const
    {
      return precision_of<Number>();
    }

    /// True if two runs give bitwise identical results.
    virtual bool
    repeatable() const = 0;

    /// Gives the operator the values of `form`, on the same cells and with as
    /// many components as its first form. Objects that were made from the
    /// former values, such as a preconditioner, stay unchanged. Throws
    /// std::logic_error if the operator was not made from a form.
    virtual void
    update(const std::shared_ptr<const FormData<Number>> & /*form*/,
           Stream /*stream*/ = {})
    {
      throw std::logic_error("The operator " + name() +
                             " was not made of a form and has no new values.");
    }

    /// Returns how often products began to read other memory or other
    /// arguments. A graph of products that was captured earlier is out of date
    /// when this number has changed.
    int
    revision() const
    {
      return n_revisions;
    }

    void
    count_revision()
    {
      ++n_revisions;
    }

    /// Returns the parts of the problem; this operator belongs to one of them.
    const Parts<Number> &
    parts() const
    {
      return of_problem;
    }

    /// Sets the parts of the problem. `make_operator` calls it.
    void
    set_parts(Parts<Number> parts)
    {
      of_problem = std::move(parts);
    }

    /// Sets the form of A; operators count as symmetric by default.
    void
    set_form(const std::string &form, const bool symmetric)
    {
      asymmetric_form = symmetric ? "" : form;
    }

    /// Returns the name of the form if it is not symmetric; otherwise nothing.
    const std::string &
    form_without_symmetry() const
    {
      return asymmetric_form;
    }

    /// Throws ParameterError if the form is not symmetric. The sentence says
    /// that `what` needs a symmetric form.
    void
    require_symmetry(const std::string &what) const
    {
      if (!asymmetric_form.empty())
        throw ParameterError(what + " need a symmetric form; " +
                             asymmetric_form + " is not symmetric.");
    }

    /// Returns the name of the operator in its descriptor.
    virtual std::string
    name() const = 0;

    /// Returns the operator as one that stores an assembled matrix row by row,
    /// or null if it does not.
    virtual const RowOperator<Number> *
    as_rows() const
    {
      return nullptr;
    }

    virtual RowOperator<Number> *
    as_rows()
    {
      return nullptr;
    }

    /// Returns the parameters of the layout, as given or chosen, for example
    /// `T` of sell.
    virtual RecordValues
    layout_parameters() const
    {
      return {};
    }

    /// Returns the parameters of the product, as given or chosen, for example
    /// `T` of csr; empty on the host.
    virtual RecordValues
    product_parameters() const
    {
      return {};
    }

  private:
    std::string asymmetric_form; ///< empty if the form is symmetric
    Parts<Number> of_problem;
    int n_revisions = 0;
  };
} // namespace tessera
