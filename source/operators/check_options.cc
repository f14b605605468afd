#include <tessera/base/error.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/format_choice.h>

#include <optional>

#include "operator_name.h"

namespace tessera
{
  using Name = OperatorName;

  std::vector<Route>
  legal_routes(const std::string &operator_name)
  {
    if (is_appended(operator_name))
      return {Route::append};
    if (stores_rows(operator_name))
      return {Route::scatter, Route::gather};
    return {Route::scatter};
  }

  Route
  default_route(const std::string &operator_name, const CellType type,
                const Backend backend, const std::optional<Conflict> asked)
  {
    const auto legal = legal_routes(operator_name);
    return !asked && backend == Backend::cuda && type == CellType::quadrilateral
             ? legal.back()
             : legal.front();
  }

  void
  check_options(const std::string &name, const Backend backend,
                const AssemblyOptions &options)
  {
    std::optional<Name> which;
    if (name != auto_operator)
      which = name_from_string(name);
    if (options.threads_per_row &&
        (which != Name::csr || backend == Backend::host))
      throw ParameterError(
        "The number of threads per row was given as " +
        to_string(options.threads_per_row) +
        ", which is for the operator csr on the device; "
        "with the operator " +
        name + " on " + (backend == Backend::host ? "the host" : "the device") +
        " legal is auto.");
    if (options.hybrid_width && which != Name::hybrid)
      throw ParameterError("The width of the hybrid format was given as " +
                           std::to_string(*options.hybrid_width) +
                           ", which is for the operator hybrid; with the "
                           "operator " +
                           name + " legal is auto.");
    if (options.values_per_thread &&
        (which != Name::csr_mgpu || backend == Backend::host))
      throw ParameterError(
        "The number of values per thread was given as " +
        std::to_string(*options.values_per_thread) +
        ", which is for the operator csr_mgpu on the device; with the "
        "operator " +
        name + " on " + (backend == Backend::host ? "the host" : "the device") +
        " legal is auto.");
    if (which && has_slices(*which))
      check_shape(options.sell);
    else if (!(options.sell == SellShape()))
      throw ParameterError("Slices were given, which are for the operator " +
                           list_of(names_where([](const Name other) {
                             return has_slices(other);
                           })) +
                           "; the operator " + name + " has none.");
    if (options.block && (which != Name::sell || backend == Backend::host))
      throw ParameterError(
        "The block size was given as " + std::to_string(*options.block) +
        ", which is for the operator sell on the device; with the operator " +
        name + " on " + (backend == Backend::host ? "the host" : "the device") +
        " legal is auto.");
    if (!options.read_only && (which != Name::sell || backend == Backend::host))
      throw ParameterError(
        "Plain loads were asked for, which are for the operator sell on the "
        "device; the operator " +
        name + " on " + (backend == Backend::host ? "the host" : "the device") +
        " has none.");
    if (options.slice_values != SliceValues::number &&
        !(which && compresses_slices(*which)))
      throw ParameterError(
        "The type of values of slices was given as " +
        to_string(options.slice_values) + ", which is for the operator " +
        list_of(names_where(compresses_slices)) + "; with the operator " +
        name + " legal is " + to_string(SliceValues::number) + '.');
    if (options.route)
      check_route(*options.route, "the operator " + name, legal_routes(name));
    if (options.conflict)
      check_conflict(*options.conflict, backend, "the operator " + name);
  }
} // namespace tessera
