#pragma once

#include "factors.h"
#include "solver.h"

#include <tessera/base/registry.h>
#include <tessera/matrix/sparse_matrix.h>
#include <tessera/operators/works_with.h>
#include <tessera/program/record.h>

// An operator or a solver of another library describes itself, as our operators
// do: its source registers a function that returns its descriptor. All
// knowledge about peers is read from these descriptors.
namespace tessera::benchmarks
{
  class DealiiRows;

  /// The matrix of which a peer makes its product.
  template <class Number>
  struct PeerMatrix
  {
    using value_type = Number;

    const SparseMatrix *rows     = nullptr; ///< for peers on the host
    const CsrMatrix<Number> *csr = nullptr; ///< for peers on a device
    int n_tail                   = 0;       ///< of the operator with `csr`
  };

  /// A product y = A x of a peer.
  struct PeerProduct
  {
    RecordValues shown; ///< parameters of its rows
    int block = 1;      ///< rows and columns of the blocks that it stores
    /// True if the fastest of these products takes the place of our compressed
    /// rows where conversions into other formats pay off.
    bool is_reference = false;

    template <class Number>
    using Maker = std::function<std::unique_ptr<Operator<Number>>(
      const PeerMatrix<Number> &)>;
    /// Makers in either number type; empty if the type is not supported. The
    /// matrix must outlive the operator.
    std::tuple<Maker<double>, Maker<float>> makers = {};
  };

  /// The file of a module that is loaded when its peer is asked for, and its
  /// function, of the type MakeHostSolver (host_solvers.h).
  struct PeerModule
  {
    const char *file = nullptr, *symbol = nullptr;
  };

  /// Describes a peer: name, library, the cases it works with, its rows and how
  /// they are measured, by one of the last four.
  struct PeerDescriptor
  {
    std::string name;     ///< in parameter files
    std::string sentence; ///< what it is
    std::string library;  ///< in records
    Names kinds;          ///< of rows that it measures
    WorksWith works_with       = {};
    std::string preconditioner = {}; ///< of a solver, in records

    std::vector<PeerProduct> products = {};
    /// Measures the rows of a kind with a mesh of deal.II.
    std::function<void(DealiiRows &, const program::Row &)> rows = {};
    template <class Number>
    using SolverMaker = std::function<std::unique_ptr<Solver<Number>>(
      const CsrMatrix<Number> &, const Vector<Number> &diagonal)>;
    /// Makers of a solver on a device. Their arguments must outlive it.
    std::tuple<SolverMaker<double>, SolverMaker<float>> solvers = {};
    PeerModule module = {}; ///< of a solver on the host, in double

    bool
    measures(const std::string &kind) const
    {
      return contains(kinds, kind);
    }
  };

  using Peers = std::vector<const PeerDescriptor *>;

  /// Returns the peers for which `property(descriptor)` is true.
  template <class Property>
  Peers
  peers_where(const Property &property)
  {
    Peers result;
    for (const PeerDescriptor &peer : Registry<PeerDescriptor>::all())
      if (property(peer))
        result.push_back(&peer);
    return result;
  }

  /// Declares `Study/Peers`, a list of names of some peers.
  void
  declare_peers(Parameters &parameters, const Peers &legal,
                const std::string &default_value,
                const std::string &documentation);

  /// Returns the peers that `Study/Peers` names, in its order.
  Peers
  read_peers(const Parameters &parameters, const Peers &legal);
} // namespace tessera::benchmarks
