#pragma once

#include <tessera/base/backend.h>

namespace tessera::runtime
{
  /// Marks the moment when all earlier work in a stream is done.
  /// Unlike `elapsed`, moments can watch several streams at the same
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
