#pragma once

#include <tessera/parallel/processes.h>

#include <vector>

namespace tessera
{
  /// Exchanges values, in host memory, at nodes that several processes know.
  /// Quantities that are derived from a solution need the values around the
  /// cells of a process, and sums over processes at common nodes.
  class NodeExchange
  {
  public:
    /// One process has nothing to exchange.
    NodeExchange() = default;

    /// `nodes` are the nodes that this process knows, [n_nodes]; a negative
    /// owner means that it does not need the node. All processes construct
    /// theirs at the same time, and call the functions below together.
    NodeExchange(const Processes &processes, const MeshNodes &nodes);

    /// Sets the values, [n_nodes][n], of nodes that other processes own to the
    /// values of the owners.
    void
    import(std::vector<double> &values, int n = 1) const;

    /// Adds the values of other processes at a node to the value of its owner.
    /// The values of nodes that others own are unchanged.
    void
    export_add(std::vector<double> &values, int n = 1) const;

  private:
    std::shared_ptr<const Transport> transport;
    SharedNodes shared; ///< `owned` and `ghost` are indices of nodes
  };
} // namespace tessera
