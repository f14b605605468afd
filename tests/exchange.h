#pragma once

#include <tessera/base/vector.h>
#include <tessera/space/ghost_tail.h>
#include <tessera/space/partition.h>
#include <tessera/space/tail.h>

#include <cstring>
#include <functional>
#include <limits>
#include <vector>

// The parts of a divided problem exchange values by copies through host memory;
// all parts are in one process.
namespace tessera::test
{
  /// Overwrites the tail of x from its entry `first` on.
  template <class Number>
  void
  write_tail(const Vector<Number> &x, const int first,
             const std::vector<Number> &values)
  {
    const std::size_t bytes = values.size() * sizeof(Number);
    if (bytes == 0)
      return;
    if (x.backend() == Backend::host)
      std::memcpy(x.tail() + first, values.data(), bytes);
    else
      runtime::copy(x.tail() + first, values.data(), bytes,
                    runtime::Copy::host_to_device);
  }

  /// Returns where the nodes of a plan stand at their owner.
  inline std::vector<int>
  indices_at_owner(const std::vector<Part> &parts, const GhostPlan &plan)
  {
    const OwnedNodes nodes(parts[plan.neighbour].owned);
    std::vector<int> result;
    for (const std::int64_t id : plan.id)
      result.push_back(nodes.index(id));
    return result;
  }

  /// Returns what the parts agree on, made of the plans of all of them.
  inline SharedNodes
  agreed(const std::vector<Part> &parts, const int self)
  {
    SharedNodes result;
    result.to.start = result.from.start = {0};
    for (std::size_t other = 0; other < parts.size(); ++other)
      for (const GhostPlan &plan : parts[other].plans)
        if (plan.neighbour == self)
          {
            result.to.part.push_back(static_cast<int>(other));
            const std::vector<int> owned = indices_at_owner(parts, plan);
            result.owned.insert(result.owned.end(), owned.begin(), owned.end());
            result.to.start.push_back(static_cast<int>(result.owned.size()));
          }
    for (const GhostPlan &plan : parts[self].plans)
      {
        result.from.part.push_back(plan.neighbour);
        result.ghost.insert(result.ghost.end(), plan.tail_index.begin(),
                            plan.tail_index.end());
        result.from.start.push_back(static_cast<int>(result.ghost.size()));
      }
    return result;
  }

  /// Fills the ghosts of the vector of part `self`. `owner_values[p]` are the
  /// values of part p, whose owned entries are read.
  template <class Number>
  void
  fill_ghosts(const std::vector<Part> &parts, const int self,
              const Vector<Number> &x,
              const std::vector<std::vector<Number>> &owner_values)
  {
    const Space &space = parts[self].space;
    const int n        = space.n_components;
    std::vector<Number> ghosts(space.n_ghosts * n);
    for (const GhostPlan &plan : parts[self].plans)
      {
        const std::vector<int> owned = indices_at_owner(parts, plan);
        for (std::size_t k = 0; k < owned.size() * n; ++k)
          ghosts[plan.tail_index[k / n] * n + k % n] =
            owner_values[plan.neighbour][owned[k / n] * n + k % n];
      }
    write_tail(x, 0, ghosts);
  }

  /// Adds what the other parts have in their ghosts to the vector of part
  /// `self`. `values[p]` is the whole vector of part p.
  template <class Number>
  void
  add_ghosts(const std::vector<Part> &parts, const int self, Vector<Number> &y,
             const std::vector<std::vector<Number>> &values)
  {
    std::vector<Number> sum = y.to_vector();
    for (std::size_t other = 0; other < parts.size(); ++other)
      for (const GhostPlan &plan : parts[other].plans)
        if (plan.neighbour == self)
          {
            const Space &space           = parts[other].space;
            const int n                  = space.n_components;
            const std::vector<int> owned = indices_at_owner(parts, plan);
            for (std::size_t k = 0; k < owned.size() * n; ++k)
              sum[owned[k / n] * n + k % n] += values[other].at(
                (space.n_owned + plan.tail_index[k / n]) * n + k % n);
          }
    y.copy_from(sum);
  }

  /// A tail for parts that take turns: what a part imports is given before the
  /// first of them, and what it exports waits for the last.
  template <class Number>
  class LockStepTail : public Tail<Number>
  {
  public:
    /// Whole vectors, [part].
    struct Mail
    {
      std::vector<std::vector<Number>> to_import, exported;
      std::function<void()> when_arriving; ///< called before ghosts are there
    };

    LockStepTail(const std::vector<Part> &parts, const int self, Mail &mail)
      : parts(parts), self(self), mail(mail)
    {}

    void
    import(const Vector<Number> &x, Stream) const override
    {
      fill_ghosts(parts, self, x, mail.to_import);
    }

    /// Ghosts are not there while interior cells are worked on.
    bool
    overlaps() const override
    {
      return true;
    }

    void
    begin_import(const Vector<Number> &x, Stream) const override
    {
      const Space &space = parts[self].space;
      write_tail(
        x, 0,
        std::vector<Number>(std::size_t(space.n_ghosts) * space.n_components,
                            std::numeric_limits<Number>::quiet_NaN()));
    }

    void
    finish_import(const Vector<Number> &x, const Stream stream) const override
    {
      if (mail.when_arriving)
        mail.when_arriving();
      import(x, stream);
    }

    void
    export_add(Vector<Number> &y, Stream) const override
    {
      mail.exported[self] = y.to_vector();
    }

  private:
    const std::vector<Part> &parts;
    const int self;
    Mail &mail;
  };
} // namespace tessera::test
