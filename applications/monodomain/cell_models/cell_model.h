#pragma once

#include <map>
#include <string>
#include <vector>

// A cell model is the system of ordinary differential equations of a cell,
// whose first state is the potential across its membrane.
namespace tessera
{
  /// A state or a parameter of a cell model.
  struct CellQuantity
  {
    std::string name, unit;
    double value; ///< the initial value of a state, the default of a parameter
  };

  /// Parameters that differ from the defaults, under one name.
  struct CellVariant
  {
    std::string name;
    std::map<std::string, double> parameters;
  };

  /// The models, in the order of `cell_models.def`, which scripts/cell_model
  /// makes from the texts in this folder.
  enum class CellModelName
  {
#define TESSERA_CELL_MODEL(name, sentence, source, Class) name,
#include "cell_models.def"
#undef TESSERA_CELL_MODEL
  };

  /// What is known of a cell model at run time.
  struct CellModel
  {
    CellModelName which;
    std::string name;
    std::vector<CellQuantity> states; ///< the potential is the first
    std::vector<CellQuantity> parameters;
    std::vector<CellVariant> variants; ///< the first one is the default
    std::string time_unit;
    /// Potentials above which a cell counts as activated, and below which it
    /// counts as repolarised.
    double activation, repolarisation;
    int n_gates;     ///< the states behind the potential that are gates
    int n_tabulated; ///< the first gates, which depend on the potential alone

    /// Returns the values of all parameters, [n_parameters], of a variant
    /// (empty: the default) with some of them `given` by name. Throws
    /// ParameterError naming the legal values for an unknown variant or
    /// parameter.
    std::vector<double>
    values(const std::string &variant,
           const std::map<std::string, double> &given) const;
  };

  std::vector<std::string>
  cell_model_names();

  /// Throws ParameterError for an unknown name, naming the legal ones.
  CellModel
  cell_model(const std::string &name);
} // namespace tessera
