#pragma once

#include <tessera/base/communicator.h>
#include <tessera/base/moment.h>
#include <tessera/base/recording_stream.h>
#include <tessera/space/tail.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>

namespace tessera::benchmarks
{
  /// Keeps when the parts of a product begin and end in this process: on a
  /// device in its streams, on the host by its clock.
  ///
  ///     pack ─ interior ─ unpack ─ boundary ─ pack_export ─ rest ─ add
  ///          └ import ┘                                  └ export ┘
  ///
  /// `import` and `export` are messages under way. Where the host waits for
  /// them they end when it has waited; NCCL's end by themselves.
  class TimeLine
  {
  public:
    /// `apart` says that messages travel in a stream of their own.
    TimeLine(Backend backend, bool apart);

    /// Returns a transport whose channels record the time line of the channels
    /// of `inner`, which must live as long as they do. The channel that is
    /// opened first carries imports.
    std::unique_ptr<Transport>
    watch(const Transport &inner);

    /// Does the same for a tail.
    std::shared_ptr<const Tail<double>>
    watch(std::shared_ptr<const Tail<double>> inner);

    /// Forgets everything: seconds count from now on.
    void
    begin();

    /// Watches the next product, until `stop`.
    void
    start();

    void
    stop()
    {
      watching = false;
    }

    /// Returns begin and end of each part of the product in seconds, as
    /// `import_begin`. Waits for the product.
    std::map<std::string, double>
    seconds() const;

    /// Called by what is watched: a part begins, or ends, in a stream.
    void
    mark(const std::string &name, Stream stream);

    /// Called by what is watched after a message has begun to travel.
    void
    mark_arrival(const std::string &name, Channel &channel);

  private:
    /// A moment of the backend.
    struct Mark
    {
      Mark(Backend backend, Stream stream);

      double
      since(const Mark &earlier) const;

      std::chrono::steady_clock::time_point clock;
      std::unique_ptr<runtime::Moment> device; ///< null on the host
    };

    Backend backend;
    std::unique_ptr<runtime::RecordingStream> beside; ///< null: not apart
    bool watching = false;
    std::unique_ptr<Mark> zero;
    std::map<std::string, Mark> marks;
  };
} // namespace tessera::benchmarks
