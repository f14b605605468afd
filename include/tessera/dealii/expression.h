#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/parameters.h>

#include <deal.II/base/function_parser.h>

#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  /// "x = 1, y = 2", or with z in three dimensions, for messages; `x`: [dim].
  template <int dim>
  std::string
  place(const double *x);

  /// A formula of x, y and, in three dimensions, z from a parameter file,
  /// components separated by semicolons; the constants pi and e are known, the
  /// functions are those of muParser but for random numbers.
  template <int dim>
  class Expression
  {
  public:
    /// Reads the entry `path`. Throws ParameterError naming it where the text
    /// does not parse or the number of components is not among
    /// `legal_components`.
    Expression(const Parameters &parameters, const std::string &path,
               const std::vector<int> &legal_components = {1});

    int
    n_components() const
    {
      return static_cast<int>(components.size());
    }

    /// False for a constant: no coordinate occurs.
    bool
    varies() const;

    /// A fresh object for one thread. Its derivatives are differences of
    /// fourth order, good to about 1e-11.
    std::unique_ptr<dealii::FunctionParser<dim>>
    function() const;

    /// Values at `points` ([n][dim]): [n][n_components], by all threads. Throws
    /// ParameterError naming the entry and the point where one is not finite.
    std::vector<double>
    evaluate(const std::vector<double> &points) const;

    /// Values of a constant: [n_components]. Throws as the other one.
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
  };
} // namespace tessera
