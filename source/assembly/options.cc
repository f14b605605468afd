#include <tessera/assembly/options.h>
#include <tessera/base/error.h>
#include <tessera/base/names.h>

#include <algorithm>

namespace tessera
{
  namespace
  {
    const std::vector<std::string> route_names = {
#define TESSERA_ROUTE(name, sentence, paper) #name,
#include <tessera/assembly/routes.def>
#undef TESSERA_ROUTE
    };
  } // namespace

  std::string
  to_string(const Route route)
  {
    return route_names[static_cast<int>(route)];
  }

  Route
  route_from_string(const std::string &name)
  {
    return static_cast<Route>(
      index_of_name(name, route_names, "route of assembly"));
  }

  void
  check_route(const Route route, const std::string &what,
              const std::vector<Route> &legal)
  {
    if (std::count(legal.begin(), legal.end(), route) > 0)
      return;
    std::vector<std::string> names;
    for (const Route each : legal)
      names.push_back(to_string(each));
    throw ParameterError("The route '" + to_string(route) + "' does not suit " +
                         what + "; legal is " + list_of(names) + '.');
  }
} // namespace tessera
