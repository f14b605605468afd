#include "study.h"

#include <tessera/base/error.h>
#include <tessera/operators/factory.h>
#include <tessera/space/cell_data.h>

#include <algorithm>
#include <set>

using namespace tessera;

const std::vector<const OptionSet *> &
varied_sets()
{
  static const std::vector<const OptionSet *> sets = []() {
    std::vector<const OptionSet *> varied;
    for (const OptionSet *const set : option_sets())
      if (!set->varied_as.empty())
        varied.push_back(set);
    return varied;
  }();
  return sets;
}


Variant
canonical(Variant v)
{
  const OperatorDescriptor &op = descriptor(v[Factor::op]);
  const bool rows              = op.stores_rows();
  const bool assembly          = v.kind == "assembly";
  const bool product           = v.kind == "application" || v.kind == "cg";
  const Backend backend        = v[Factor::backend] == to_string(Backend::cuda)
                                   ? Backend::cuda
                                   : Backend::host;
  std::string &route           = v[Factor::route];
  std::string &conflict        = v[Factor::conflict];
  if (!rows || !assembly)
    route.clear();
  else if (op.is_appended())
    route = to_string(Route::append);
  else if (route == "default")
    route =
      to_string(conflict != "default"
                  ? Route::scatter
                  : default_route(v[Factor::op],
                                  cell_type_from_string(v[Factor::cell_type]),
                                  std::stoi(v[Factor::degree]), 1, backend));
  if (rows != assembly || route == to_string(Route::gather))
    conflict.clear(); // rows are applied, cell matrices written without
  else if (conflict == "default")
    conflict = to_string(default_conflict(backend));

  if (backend == Backend::cuda)
    v[Factor::threads].clear();
  if (goes_by_blocks(v[Factor::numbering],
                     cell_order_from_string(v[Factor::cell_order])))
    v[Factor::cell_order] = to_string(CellOrder::blocked);
  else
    v[Factor::block_side].clear();
  if (backend == Backend::host)
    v[Factor::carveout].clear();
  const bool computes =
    assembly ? !op.stores_nothing : product && op.assembles_in_products;
  if (!computes)
    v[Factor::strategy].clear();
  if (v.kind != "preconditioner" && v.kind != "cg")
    v[Factor::preconditioner].clear();
  for (std::size_t i = 0; i < varied_sets().size(); ++i)
    if (const OptionSet &set = *varied_sets()[i];
        !op.has(set) || !(product || set.in_assembly))
      v[option_factor(i)].clear();
  return v;
}


std::vector<Variant>
variants(const Study &study)
{
  std::vector<Variant> result;
  std::set<Variant> known;
  for (const std::vector<std::string> &combination : study.combinations)
    for (const std::string &kind : study.kinds)
      {
        const Variant variant = canonical({{combination}, kind});
        if (known.insert(variant).second)
          result.push_back(variant);
      }
  return result;
}


std::vector<std::string>
values_of(const std::vector<Variant> &variants, const Factor factor)
{
  std::vector<std::string> result;
  for (const auto &group : group_by(variants, {factor}))
    if (!group.front()[factor].empty())
      result.push_back(group.front()[factor]);
  return result;
}
