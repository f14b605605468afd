#pragma once

#include <tessera/base/vector.h>

#include <cstddef>
#include <vector>

namespace tessera
{
  /// Records the potential at points over time in the memory of the backend.
  /// The value at a point is a sum of values at nodes times weights.
  template <class Number>
  class Traces
  {
  public:
    struct Point
    {
      std::vector<int> nodes;
      std::vector<double> weights;
    };

    /// Has room for `n_samples` between two calls of `take`.
    Traces(Backend backend, const std::vector<Point> &points, int n_samples);

    int
    n_points() const
    {
      return static_cast<int>(begins.size()) - 1;
    }

    bool
    full() const
    {
      return times.size() == capacity;
    }

    /// Records the values at a time. Does not wait for the device. Throws
    /// std::length_error if there is no room.
    void
    sample(double time, const Vector<Number> &potential, Stream stream = {});

    /// The samples since the last call: times and values [sample][point].
    struct Samples
    {
      std::vector<double> times;
      std::vector<Number> values;
    };

    /// Returns what was recorded, and forgets it. Waits for the device.
    Samples
    take();

  private:
    std::size_t capacity;
    Array<int> begins; ///< of the nodes of every point, [n_points + 1]
    Array<int> nodes;
    Array<Number> weights;
    Array<Number> values; ///< [capacity][n_points]
    std::vector<double> times;
  };
} // namespace tessera
