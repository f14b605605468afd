#include "point_field.h"

#include <tessera/base/error.h>
#include <tessera/fem/fields/field.h>
#include <tessera/program/table.h>

#include <deal.II/base/utilities.h>

#include <cmath>
#include <iostream>
#include <utility>

namespace tessera
{
  namespace
  {
    const std::string keyword = "file";

    /// A formula of the value of a file.
    template <int dim>
    class FileFunction : public dealii::Function<dim>
    {
    public:
      FileFunction(std::shared_ptr<const PointField<dim>> file,
                   std::unique_ptr<dealii::Function<dim>> formula)
        : dealii::Function<dim>(formula->n_components), file(std::move(file)),
          formula(std::move(formula))
      {}

      double
      value(const dealii::Point<dim> &p,
            const unsigned int component = 0) const override
      {
        const double u = file->value(p);
        if (!std::isfinite(u))
          return u;
        formula->set_time(u);
        return formula->value(p, component);
      }

    private:
      std::shared_ptr<const PointField<dim>> file;
      std::unique_ptr<dealii::Function<dim>> formula;
    };
  } // namespace


  template <int dim>
  struct Field<dim>::Text
  {
    Text(const Parameters &parameters, const std::string &path)
      : formula(parameters.get(path))
    {
      if (formula.compare(0, keyword.size() + 1, keyword + ' ') != 0)
        return;
      const auto parts = dealii::Utilities::split_string_list(
        formula.substr(keyword.size()), ':');
      if (parts.size() < 2 || parts.size() > 3 || parts[0].empty() ||
          parts[1].empty())
        throw ParameterError(
          "The value '" + formula + "' of '" + path +
          "' does not name an array of a file; legal are 'file FILE : ARRAY' "
          "and 'file FILE : ARRAY : FORMULA' with u for the value of the "
          "array.");
      file     = parameters.find_file(parts[0]);
      array    = parts[1];
      formula  = parts.size() == 3 ? parts[2] : "u";
      variable = "u";
    }

    std::string formula, file, array, variable = "t";
  };


  template <int dim>
  Field<dim>::Field(const Parameters &parameters, const std::string &path,
                    const std::vector<int> &legal_components)
    : Field(parameters, path, legal_components, Text(parameters, path))
  {}


  template <int dim>
  Field<dim>::Field(const Parameters &parameters, const std::string &path,
                    const std::vector<int> &legal_components, const Text &text)
    : formula(parameters, path, legal_components, text.formula, text.variable),
      name(text.file)
  {
    if (!name.empty())
      file = std::make_shared<const PointField<dim>>(
        read_grid_field(name, text.array, path),
        "file '" + name + "' of '" + path + '\'');
  }


  template <int dim>
  std::unique_ptr<dealii::Function<dim>>
  Field<dim>::function() const
  {
    if (file == nullptr)
      return formula.function();
    return std::make_unique<FileFunction<dim>>(file, formula.function());
  }


  template <int dim>
  std::vector<double>
  Field<dim>::evaluate(const std::vector<double> &points) const
  {
    if (file == nullptr)
      return formula.evaluate(points);
    std::vector<double> values = evaluate_at<dim>(
      points, n_components(), [this]() { return function(); },
      [this](const double *const x) { return not_finite(x); });
    say_how_far_outside();
    return values;
  }


  template <int dim>
  std::string
  Field<dim>::not_finite(const double *const x) const
  {
    dealii::Point<dim> p;
    for (int d = 0; d < dim; ++d)
      p[d] = x[d];
    if (file != nullptr && !std::isfinite(file->value(p)))
      return "The mesh of the file '" + name + "' of '" + entry() +
             "' does not reach " + place<dim>(x) +
             ", where its array is needed; more than a quarter of a cell is "
             "missing.";
    return formula.not_finite(x);
  }


  template <int dim>
  void
  Field<dim>::say_how_far_outside() const
  {
    // Coordinates in single precision are off by less than this.
    constexpr double little = 0.01;
    if (file == nullptr)
      return;
    const double farthest = file->farthest.exchange(0);
    if (farthest > little)
      std::cerr << "note: places where '" << entry()
                << "' is needed are outside of the mesh of the file '" << name
                << "', by up to " << program::format(100 * farthest, 2)
                << " % of a cell; its values are continued." << std::endl;
  }


  template class Field<2>;
  template class Field<3>;
} // namespace tessera
