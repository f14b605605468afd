#pragma once

#include <tessera/base/communicator.h>
#include <tessera/base/vector.h>

namespace tessera
{
  /// Measures how far two potentials are from each other where they differ:
  ///   sqrt(sum d_i^4 / sum d_i^2),  d = x - y,
  /// the root of the mean of squares, with each weighted by itself. It lies
  /// between the usual mean and the largest difference, and does not depend on
  /// how much of the tissue is at rest.
  template <class Number>
  class StepError
  {
  public:
    /// Sums go over all parts. `all` must outlive this object.
    StepError(Backend backend, int n_nodes,
              const Communicator &all = Communicator::alone());

    /// Returns the measure over the first `n_nodes` entries, and 0 if none
    /// differs. Reads 2 numbers a node; waits for the device. Repeatable. For
    /// all parts together.
    double operator()(const Vector<Number> &x, const Vector<Number> &y,
                      Stream stream = {});

  private:
    int n_nodes, n_blocks;
    const Communicator &all;
    Array<double> sums, partial;
    Array<unsigned int> counter;
  };
} // namespace tessera
