#pragma once

#include <tessera/base/runtime.h>

namespace tessera::runtime
{
  /// Owns a stream that graphs can be recorded from, which the default stream
  /// does not allow. The stream does not synchronise with the default stream.
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
