#pragma once

#include <tessera/base/backend.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  /// Sums scalars over all parts of a divided problem. Every dot product goes
  /// through here; with one part there is nothing to do.
  class Communicator
  {
  public:
    virtual ~Communicator() = default;

    /// Replaces each of the `n` values, in the memory of the backend that
    /// issued `stream`, by its sum over all parts.
    virtual void
    sum(double *values, int n, Stream stream) const
    {
      (void)values;
      (void)n;
      (void)stream;
    }

    /// True if what the parts tell each other is issued into streams alone, so
    /// that it can be recorded in graphs; false if the host waits for it.
    virtual bool
    can_be_recorded() const
    {
      return true;
    }

    /// Returns the number of this part, from 0 on.
    virtual int
    part() const
    {
      return 0;
    }
  };

  /// Which entries of a buffer go to, or come from, which other parts: entries
  /// [start[k], start[k + 1]) belong to neighbour k.
  struct Envelopes
  {
    std::vector<int> part;  ///< of each neighbour, increasing
    std::vector<int> start; ///< [part.size() + 1]

    int
    n_entries() const
    {
      return start.empty() ? 0 : start.back();
    }
  };

  /// A way between two buffers of each part and the buffers of its neighbours,
  /// which is used many times.
  class Channel
  {
  public:
    virtual ~Channel() = default;

    /// Begins to send the values of `out` and to receive values `in`, both in
    /// the memory of the backend, once the work before it in `stream` is done.
    /// Neither may be touched before `finish`, and they must outlive the
    /// channel where that is not called. Throws std::logic_error if the
    /// exchange before is known not to have ended.
    virtual void
    begin(const void *out, void *in, Stream stream) = 0;

    /// Lets what follows in `stream` wait for the values.
    virtual void
    finish(Stream stream) = 0;
  };

  /// Carries values between the parts of a divided problem, one of which this
  /// process works on. All parts have to call the same functions in the same
  /// order.
  class Transport : public Communicator
  {
  public:
    /// Opens a channel for values of `bytes` bytes each.
    virtual std::unique_ptr<Channel>
    open(const Envelopes &out, const Envelopes &in,
         std::size_t bytes) const = 0;

    /// Says in a few words how values travel, for records.
    virtual std::string
    name() const = 0;
  };
} // namespace tessera
