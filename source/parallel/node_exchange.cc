#include "send_values.h"

#include <tessera/parallel/node_exchange.h>

#include <map>
#include <utility>

namespace tessera
{
  using internal::send_values;

  namespace
  {
    std::vector<double>
    values_at(const std::vector<int> &nodes, const std::vector<double> &values,
              const int n)
    {
      std::vector<double> result;
      result.reserve(nodes.size() * n);
      for (const int node : nodes)
        for (int c = 0; c < n; ++c)
          result.push_back(values[std::size_t(node) * n + c]);
      return result;
    }
  } // namespace


  NodeExchange::NodeExchange(const Processes &processes, const MeshNodes &nodes)
    : transport(make_mpi_transport(processes, Backend::host))
  {
    const int self = processes.rank();
    std::vector<int> owned;
    std::vector<std::int64_t> ids;
    std::map<int, GhostPlan> by_owner;
    for (std::size_t i = 0; i < nodes.owner.size(); ++i)
      if (nodes.owner[i] == self)
        {
          owned.push_back(static_cast<int>(i));
          ids.push_back(nodes.id[i]);
        }
      else if (nodes.owner[i] >= 0)
        {
          GhostPlan &plan = by_owner[nodes.owner[i]];
          plan.neighbour  = nodes.owner[i];
          plan.tail_index.push_back(static_cast<int>(i));
          plan.id.push_back(nodes.id[i]);
        }
    std::vector<GhostPlan> plans;
    for (auto &[owner, plan] : by_owner)
      plans.push_back(std::move(plan));
    shared = processes.agree(plans, ids);
    for (int &node : shared.owned)
      node = owned[node];
  }


  void
  NodeExchange::import(std::vector<double> &values, const int n) const
  {
    if (transport == nullptr)
      return;
    const std::vector<double> arrived =
      send_values(*transport, values_at(shared.owned, values, n), shared.to,
                  shared.from, n);
    for (std::size_t k = 0; k < arrived.size(); ++k)
      values[std::size_t(shared.ghost[k / n]) * n + k % n] = arrived[k];
  }


  void
  NodeExchange::export_add(std::vector<double> &values, const int n) const
  {
    if (transport == nullptr)
      return;
    const std::vector<double> arrived =
      send_values(*transport, values_at(shared.ghost, values, n), shared.from,
                  shared.to, n);
    for (std::size_t k = 0; k < arrived.size(); ++k)
      values[std::size_t(shared.owned[k / n]) * n + k % n] += arrived[k];
  }
} // namespace tessera
