#pragma once

#include <tessera/base/runtime.h>

namespace tessera::runtime
{
  /// A stream of its own: graphs are not recorded from the default one. It does
  /// not wait for that one.
  struct RecordingStream
  {
    RecordingStream() : stream(create_stream())
    {}
    ~RecordingStream()
    {
      destroy_stream(stream);
    }
    RecordingStream(const RecordingStream &) = delete;
    RecordingStream &
    operator=(const RecordingStream &) = delete;

    const Stream stream;
  };
} // namespace tessera::runtime
