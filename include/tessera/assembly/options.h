#pragma once

#include <tessera/space/cell_data.h>

#include <string>
#include <vector>

namespace tessera
{
  /// The way to compute the entries of a cell matrix that every form has;
  /// strategy.h knows all of them.
  inline constexpr const char *default_strategy = "local_reuse";

  /// Who writes the entries of a matrix of rows or of a load vector; see
  /// `routes.def`. An operator whose rows are appended to has the route
  /// `append` and no other; other operators of rows are scattered or gathered.
  /// What adds cell by cell, such as a matrix-free product, scatters.
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
