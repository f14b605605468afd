#pragma once

#include <tessera/base/array.h>

#include <vector>

namespace tessera
{
  /// When a stimulus acts, and how strongly.
  struct Pulses
  {
    double start = 0, duration = 1;
    double period   = 0; ///< from one pulse to the next; 0: there is one pulse
    double strength = 0; ///< the derivative of the potential
    double spread   = 0; ///< nodes begin up to so much later

    /// Returns the time since the last pulse began; `time` is after `start`.
    double
    since(double time) const;

    /// Returns true if it acts at some node at the time between two events.
    bool
    act_at(double time) const;

    /// Appends the times before `end` at which a pulse begins or ends.
    void
    add_events(std::vector<double> &times, double end) const;
  };

  /// Stimuli at nodes, whose sum at every node is in the memory of the backend.
  template <class Number>
  class Stimuli
  {
  public:
    Stimuli(Backend backend, int n_nodes);

    /// Adds a stimulus at nodes, which are different. Each begins so much later
    /// as `delays` says, [n], from 0 to the spread of the pulses; empty: all
    /// begin together. Throws std::length_error for a node that does not exist
    /// and for another number of delays.
    void
    add(const Pulses &pulses, const std::vector<int> &nodes,
        const std::vector<double> &delays = {});

    /// Returns the sum of the stimuli that act in a step between two events,
    /// [n_nodes], or null if there are none. A node that begins or ends within
    /// the step has its part of it. The sum is computed anew only if others act
    /// than at the call before, or nodes begin one after another; this does not
    /// wait for the device.
    const Number *
    in_step(double from, double step, Stream stream = {});

    /// Returns the times in (0, end) at which something begins or ends,
    /// increasing.
    std::vector<double>
    events(double end) const;

  private:
    struct Stimulus
    {
      Pulses pulses;
      Array<int> nodes;
      Array<Number> delays; ///< of the nodes; empty: none
    };

    std::vector<Stimulus> stimuli;
    std::vector<char> acting; ///< those in `sum`
    Array<Number> sum;        ///< [n_nodes]
  };

  /// Divides the time from 0 to `end` into steps of at most `step` that hit the
  /// `events`, each part between two events into equal steps. Returns the ends
  /// of the steps. Events closer to another than 1e-9 of a step are one.
  std::vector<double>
  time_steps(double end, double step, std::vector<double> events);
} // namespace tessera
