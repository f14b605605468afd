#pragma once

#include <tessera/base/names.h>
#include <tessera/operators/factory.h>

// Names of operators.def as an enumeration, and what the factory asks of them.
namespace tessera
{
  enum class OperatorName
  {
#define TESSERA_OPERATOR(name, sentence, paper) name,
#include <tessera/operators/operators.def>
#undef TESSERA_OPERATOR
  };

  inline OperatorName
  name_from_string(const std::string &name)
  {
    return static_cast<OperatorName>(
      index_of_name(name, operator_names(), "operator"));
  }

  constexpr bool
  is_appended(const OperatorName name)
  {
    return name == OperatorName::lazy_ell ||
           name == OperatorName::lazy_ell_consolidated;
  }

  /// Whether it has columns in fewer bits, and perhaps values.
  constexpr bool
  compresses_slices(const OperatorName name)
  {
    return name == OperatorName::sell_packed ||
           name == OperatorName::sell_short;
  }

  constexpr bool
  has_slices(const OperatorName name)
  {
    return name == OperatorName::sell || compresses_slices(name);
  }

  constexpr bool
  stores_rows(const OperatorName name)
  {
    return name == OperatorName::csr || name == OperatorName::ell ||
           name == OperatorName::hybrid || name == OperatorName::coo ||
           name == OperatorName::csr_merge || name == OperatorName::csr_mgpu ||
           has_slices(name) || is_appended(name);
  }

  /// The operators whose names have some property.
  template <class Property>
  std::vector<std::string>
  names_where(const Property &property)
  {
    std::vector<std::string> names;
    for (const std::string &name : operator_names())
      if (property(name_from_string(name)))
        names.push_back(name);
    return names;
  }
} // namespace tessera
