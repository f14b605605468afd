#include "formula_function.h"

#include <tessera/fem/input/expression.h>

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
} // namespace tessera
