#include <tessera/base/error.h>
#include <tessera/program/option_entries.h>
#include <tessera/program/patterns.h>

namespace tessera
{
  void
  declare_options(Parameters &parameters, const std::string &section,
                  const OptionSet &set, const std::string &owners)
  {
    for (const Option &option : set.options)
      parameters.declare(section + '/' + option.name, option.default_value,
                         option_value(option), owners + ": " + option.sentence);
  }


  OptionValues
  read_options(const Parameters &parameters, const std::string &section,
               const std::vector<const OptionSet *> &sets)
  {
    OptionValues result;
    for (const OptionSet *const set : sets)
      for (const Option &option : set->options)
        {
          const std::string entry = section + '/' + option.name;
          const std::string value =
            option.value({{option.name, parameters.get(entry)}});
          if (!option.is_legal(value))
            throw ParameterError("'" + entry + "' is " + value + "; " +
                                 option.what_is_legal() + '.');
          if (value != option.default_value)
            result[option.name] = value;
        }
    return result;
  }
} // namespace tessera
