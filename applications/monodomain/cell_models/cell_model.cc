#include "all_models.h"
#include <tessera/base/error.h>
#include <tessera/base/names.h>

#include <stdexcept>

namespace tessera
{
  namespace
  {
    template <class Model>
    CellModel
    describe(const CellModelName which, const char *name)
    {
      CellModel model{which,
                      name,
                      Model::states(),
                      Model::parameters(),
                      Model::variants(),
                      Model::time_unit,
                      Model::activation,
                      Model::repolarisation,
                      Model::n_gates,
                      Model::n_tabulated};
      if (model.states.size() != Model::n_states ||
          model.parameters.size() != Model::n_parameters)
        throw std::logic_error(std::string("cell model ") + name +
                               ": states or parameters without a name");
      return model;
    }

    template <class T>
    std::vector<std::string>
    names_of(const std::vector<T> &all)
    {
      std::vector<std::string> names;
      for (const T &one : all)
        names.push_back(one.name);
      return names;
    }
  } // namespace


  std::vector<std::string>
  cell_model_names()
  {
    return {
#define TESSERA_CELL_MODEL(name, sentence, source, Class) #name,
#include "cell_models.def"
#undef TESSERA_CELL_MODEL
    };
  }


  CellModel
  cell_model(const std::string &name)
  {
    switch (static_cast<CellModelName>(
      index_of_name(name, cell_model_names(), "cell model")))
      {
#define TESSERA_CELL_MODEL(name, sentence, source, Class) \
  case CellModelName::name:                               \
    return describe<Class>(CellModelName::name, #name);
#include "cell_models.def"
#undef TESSERA_CELL_MODEL
      }
    throw std::logic_error("a cell model without a class");
  }


  std::vector<double>
  CellModel::values(const std::string &variant,
                    const std::map<std::string, double> &given) const
  {
    std::vector<double> values;
    for (const CellQuantity &parameter : parameters)
      values.push_back(parameter.value);
    const auto legal = names_of(parameters);
    const auto set   = [&](const std::map<std::string, double> &some) {
      for (const auto &[parameter, value] : some)
        values[index_of_name(parameter, legal,
                               "parameter of the cell model " + name)] = value;
    };
    if (!variant.empty())
      {
        if (variants.empty())
          throw ParameterError("The cell model " + name +
                               " has no variants, but '" + printable(variant) +
                               "' is asked for.");
        set(variants[index_of_name(variant, names_of(variants),
                                   "variant of the cell model " + name)]
              .parameters);
      }
    set(given);
    return values;
  }
} // namespace tessera
