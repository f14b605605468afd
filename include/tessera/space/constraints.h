#pragma once

#include <tessera/base/array.h>
#include <tessera/base/grid_sum.h>
#include <tessera/space/space.h>
#include <tessera/space/tail.h>

// The effect of the constraints of a space on vectors and products: fixed
// components of owned nodes, and hanging nodes.
namespace tessera
{
  /// The components of owned nodes whose values are given (`Space::fixed`). Let
  /// M be the diagonal matrix with 0 at fixed entries and 1 elsewhere.
  /// Operators multiply by
  ///   M A M + (1 - M),
  /// so that vectors that are zero at fixed entries, as the iterates of a
  /// homogeneous problem are, stay so.
  template <class Number>
  class FixedComponents
  {
  public:
    FixedComponents(const Space &space, Backend backend);

    /// Returns the number of fixed entries of owned nodes.
    int
    size() const
    {
      return n;
    }

    /// Sets the fixed entries of x to a value.
    void
    set(Vector<Number> &x, Number value, Stream stream = {}) const;

    /// The fixed entries that a product saves while it sets them to zero.
    struct Kept
    {
      Array<Number> x, y;    ///< [size()]
      Array<double> partial; ///< of the sum of x_i^2
      Array<unsigned int> counter;
      Array<double> sum;
    };

    Kept
    make_kept() const;

    /// Keeps the fixed entries of x, and of y where a product is added to it,
    /// and sets the entries of x to zero. `show` puts them back.
    void
    hide(const Vector<Number> &x, const Vector<Number> &y, bool add, Kept &kept,
         Stream stream) const;

    /// Sets the fixed entries of ghosts to zero, in an imported x and in y
    /// before it is exported: the owners hold their values.
    void
    clear_ghosts(const Vector<Number> &x, Stream stream) const;

    /// Restores x and sets y_i = x_i, or y_i += x_i, at fixed entries. Adds the
    /// sum of x_i^2 to `*result` if that is not null.
    void
    show(const Vector<Number> &x, Vector<Number> &y, Kept &kept, double *result,
         Stream stream) const;

  private:
    int n;
    Array<int> entries; ///< of owned nodes, then of ghosts
  };

  /// The tail of a space with hanging nodes, C being the matrix that computes
  /// their entries from others (`Space::hanging`): `import` sets the hanging
  /// entries of x to C x, and `export_add` multiplies hanging entries of y by
  /// C^T and adds them to their parents. So operators multiply by C^T A C, and
  /// given entries stay zero. Moves 4 + s bytes per weight; repeatable.
  template <class Number>
  class HangingNodes : public Tail<Number>
  {
  public:
    HangingNodes(const Space &space, Backend backend);

    void
    import(const Vector<Number> &x, Stream stream) const override;

    void
    export_add(Vector<Number> &y, Stream stream) const override;

    /// Does nothing: operators have already added the contributions of hanging
    /// entries to the diagonal of C^T A C.
    void
    export_diagonal(Vector<Number> &d, Stream stream) const override;

  private:
    struct Rows
    {
      Rows(const LinearConstraints &constraints, Backend backend);

      Array<int> entry; ///< the entry to which a sum belongs
      Array<std::int64_t> start;
      Array<int> source;
      Array<Number> weight;
    };

    Rows of_hanging, of_sources;
  };
} // namespace tessera
