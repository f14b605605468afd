#include "stimulus.h"

#include "stimulus.cuh"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tessera
{
  double
  Pulses::since(const double time) const
  {
    const double all = time - start;
    return all - (period > 0 ? std::floor(all / period) * period : 0.);
  }


  bool
  Pulses::act_at(const double time) const
  {
    return time >= start && since(time) < duration + spread;
  }


  void
  Pulses::add_events(std::vector<double> &times, const double end) const
  {
    for (long k = 0; start + k * period < end; ++k)
      {
        times.push_back(start + k * period);
        times.push_back(start + k * period + duration + spread);
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
  Stimuli<Number>::add(const Pulses &pulses, const std::vector<int> &nodes,
                       const std::vector<double> &delays)
  {
    if (!delays.empty() && delays.size() != nodes.size())
      throw std::length_error("Stimuli: not a delay for every node");
    for (const int node : nodes)
      if (node < 0 || static_cast<std::size_t>(node) >= sum.size())
        throw std::length_error("Stimuli: a node that does not exist");
    stimuli.push_back(
      {pulses, Array<int>(sum.backend(), nodes),
       Array<Number>(sum.backend(),
                     std::vector<Number>(delays.begin(), delays.end()))});
    acting.push_back(0);
  }


  template <class Number>
  const Number *
  Stimuli<Number>::in_step(const double from, const double step,
                           const Stream stream)
  {
    const double middle = from + step / 2;
    std::vector<char> now;
    bool moves = false;
    for (const Stimulus &stimulus : stimuli)
      {
        now.push_back(stimulus.pulses.act_at(middle));
        moves = moves || (now.back() != 0 && stimulus.delays.size() > 0);
      }
    if (now != acting || moves)
      {
        sum.zero(stream);
        for (std::size_t k = 0; k < stimuli.size(); ++k)
          if (now[k] != 0)
            for_each(
              sum.backend(), static_cast<std::int64_t>(stimuli[k].nodes.size()),
              AddAtNodes<Number>{
                sum.data(), stimuli[k].nodes.data(),
                static_cast<Number>(stimuli[k].pulses.strength),
                stimuli[k].delays.data(),
                static_cast<Number>(stimuli[k].pulses.since(middle) - step / 2),
                static_cast<Number>(step),
                static_cast<Number>(stimuli[k].pulses.duration)},
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
