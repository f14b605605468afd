#include <tessera/base/error.h>
#include <tessera/fem/input/selection.h>

#include <deal.II/base/utilities.h>

namespace tessera
{
  namespace
  {
    const std::string where_word = "where";
  } // namespace


  bool
  is_formula(const std::string &name)
  {
    return name.compare(0, where_word.size(), where_word) == 0 &&
           name.size() > where_word.size() &&
           (name[where_word.size()] == ' ' || name[where_word.size()] == '(');
  }


  std::vector<std::string>
  read_selection(const Parameters &parameters, const std::string &path)
  {
    using dealii::Utilities::trim;
    const std::string value = trim(parameters.get(path));
    if (value == where_word)
      throw ParameterError("'" + path +
                           "' = where has no formula; legal is 'where' and a "
                           "formula of x, y and z, such as 'where x < 1e-6'.");
    if (is_formula(value))
      return {where_word + ' ' + trim(value.substr(where_word.size()))};
    const auto names = parameters.get_list(path);
    for (const std::string &name : names)
      if (is_formula(name))
        throw ParameterError("'" + path + "' = " + value +
                             " has names and a formula; a formula behind "
                             "'where' stands alone in a subsection.");
    return names;
  }


  template <int dim>
  Expression<dim>
  formula_of(const Parameters &parameters, const std::string &path,
             const std::string &name)
  {
    Expression<dim> formula(parameters, path, {1},
                            name.substr(where_word.size()));
    if (formula.varies_in_time())
      throw ParameterError("'" + path + "' = " + name +
                           " depends on t; a selection is a function of the "
                           "place.");
    return formula;
  }


  template Expression<2>
  formula_of(const Parameters &, const std::string &, const std::string &);
  template Expression<3>
  formula_of(const Parameters &, const std::string &, const std::string &);
} // namespace tessera
