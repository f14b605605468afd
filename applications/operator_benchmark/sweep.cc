#include "operator_benchmark.h"

#include <row_choices.h>

#include <algorithm>
#include <set>

using namespace tessera;

benchmarks::Sweep
OperatorBenchmark::make_sweep(const Variants &group)
{
  const auto values = [&](const Factor factor, const std::string &if_none) {
    const auto found = values_of(group, factor);
    return found.empty() ? std::vector<std::string>{if_none} : found;
  };
  benchmarks::Sweep sweep;
  sweep.backend   = backend;
  sweep.device    = device;
  sweep.n_samples = study.n_samples;
  if (processes != nullptr)
    sweep.neighbours = {transport, shared};
  sweep.application =
    std::any_of(group.begin(), group.end(),
                [](const Variant &v) { return v.kind == "application"; });
  std::set<std::string> of_csr; // preconditioners of its iterations
  for (const Variant &v : group)
    if (v.kind == "cg" && v[Factor::op] == "csr")
      of_csr.insert(v[Factor::preconditioner]);
  sweep.operators  = values_of(group, Factor::op);
  sweep.strategies = values(Factor::strategy, default_strategy);
  sweep.routes     = values(Factor::route, to_string(Route()));
  sweep.conflicts =
    values(Factor::conflict, to_string(default_conflict(backend)));
  sweep.preconditioners = values_of(group, Factor::preconditioner);
  for (std::size_t i = 0; i < varied_sets().size(); ++i)
    sweep.storage[varied_sets()[i]->varied_as] =
      values(option_factor(i), varied_sets()[i]->text({}));
  sweep.wanted = [this, of_csr, any = group.front()](
                   const Row &row, const AssemblyOptions &options) {
    const auto M = row.parameters.find("preconditioner");
    const std::string preconditioner =
      M == row.parameters.end() ? "" : std::get<std::string>(M->second);
    if (row.library != "tessera")
      return processes == nullptr && has_peer("cusparse") &&
             (row.kind != "cg" || of_csr.count(preconditioner) > 0);
    Variant v                 = any;
    v.kind                    = row.kind;
    v[Factor::op]             = row.op;
    v[Factor::strategy]       = row.strategy;
    v[Factor::route]          = row.route;
    v[Factor::conflict]       = row.conflict;
    v[Factor::preconditioner] = preconditioner;
    for (std::size_t i = 0; i < varied_sets().size(); ++i)
      v[option_factor(i)] = varied_sets()[i]->text(options.storage);
    return pending.erase(canonical(v)) > 0;
  };
  return sweep;
}
