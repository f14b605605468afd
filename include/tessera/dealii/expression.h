#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/parameters.h>
#include <tessera/forms/coefficient.h>
#include <tessera/space/space.h>

#include <deal.II/base/function_parser.h>

#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  /// A formula of x and y from a parameter file, components separated by
  /// semicolons; the constants pi and e are known, the functions are those of
  /// muParser.
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

    /// False if x and y do not occur.
    bool
    varies() const;

    /// A fresh object for one thread. Its derivatives are differences of
    /// fourth order, good to about 1e-11.
    std::unique_ptr<dealii::FunctionParser<2>>
    function() const;

    /// Values at `points` ([n][2]): [n][n_components]. Throws ParameterError
    /// naming the entry and the point where one is not finite.
    std::vector<double>
    evaluate(const std::vector<double> &points) const;

    const std::string &
    entry() const
    {
      return path;
    }

  private:
    std::string path;
    std::vector<std::string> components;
  };

  /// The expression as data of a form on `space`: uniform where it does not
  /// vary, else at the quadrature points.
  Coefficient
  make_coefficient(const Expression &expression, const Space &space);

  /// The same for a symmetric tensor (k00, k01, k11), of which one formula
  /// gives the multiple of the identity. Throws ParameterError naming the entry
  /// and the place where it is not positive definite.
  Coefficient
  make_tensor(const Expression &expression, const Space &space);
} // namespace tessera
