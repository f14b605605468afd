#include <tessera/assembly/strategy.h>
#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/sell.h>
#include <tessera/space/on_components.h>

#include <algorithm>

namespace tessera
{
  std::vector<Route>
  legal_routes(const std::string &operator_name)
  {
    const OperatorDescriptor &d = descriptor(operator_name);
    if (d.is_appended())
      return {Route::append};
    if (d.has_pattern())
      return {Route::scatter, Route::gather};
    return {Route::scatter};
  }

  Route
  default_route(const std::string &operator_name, const CellType type,
                const int degree, const int n_components, const Backend backend,
                const std::optional<Conflict> asked)
  {
    const auto legal = legal_routes(operator_name);
    const bool scatters =
      n_components > 1 && (degree > max_degree_of_components ||
                           descriptor(operator_name).has(slice_options()));
    const bool gathers =
      type == CellType::quadrilateral || type == CellType::hexahedron;
    return !asked && !scatters && backend == Backend::cuda && gathers
             ? legal.back()
             : legal.front();
  }

  namespace
  {
    /// Checks one option of an operator, which has it or not.
    void
    check_option(const std::string &name, const Backend backend,
                 const OptionSet &set, const Option &option,
                 const StorageOptions &options)
    {
      const std::string value = option.value(options);
      const std::string given =
        "The option '" + option.name + "' was given as " + value;
      if (!option.is_legal(value))
        throw ParameterError(given + "; legal is " + option.legal() + '.');
      if (value == option.default_value)
        return;
      if (!descriptor(name).has(set) ||
          (set.device_only && backend == Backend::host))
        throw ParameterError(given + ", which is for the operator " +
                             owners_of(set) + "; with the operator " + name +
                             (!set.device_only           ? ""
                              : backend == Backend::host ? " on the host"
                                                         : " on the device") +
                             " legal is " + option.default_value + '.');
    }
  } // namespace

  void
  check_options(const std::string &name, const Backend backend,
                const AssemblyOptions &options)
  {
    check_strategy(options.strategy);
    std::size_t n_known = 0;
    for (const OptionSet *const set : option_sets())
      {
        for (const Option &option : set->options)
          {
            check_option(name, backend, *set, option, options.storage);
            n_known += options.storage.count(option.name);
          }
        if (set->check != nullptr && descriptor(name).has(*set))
          set->check(options.storage);
      }
    if (n_known < options.storage.size())
      for (const auto &[key, value] : options.storage)
        {
          std::vector<std::string> legal;
          for (const OptionSet *const set : option_sets())
            for (const Option &option : set->options)
              legal.push_back(option.name);
          index_of_name(key, legal, "option of operators");
        }
    if (options.route)
      check_route(*options.route, "the operator " + name, legal_routes(name));
    if (options.conflict)
      check_conflict(*options.conflict, backend, "the operator " + name);
  }
} // namespace tessera
