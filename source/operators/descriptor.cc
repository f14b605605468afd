#include <tessera/base/names.h>
#include <tessera/base/registry_definitions.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>

#include <algorithm>
#include <iterator>

namespace tessera
{
  template class Registry<OperatorDescriptor>;

  const std::list<OperatorDescriptor> &
  descriptors()
  {
    return Registry<OperatorDescriptor>::all();
  }

  const OperatorDescriptor &
  descriptor(const std::string &name)
  {
    static const OperatorDescriptor automatic = describe_auto();
    if (name == automatic.name)
      return automatic;
    const auto &all = descriptors();
    return *std::next(all.begin(),
                      index_of_name(name, operator_names(), "operator"));
  }

  std::vector<std::string>
  operator_names()
  {
    return names_where([](const auto &) { return true; });
  }

  std::vector<std::string>
  operator_choices()
  {
    std::vector<std::string> names = operator_names();
    names.push_back(auto_operator);
    return names;
  }

  std::vector<std::string>
  row_operator_names()
  {
    return names_where([](const auto &d) { return d.stores_rows(); });
  }

  bool
  stores_rows(const std::string &operator_name)
  {
    return descriptor(operator_name).stores_rows();
  }

  bool
  OperatorDescriptor::has(const OptionSet &set) const
  {
    return std::count(options.begin(), options.end(), &set) > 0;
  }

  std::vector<const OptionSet *>
  option_sets()
  {
    std::vector<const OptionSet *> result;
    for (const OperatorDescriptor &d : descriptors())
      for (const OptionSet *const set : d.options)
        if (std::count(result.begin(), result.end(), set) == 0)
          result.push_back(set);
    return result;
  }

  std::string
  owners_of(const OptionSet &set)
  {
    return list_of(names_where([&](const auto &d) { return d.has(set); })) +
           (set.device_only ? " on the device" : "");
  }
} // namespace tessera
