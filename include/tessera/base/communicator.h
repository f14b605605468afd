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

    /// Returns the communicator of the only part.
    static const Communicator &
    alone()
    {
      static const Communicator one;
      return one;
    }

    /// Replaces each of the `n` values, in the memory of the backend that
    /// issued `stream`, by its sum over all parts.
    virtual void
    sum(double *values, int n, Stream stream) const
    {
      (void)values;
      (void)n;
      (void)stream;
    }

    /// True if all communication is issued into streams, so that graphs can
    /// record it; false if the host waits for it.
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

  /// The division of a buffer among neighbours: entries [start[k], start[k +
  /// 1]) go to neighbour k, or come from it.
  struct Envelopes
  {
    std::vector<int> part;  ///< number of each neighbour, increasing
    std::vector<int> start; ///< [part.size() + 1]

    int
    n_entries() const
    {
      return start.empty() ? 0 : start.back();
    }
  };

  /// Connects two buffers of each part with the buffers of its neighbours, for
  /// exchanges that are repeated many times.
  class Channel
  {
  public:
    virtual ~Channel() = default;

    /// Begins to send the values of `out` and to receive values into `in`, both
    /// in the memory of the backend, after the earlier work in `stream`.
    /// Neither may be touched before `finish`; if `finish` is never called,
    /// they must outlive the channel. Throws std::logic_error if the previous
    /// exchange is known not to have ended.
    virtual void
    begin(const void *out, void *in, Stream stream) = 0;

    /// Makes later work in `stream` wait for the values.
    virtual void
    finish(Stream stream) = 0;
  };

  /// Carries values between the parts of a divided problem. This process works
  /// on one of the parts. All parts have to call the same functions in the same
  /// order.
  class Transport : public Communicator
  {
  public:
    /// Opens a channel for values of `bytes` bytes each.
    virtual std::unique_ptr<Channel>
    open(const Envelopes &out, const Envelopes &in,
         std::size_t bytes) const = 0;

    /// Returns a short description, for records, of how values travel.
    virtual std::string
    name() const = 0;
  };
} // namespace tessera
