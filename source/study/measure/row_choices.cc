#include "row_choices.h"

#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/row_operator.h>

#include <algorithm>

namespace tessera::benchmarks
{
  std::vector<AssemblyOptions>
  row_choices(const std::string &name, const Sweep &sweep,
              const bool of_assembly)
  {
    std::vector<AssemblyOptions> choices(1);
    for (const OptionSet *const set : descriptor(name).options)
      {
        const auto values = sweep.storage.find(set->varied_as);
        if (values == sweep.storage.end() || (of_assembly && !set->in_assembly))
          continue;
        std::vector<AssemblyOptions> longer;
        for (const AssemblyOptions &choice : choices)
          for (const std::string &value : values->second)
            {
              longer.push_back(choice);
              longer.back().storage.merge(set->read(value));
            }
        choices = std::move(longer);
      }
    std::vector<AssemblyOptions> all;
    for (const bool single : sweep.single_entries)
      for (AssemblyOptions &choice : choices)
        if (const auto &blocks = descriptor(name).stores_blocks;
            !single || (blocks && blocks(choice.storage)))
          {
            choice.single_entries = single;
            all.push_back(choice);
          }
    return all;
  }

  std::vector<std::string>
  with_default(const std::vector<std::string> &names, const std::string &name)
  {
    std::vector<std::string> result;
    for (const std::string &of : names)
      if (const std::string put = of == "default" ? name : of;
          std::count(result.begin(), result.end(), put) == 0)
        result.push_back(put);
    return result;
  }

  void
  resolve_defaults(Sweep &sweep)
  {
    const std::vector<std::string> is_default = {"default"};
    if (sweep.routes == is_default && sweep.conflicts != is_default)
      sweep.routes = {to_string(Route::scatter)};
    sweep.conflicts =
      with_default(sweep.conflicts, to_string(default_conflict(sweep.backend)));
  }

  std::vector<std::string>
  routes(const std::string &name, const Sweep &sweep, const Space &space)
  {
    const OperatorDescriptor &d = descriptor(name);
    if (!d.stores_rows())
      return {""};
    if (d.is_appended())
      return {to_string(Route::append)};
    return with_default(sweep.routes, to_string(default_route(
                                        name, space.cell_type, space.degree,
                                        space.n_components, sweep.backend)));
  }

  template <class Number>
  void
  describe_rows(program::Row &row, const Operator<Number> &op)
  {
    if (const auto *rows = dynamic_cast<const RowOperator<Number> *>(&op))
      row.padding = rows->matrix().padding();
    RecordValues chosen = op.layout_parameters();
    if (row.kind != "assembly")
      chosen.merge(op.product_parameters());
    for (const auto &[name, value] : chosen)
      row.parameters[name] = value;
  }

  template void
  describe_rows<double>(program::Row &, const Operator<double> &);
  template void
  describe_rows<float>(program::Row &, const Operator<float> &);
} // namespace tessera::benchmarks
