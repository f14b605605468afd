#pragma once

#include <tessera/base/backend.h>

namespace tessera::runtime
{
  /// The moment at which everything that was issued into a stream before it is
  /// done. Unlike `elapsed`, it lets several streams be watched at the same
  /// time.
  class Moment
  {
  public:
    explicit Moment(Stream stream);
    ~Moment();
    Moment(const Moment &) = delete;
    Moment &
    operator=(const Moment &) = delete;

    /// Returns the seconds from `earlier` to this moment. Waits for both.
    double
    since(const Moment &earlier) const;

  private:
    void *handle;
  };
} // namespace tessera::runtime
