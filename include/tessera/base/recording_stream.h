#pragma once

#include <tessera/base/runtime.h>

namespace tessera::runtime
{
  /// Owns a stream in which graphs are recorded, to be replayed in another one.
  /// It and the default stream do not wait for each other, unlike streams of
  /// `create_stream`: while one of these records, no thread can use the default
  /// stream. Work that does run in this stream is ordered by `synchronize` or
  /// by the events of a Channel.
  struct RecordingStream
  {
    RecordingStream();
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
