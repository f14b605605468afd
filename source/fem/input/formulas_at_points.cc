#include "formula_function.h"

#include <tessera/base/error.h>
#include <tessera/fem/input/expression.h>
#include <tessera/program/started_processes.h>

#include <iostream>

namespace tessera
{
  FormulasAtPoints::FormulasAtPoints(const std::vector<std::string> &texts,
                                     const std::vector<std::string> &variables,
                                     const double other, const Backend backend)
    : other(backend, std::vector<double>{other})
  {
    for (const auto &text : texts)
      components.emplace_back(text, variables, backend);
  }


  std::vector<FormulaArgument>
  FormulasAtPoints::arguments(const PointPiece &piece) const
  {
    std::vector<FormulaArgument> result;
    for (std::int64_t at = 0; at < static_cast<std::int64_t>(piece.x.size());
         at += piece.pitch)
      result.push_back({piece.x.data() + at, 1});
    if (components[0].n_arguments() > static_cast<int>(result.size()))
      result.push_back({other.data(), 0});
    return result;
  }


  void
  FormulasAtPoints::evaluate(const int component, const PointPiece &piece,
                             double *const values) const
  {
    components[component].evaluate(piece.n, arguments(piece), values);
  }


  void
  FormulasAtPoints::differentiate(const int component, const int direction,
                                  const PointPiece &piece,
                                  double *const values) const
  {
    components[component].differentiate(piece.n, arguments(piece), direction,
                                        difference_step, values);
  }


  template <int dim>
  std::unique_ptr<FormulasAtPoints>
  Expression<dim>::at_points(const Backend backend) const
  {
    try
      {
        return std::make_unique<FormulasAtPoints>(components, variables(), time,
                                                  backend);
      }
    catch (const ParameterError &error)
      {
        if (program::is_first_said("formula of " + path))
          std::cerr << "note: the host evaluates '" << path
                    << "': " << error.what() << std::endl;
        return {};
      }
  }


  template std::unique_ptr<FormulasAtPoints> Expression<2>::at_points(
    Backend) const;
  template std::unique_ptr<FormulasAtPoints> Expression<3>::at_points(
    Backend) const;
} // namespace tessera
