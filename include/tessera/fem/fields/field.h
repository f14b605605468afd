#pragma once

#include <tessera/fem/input/expression.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  template <int dim>
  class PointField;

  /// A function of the place from a parameter file: a formula (`Expression`) or
  /// the values of a VTK file,
  ///
  ///     file FILE : ARRAY
  ///     file FILE : ARRAY : FORMULA
  ///
  /// where FORMULA, one or several components, may contain x, y, z and u, the
  /// value of the array of points ARRAY at the place; without a formula it is
  /// u. A cell interpolates the values at its points. If this program wrote the
  /// file with cells cut into as many parts as the degree, the polynomial on
  /// the whole cell is used, so that on the same mesh the function is
  /// reproduced to the precision of the file. On another mesh the cell that
  /// contains the point is searched for. A place outside of the mesh of the
  /// file has the values of the next cell, up to a quarter of its size.
  ///
  /// Every process reads the whole file.
  template <int dim>
  class Field
  {
  public:
    /// Reads the entry `path`. Throws what `Expression` and `read_grid_field`
    /// throw, ParameterError for a missing part, and MeshError for a file that
    /// has no cells of this dimension.
    Field(const Parameters &parameters, const std::string &path,
          const std::vector<int> &legal_components = {1});

    explicit Field(Expression<dim> formula) : formula(std::move(formula))
    {}

    int
    n_components() const
    {
      return formula.n_components();
    }

    /// Returns false for a constant.
    bool
    varies() const
    {
      return file != nullptr || formula.varies();
    }

    bool
    varies_in_time() const
    {
      return formula.varies_in_time();
    }

    void
    check_no_time() const
    {
      formula.check_no_time();
    }

    void
    set_time(const double t)
    {
      formula.set_time(t);
    }

    /// Returns a new object for use by one thread. Its values are not finite
    /// outside of the mesh of a file. Only a formula has derivatives.
    std::unique_ptr<dealii::Function<dim>>
    function() const;

    /// Returns `Expression::at_points`, or null for the values of a file.
    std::unique_ptr<FormulasAtPoints>
    at_points(const Backend backend) const
    {
      return file != nullptr ? nullptr : formula.at_points(backend);
    }

    /// Evaluates the function at `points`, [n][dim], with all threads and
    /// returns [n][n_components]. Throws ParameterError with the sentence of
    /// `not_finite` if a value is not finite.
    std::vector<double>
    evaluate(const std::vector<double> &points) const;

    /// Returns the values of a constant, [n_components].
    std::vector<double>
    evaluate() const
    {
      return formula.evaluate();
    }

    /// Returns why values at a place, [dim], are not finite, in a sentence.
    std::string
    not_finite(const double *x) const;

    /// Prints a note about how far places were outside of the mesh of a file
    /// since the last call, if any were.
    void
    say_how_far_outside() const;

    const std::string &
    entry() const
    {
      return formula.entry();
    }

  private:
    struct Text; ///< the parts of an entry

    Field(const Parameters &parameters, const std::string &path,
          const std::vector<int> &legal_components, const Text &text);

    Expression<dim> formula;
    std::string name;                            ///< of the file, or empty
    std::shared_ptr<const PointField<dim>> file; ///< or null
  };
} // namespace tessera
