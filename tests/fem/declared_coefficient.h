#pragma once

#include <tessera/fem/fields/coefficients.h>

#include <string>

namespace tessera::test
{
  /// Parameters with the coefficient `Coefficient/Expression`, which may differ
  /// between materials.
  template <int dim>
  struct Declared : Parameters
  {
    Declared()
    {
      MaterialExpression<dim>::declare(*this, "Coefficient", "Expression", "1",
                                       "");
    }

    void
    add(const int i, const std::string &materials, const std::string &value)
    {
      const std::string section = "Coefficient/Material " + std::to_string(i);
      set(section + "/Materials", materials);
      set(section + "/Expression", value);
    }

    MaterialExpression<dim>
    tensor() const
    {
      return {*this, "Coefficient", "Expression", MaterialValues::tensor};
    }

    MaterialExpression<dim>
    scalar() const
    {
      return {*this, "Coefficient", "Expression", MaterialValues::scalar};
    }
  };
} // namespace tessera::test
