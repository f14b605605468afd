#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>
#include <tessera/base/launch_log.h>
#include <tessera/base/moment.h>
#include <tessera/base/profiled_range.h>
#include <tessera/base/recording_stream.h>

#include <chrono>
#include <cstring>
#include <new>

namespace tessera::runtime
{
  namespace
  {
    bool enabled = false;
    int current  = 0;

    using Time = std::chrono::steady_clock::time_point;
  } // namespace

  bool
  is_shim()
  {
    return true;
  }

  KernelAttributes
  attributes(const KernelLaunch &)
  {
    return {};
  }

  void
  set_shared_percent(const void *, int)
  {}

  void
  begin_profiling(const std::string &) noexcept
  {}

  void
  end_profiling() noexcept
  {}

  int
  n_devices()
  {
    return enabled ? 1 : 0;
  }

  void
  enable_shim()
  {
    enabled = true;
  }

  void
  set_device(const int device)
  {
    current = device;
  }

  int
  current_device()
  {
    return current;
  }

  std::string
  device_name(const int)
  {
    return "fibers on the host";
  }

  DeviceProperties
  properties(const int device)
  {
    DeviceProperties shim;
    shim.name = device_name(device);
    return shim;
  }

  void *
  allocate(const std::size_t bytes)
  {
    void *pointer = ::operator new(bytes, std::align_val_t(256), std::nothrow);
    if (pointer == nullptr)
      throw DeviceError("Taking " + std::to_string(bytes) +
                        " bytes of device memory failed.");
    return pointer;
  }

  void
  deallocate(void *pointer) noexcept
  {
    ::operator delete(pointer, std::align_val_t(256));
  }

  bool
  keep_pool(bool) noexcept
  {
    return true;
  }

  void *
  allocate_in_pool(const std::size_t bytes)
  {
    return allocate(bytes);
  }

  void
  deallocate_in_pool(void *pointer, bool) noexcept
  {
    deallocate(pointer);
  }

  void
  copy(void *to, const void *from, const std::size_t bytes, const Copy)
  {
    std::memcpy(to, from, bytes);
  }

  void
  copy_async(void *to, const void *from, const std::size_t bytes,
             const Copy kind, const Stream)
  {
    copy(to, from, bytes, kind);
  }

  void
  fill_async(void *pointer, const unsigned char byte, const std::size_t bytes,
             const Stream)
  {
    std::memset(pointer, byte, bytes);
  }

  void
  synchronize(const Stream)
  {}

  Stream
  create_stream()
  {
    return {};
  }

  RecordingStream::RecordingStream() = default;

  void
  destroy_stream(const Stream) noexcept
  {}

  double
  elapsed(const Stream, const std::function<void()> &work)
  {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
      .count();
  }

  Moment::Moment(const Stream)
    : handle(new Time(std::chrono::steady_clock::now()))
  {}

  Moment::~Moment()
  {
    delete static_cast<Time *>(handle);
  }

  double
  Moment::since(const Moment &earlier) const
  {
    return std::chrono::duration<double>(*static_cast<Time *>(handle) -
                                         *static_cast<Time *>(earlier.handle))
      .count();
  }

  Graph::Graph(const Stream, std::function<void()> work) : work(std::move(work))
  {}

  Graph::~Graph() = default;

  void
  Graph::replay(const Stream) const
  {
    work();
  }
} // namespace tessera::runtime
