#pragma once

#include <tessera/parallel/processes.h>

#include <vector>

namespace tessera
{
  /// Exchanges values, in host memory, at the nodes that several processes know
  /// of. Quantities that are derived from a solution need them: the values
  /// around the cells of a process, and sums over processes at common nodes.
  class NodeExchange
  {
  public:
    /// One process has nothing to exchange.
    NodeExchange() = default;

    /// `nodes` are those that this process knows of, [n_nodes]; a negative
    /// owner says that it does not need the node. All processes make theirs at
    /// the same time, and call the functions below together.
    NodeExchange(const Processes &processes, const MeshNodes &nodes);

    /// Sets the values, [n_nodes][n], of nodes that others own to those that
    /// their owners have.
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
