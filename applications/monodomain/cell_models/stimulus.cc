#include "stimulus.h"

#include "stimulus.cuh"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tessera
{
  bool
  Pulses::act_at(const double time) const
  {
    if (time < start)
      return false;
    const double since = time - start;
    return since - (period > 0 ? std::floor(since / period) * period : 0.) <
           duration;
  }


  void
  Pulses::add_events(std::vector<double> &times, const double end) const
  {
    for (long k = 0; start + k * period < end; ++k)
      {
        times.push_back(start + k * period);
        times.push_back(start + k * period + duration);
        if (!(period > 0))
          return;
      }
  }


  template <class Number>
  Stimuli<Number>::Stimuli(const Backend backend, const int n_nodes)
    : sum(backend, n_nodes)
  {}


  template <class Number>
  void
  Stimuli<Number>::add(const Pulses &pulses, const std::vector<int> &nodes)
  {
    for (const int node : nodes)
      if (node < 0 || static_cast<std::size_t>(node) >= sum.size())
        throw std::length_error("Stimuli: a node that does not exist");
    stimuli.push_back({pulses, Array<int>(sum.backend(), nodes)});
    acting.push_back(0);
  }


  template <class Number>
  const Number *
  Stimuli<Number>::at(const double time, const Stream stream)
  {
    std::vector<char> now;
    for (const Stimulus &stimulus : stimuli)
      now.push_back(stimulus.pulses.act_at(time));
    if (now != acting)
      {
        sum.zero(stream);
        for (std::size_t k = 0; k < stimuli.size(); ++k)
          if (now[k] != 0)
            for_each(sum.backend(),
                     static_cast<std::int64_t>(stimuli[k].nodes.size()),
                     AddAtNodes<Number>{
                       sum.data(), stimuli[k].nodes.data(),
                       static_cast<Number>(stimuli[k].pulses.strength)},
                     stream);
        acting = now;
      }
    return std::count(now.begin(), now.end(), 1) > 0 ? sum.data() : nullptr;
  }


  template <class Number>
  std::vector<double>
  Stimuli<Number>::events(const double end) const
  {
    std::vector<double> times;
    for (const Stimulus &stimulus : stimuli)
      stimulus.pulses.add_events(times, end);
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    const auto outside = [&](const double time) {
      return time <= 0 || time >= end;
    };
    times.erase(std::remove_if(times.begin(), times.end(), outside),
                times.end());
    return times;
  }


  std::vector<double>
  time_steps(const double end, const double step, std::vector<double> events)
  {
    const double tolerance = 1e-9 * step;
    events.push_back(end);
    std::sort(events.begin(), events.end());
    std::vector<double> ends;
    double from = 0;
    for (const double to : events)
      {
        if (to - from <= tolerance || to > end + tolerance)
          continue;
        const long n =
          std::max(1L, static_cast<long>(std::ceil((to - from) / step - 1e-9)));
        for (long k = 1; k < n; ++k)
          ends.push_back(from + (to - from) * k / n);
        ends.push_back(to);
        from = to;
      }
    return ends;
  }


  template class Stimuli<double>;
} // namespace tessera
