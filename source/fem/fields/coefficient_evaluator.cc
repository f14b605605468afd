#include <tessera/base/symmetric.h>
#include <tessera/fem/fields/coefficients.h>

#include <algorithm>

// Evaluates the formulas of coefficients at points.
namespace tessera
{
  template <int dim>
  MaterialExpression<dim>::Evaluator::Evaluator(const MaterialExpression &field)
    : field(field)
  {
    for (const auto &expression : field.expressions)
      functions.push_back(expression.function());
  }


  template <int dim>
  void
  MaterialExpression<dim>::Evaluator::spread(double *const values) const
  {
    const double k = values[0];
    std::fill(values, values + field.n_components(),
              field.kind == MaterialValues::axes ? k : 0.);
    if (field.kind != MaterialValues::axes)
      for (int d = 0, c = 0; d < dim; c += dim - d, ++d)
        values[c] = k;
  }


  template <int dim>
  void
  MaterialExpression<dim>::Evaluator::values(const unsigned int expression,
                                             const dealii::Point<dim> &p,
                                             double *const result) const
  {
    const int given = field.expressions[expression].n_components();
    for (int c = 0; c < given; ++c)
      result[c] = functions[expression]->value(p, c);
    if (given < field.n_components())
      spread(result);
  }


  template <int dim>
  void
  MaterialExpression<dim>::Evaluator::values(
    const unsigned int expression,
    const std::vector<dealii::Point<dim>> &points,
    std::vector<double> &result) const
  {
    const int given     = field.expressions[expression].n_components();
    const std::size_t m = field.n_components();
    result.resize(points.size() * m);
    std::vector<double> component(points.size());
    for (int c = 0; c < given; ++c)
      {
        functions[expression]->value_list(points, component, c);
        for (std::size_t i = 0; i < points.size(); ++i)
          result[i * m + c] = component[i];
      }
    for (std::size_t i = 0; i < points.size() && given < int(m); ++i)
      spread(&result[i * m]);
  }


  template <int dim>
  dealii::SymmetricTensor<2, dim>
  MaterialExpression<dim>::Evaluator::tensor(const unsigned int expression,
                                             const dealii::Point<dim> &p) const
  {
    double k[n_tensor_components];
    values(expression, p, k);
    dealii::SymmetricTensor<2, dim> result;
    for (int i = 0, c = 0; i < dim; ++i)
      for (int j = i; j < dim; ++j, ++c)
        result[i][j] = k[c];
    return result;
  }


  template <int dim>
  std::shared_ptr<const PackedCoefficient>
  MaterialExpression<dim>::on_device(
    const std::shared_ptr<const CellData<double>> &cells,
    const std::vector<unsigned char> &which, const std::vector<char> &used,
    const std::vector<std::vector<double>> &constant, const int n_stored) const
  {
    struct Part
    {
      int number;                                 ///< of the expression
      std::unique_ptr<FormulasAtPoints> formulas; ///< or null for numbers
      Array<double> numbers;
    };
    const Space &space   = cells->space();
    const Backend device = cells->backend();
    std::vector<Part> parts;
    for (std::size_t e = 0; e < expressions.size(); ++e)
      if (used[e] != 0)
        {
          Part part{static_cast<int>(e), {}, {}};
          if (!constant[e].empty())
            part.numbers = Array<double>(device, constant[e]);
          else
            part.formulas = expressions[e].at_points(device);
          if (constant[e].empty() && !part.formulas)
            return {};
          parts.push_back(std::move(part));
        }

    Array<unsigned char> of_cells;
    if (parts.size() > 1)
      {
        std::vector<unsigned char> numbers(space.n_cells());
        for (std::size_t cell = 0; cell < numbers.size(); ++cell)
          numbers[cell] = which[space.mesh_cell[cell]];
        of_cells = Array<unsigned char>(device, numbers);
      }
    const PointEvaluator points(cells, 0);
    auto packed      = std::make_shared<PackedCoefficient>(cells, n_stored);
    PointPiece piece = points.make_piece();
    Array<double> values(device, piece.pitch);
    const Array<double> zero(device, 1);
    // Where the diagonal of a tensor stands.
    const auto is_diagonal = [&](const int c) {
      for (int d = 0; d < dim; ++d)
        if (c == symmetric_entry(dim, d, d))
          return true;
      return kind == MaterialValues::axes;
    };
    for (int p = 0; p < points.n_pieces(); ++p)
      {
        points.evaluate(nullptr, p, piece);
        for (const Part &part : parts)
          for (int c = 0; c < n_stored; ++c)
            {
              const int given     = expressions[part.number].n_components();
              const double *from  = values.data();
              std::int64_t stride = 1;
              if (!part.formulas || (given < n_stored && !is_diagonal(c)))
                {
                  from = part.formulas ? zero.data() : &part.numbers.data()[c];
                  stride = 0;
                }
              else if (c < given) // else a number stands for all of them
                part.formulas->evaluate(c, piece, values.data());
              packed->set(piece, c, from, stride, of_cells.data(), part.number);
            }
      }
    return packed->is_good(kind == MaterialValues::tensor ? Legal::positive
                                                          : Legal::any)
             ? packed
             : nullptr;
  }


#define INSTANTIATE(dim)                                           \
  template class MaterialExpression<dim>::Evaluator;               \
  template std::shared_ptr<const PackedCoefficient>                \
  MaterialExpression<dim>::on_device(                              \
    const std::shared_ptr<const CellData<double>> &,               \
    const std::vector<unsigned char> &, const std::vector<char> &, \
    const std::vector<std::vector<double>> &, int) const;
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
