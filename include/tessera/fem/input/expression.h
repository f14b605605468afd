#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/base/formula.h>
#include <tessera/program/parameters.h>
#include <tessera/space/point_evaluator.h>

#include <deal.II/base/function.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  /// Returns "x = 1, y = 2" for use in messages, with z in three dimensions;
  /// `x` has dim entries.
  template <int dim>
  std::string
  place(const double *x);

  /// Evaluates functions at `points`, [n][dim], with all threads, each of which
  /// makes its own function, and returns [n][n_components]. Throws
  /// ParameterError with the sentence `not_finite(x)` if a value at the place
  /// x, [dim], is not finite.
  template <int dim>
  std::vector<double>
  evaluate_at(
    const std::vector<double> &points, int n_components,
    const std::function<std::unique_ptr<dealii::Function<dim>>()> &make,
    const std::function<std::string(const double *)> &not_finite);

  /// The components of a formula at a time, compiled for a backend, at points
  /// in its memory.
  class FormulasAtPoints
  {
  public:
    /// `variables` are the coordinates and maybe another one, whose value is
    /// `other`. Throws ParameterError for a formula that the backend cannot
    /// evaluate.
    FormulasAtPoints(const std::vector<std::string> &components,
                     const std::vector<std::string> &variables, double other,
                     Backend backend);

    /// Sets values[i] for all places of a piece.
    void
    evaluate(int component, const PointPiece &piece, double *values) const;

    /// Sets them to a derivative, by the differences of a `function`.
    void
    differentiate(int component, int direction, const PointPiece &piece,
                  double *values) const;

  private:
    std::vector<FormulaArgument>
    arguments(const PointPiece &piece) const;

    std::vector<Formula> components;
    Array<double> other;
  };

  /// A formula of x, y and, in three dimensions, z from a parameter file.
  /// Components are separated by semicolons. If `Parameters::have_time`, the
  /// time t is another variable, which is 0 at first. The formula may use the
  /// constants pi and e and all functions of muParser except random numbers.
  /// muParser checks the text, and a compiled `Formula` evaluates it.
  template <int dim>
  class Expression
  {
  public:
    /// Reads the entry `path`. Throws ParameterError naming the entry if the
    /// text cannot be parsed or the number of components is not one of
    /// `legal_components`.
    Expression(const Parameters &parameters, const std::string &path,
               const std::vector<int> &legal_components = {1});

    /// Reads a formula of the entry `path`, which may have another variable
    /// instead of t; `set_time` of a `function` sets its value.
    Expression(const Parameters &parameters, const std::string &path,
               const std::vector<int> &legal_components,
               const std::string &formula, const std::string &variable = "t");

    int
    n_components() const
    {
      return static_cast<int>(components.size());
    }

    /// Returns false for a constant, which contains no coordinate and no
    /// variable except t.
    bool
    varies() const;

    /// Returns true if t occurs.
    bool
    varies_in_time() const;

    /// Throws ParameterError if t occurs.
    void
    check_no_time() const;

    /// Sets t for all later evaluations.
    void
    set_time(const double t)
    {
      time = t;
    }

    /// Returns a new function, whose values several threads may ask for. It
    /// computes derivatives by differences of fourth order, with an accuracy of
    /// about 1e-11.
    std::unique_ptr<dealii::Function<dim>>
    function() const;

    /// Returns the formulas at the time that is set, for points in the memory
    /// of a backend. Returns null, with a note about the reason on standard
    /// error, if the host has to evaluate them.
    std::unique_ptr<FormulasAtPoints>
    at_points(Backend backend) const;

    /// Evaluates the formula at `points`, [n][dim], with all threads and
    /// returns [n][n_components]. Throws ParameterError naming the entry and
    /// the point if a value is not finite.
    std::vector<double>
    evaluate(const std::vector<double> &points) const;

    /// Returns a sentence: values at a place, [dim], are not finite.
    std::string
    not_finite(const double *x) const;

    /// Evaluates, and throws ParameterError if a value is negative.
    std::vector<double>
    evaluate_not_negative(const std::vector<double> &points) const;

    /// Returns the values of a constant, [n_components]. Throws ParameterError
    /// naming the entry if a value is not finite.
    std::vector<double>
    evaluate() const;

    const std::string &
    entry() const
    {
      return path;
    }

  private:
    std::string path;
    std::vector<std::string> components;
    std::string variable; ///< besides the coordinates: t or another; or empty

    /// Returns the coordinates and the other variable.
    std::vector<std::string>
    variables() const;

    std::vector<std::shared_ptr<const Formula>> formulas; ///< of components
    double time = 0;
  };
} // namespace tessera
