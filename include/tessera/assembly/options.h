#pragma once

#include <tessera/space/cell_data.h>

#include <string>
#include <vector>

namespace tessera
{
  /// The default way to compute the entries of a cell matrix, which every form
  /// has; strategy.h lists all ways.
  inline constexpr const char *default_strategy = "local_reuse";

  /// Who writes the entries of a matrix of rows or of a load vector; see
  /// `routes.def`. An operator whose rows are appended to has only the route
  /// `append`; other operators of rows are scattered or gathered. Cell-by-cell
  /// additions, such as a matrix-free product, are scattered.
  enum class Route
  {
#define TESSERA_ROUTE(name, sentence, paper) name,
#include <tessera/assembly/routes.def>
#undef TESSERA_ROUTE
  };

  std::string
  to_string(Route route);

  /// Returns the route with this name. Throws ParameterError naming the legal
  /// values.
  Route
  route_from_string(const std::string &name);

  /// Throws ParameterError, with a sentence that names the legal ones, if the
  /// entries of `what` cannot be written by that route.
  void
  check_route(Route route, const std::string &what,
              const std::vector<Route> &legal);
} // namespace tessera
