#pragma once

#include <tessera/base/vector.h>

#include <vector>

namespace tessera
{
  /// When the potential of every node first rises to one threshold, its
  /// activation, and afterwards first falls to another, its repolarisation.
  /// Times within a step are interpolated linearly. All data is in the memory
  /// of the backend.
  template <class Number>
  class Activation
  {
  public:
    /// Nodes whose initial potential is above the threshold count as activated
    /// when they next rise to it.
    Activation(Backend backend, int n_nodes, double activation,
               double repolarisation);

    /// Looks at a step from `time` to `time + step`. Reads 4 numbers a node
    /// and does not wait for the device.
    void
    observe(const Vector<Number> &before, const Vector<Number> &after,
            double time, double step, Stream stream = {});

    /// Returns the times, [n_nodes]; NaN where there is none.
    std::vector<Number>
    activation_times() const
    {
      return activated.to_vector();
    }

    std::vector<Number>
    repolarisation_times() const
    {
      return repolarised.to_vector();
    }

    /// Overwrites both, [n_nodes]. Throws std::length_error for other sizes.
    void
    set_times(const std::vector<Number> &activation,
              const std::vector<Number> &repolarisation);

  private:
    double rising, falling;
    Array<Number> activated, repolarised;
  };
} // namespace tessera
