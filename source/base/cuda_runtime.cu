#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>
#include <tessera/base/launch.h>
#include <tessera/base/launch_log.h>
#include <tessera/base/moment.h>
#include <tessera/base/profiled_range.h>
#include <tessera/base/recording_stream.h>

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <memory>
#include <string>

namespace tessera
{
  namespace
  {
    /// Throws DeviceError for a failed call and clears the sticky error.
    void
    check(const cudaError_t code, const std::string &call)
    {
      if (code == cudaSuccess)
        return;
      cudaGetLastError();
      throw DeviceError(call + " failed: " + cudaGetErrorString(code) + " (" +
                        cudaGetErrorName(code) + ").");
    }

    cudaStream_t
    native(const Stream stream)
    {
      return static_cast<cudaStream_t>(stream.handle);
    }

    cudaMemcpyKind
    native(const runtime::Copy kind)
    {
      switch (kind)
        {
          case runtime::Copy::host_to_device:
            return cudaMemcpyHostToDevice;
          case runtime::Copy::device_to_host:
            return cudaMemcpyDeviceToHost;
          default:
            return cudaMemcpyDeviceToDevice;
        }
    }

    Stream
    stream_with(const unsigned int flags)
    {
      cudaStream_t stream;
      check(cudaStreamCreateWithFlags(&stream, flags),
            "cudaStreamCreateWithFlags");
      return {stream};
    }

    cudaDeviceProp
    native_properties(const int device)
    {
      cudaDeviceProp properties;
      check(cudaGetDeviceProperties(&properties, device),
            "cudaGetDeviceProperties(" + std::to_string(device) + ")");
      return properties;
    }

    struct Event
    {
      cudaEvent_t event;

      Event()
      {
        check(cudaEventCreate(&event), "cudaEventCreate");
      }

      ~Event()
      {
        cudaEventDestroy(event);
      }
    };
  } // namespace

  void
  internal::check_launch(const Shape shape)
  {
    if (shape.n_blocks > 2147483647)
      throw DeviceError("A kernel was given " + std::to_string(shape.n_blocks) +
                        " blocks; a grid has at most 2147483647.");
    check(cudaPeekAtLastError(),
          "A kernel launch of " + std::to_string(shape.n_blocks) +
            " blocks of " + std::to_string(shape.n_threads) + " threads");
  }

  namespace runtime
  {
    bool
    is_shim()
    {
      return false;
    }

    KernelAttributes
    attributes(const KernelLaunch &launch)
    {
      cudaFuncAttributes found;
      check(cudaFuncGetAttributes(&found, launch.kernel),
            "cudaFuncGetAttributes");
      int device = 0, n_blocks = 0, n_threads = 0;
      check(cudaGetDevice(&device), "cudaGetDevice");
      check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
              &n_blocks, launch.kernel, launch.n_threads, launch.shared_bytes),
            "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
      check(cudaDeviceGetAttribute(
              &n_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
            "cudaDeviceGetAttribute");
      return {found.numRegs,
              static_cast<int>(found.sharedSizeBytes) + launch.shared_bytes,
              static_cast<int>(found.localSizeBytes),
              static_cast<double>(n_blocks) * launch.n_threads / n_threads,
              found.preferredShmemCarveout};
    }

    void
    set_shared_percent(const void *const kernel, const int percent)
    {
      check(cudaFuncSetAttribute(
              kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent),
            "cudaFuncSetAttribute");
    }

    void
    begin_profiling(const std::string &range) noexcept
    {
      if (cudaProfilerStart() != cudaSuccess) // fails if there is no device
        cudaGetLastError();
      nvtxRangePushA(range.c_str());
    }

    void
    end_profiling() noexcept
    {
      nvtxRangePop();
      if (cudaProfilerStop() != cudaSuccess)
        cudaGetLastError();
    }

    int
    n_devices()
    {
      int count = 0;
      if (cudaGetDeviceCount(&count) != cudaSuccess)
        {
          cudaGetLastError();
          return 0;
        }
      return count;
    }

    void
    enable_shim()
    {}

    void
    set_device(const int device)
    {
      check(cudaSetDevice(device),
            "cudaSetDevice(" + std::to_string(device) + ")");
    }

    int
    current_device()
    {
      int device = 0;
      check(cudaGetDevice(&device), "cudaGetDevice");
      return device;
    }

    std::string
    device_name(const int device)
    {
      return native_properties(device).name;
    }

    DeviceProperties
    properties(const int device)
    {
      const cudaDeviceProp native = native_properties(device);
      int driver                  = 0;
      check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
      std::size_t free = 0, total = 0;
      check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");

      DeviceProperties result;
      result.name         = native.name;
      result.sm_count     = native.multiProcessorCount;
      result.memory_bytes = native.totalGlobalMem;
      result.free_bytes   = free;
      result.l2_bytes     = native.l2CacheSize;
      result.driver       = "CUDA " + std::to_string(driver / 1000) + "." +
                      std::to_string(driver % 1000 / 10);
      result.architecture =
        std::to_string(native.major) + "." + std::to_string(native.minor);
      return result;
    }

    void *
    allocate(const std::size_t bytes)
    {
      void *pointer = nullptr;
      check(cudaMalloc(&pointer, bytes),
            "Taking " + std::to_string(bytes) + " bytes of device memory");
      return pointer;
    }

    void
    deallocate(void *pointer) noexcept
    {
      cudaFree(pointer); // waits until no stream works any more
    }

    bool
    keep_pool(const bool keep) noexcept
    {
      int device              = 0;
      std::uint64_t threshold = keep ? ~std::uint64_t(0) : 0; // bytes to keep
      cudaMemPool_t pool;
      const bool done =
        cudaGetDevice(&device) == cudaSuccess &&
        cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess &&
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
                                &threshold) == cudaSuccess &&
        cudaStreamSynchronize(nullptr) == cudaSuccess &&
        (keep || cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
      if (!done)
        cudaGetLastError();
      return done;
    }

    void *
    allocate_in_pool(const std::size_t bytes)
    {
      void *pointer = nullptr;
      check(cudaMallocAsync(&pointer, bytes, nullptr),
            "Taking " + std::to_string(bytes) + " bytes of device memory");
      return pointer;
    }

    void
    deallocate_in_pool(void *pointer, const bool waits) noexcept
    {
      if (waits)
        cudaDeviceSynchronize();
      cudaFreeAsync(pointer, nullptr);
      if (waits)
        cudaStreamSynchronize(nullptr);
    }

    void
    copy(void *to, const void *from, const std::size_t bytes, const Copy kind)
    {
      check(cudaMemcpy(to, from, bytes, native(kind)), "cudaMemcpy");
      // cudaMemcpy itself waits only for what goes to the host. What goes to
      // the device is then still on its way, in the default stream.
      if (kind != Copy::device_to_host)
        synchronize({});
    }

    void
    copy_async(void *to, const void *from, const std::size_t bytes,
               const Copy kind, const Stream stream)
    {
      check(cudaMemcpyAsync(to, from, bytes, native(kind), native(stream)),
            "cudaMemcpyAsync");
    }

    void
    fill_async(void *pointer, const unsigned char byte, const std::size_t bytes,
               const Stream stream)
    {
      check(cudaMemsetAsync(pointer, byte, bytes, native(stream)),
            "cudaMemsetAsync");
    }

    void
    synchronize(const Stream stream)
    {
      check(cudaStreamSynchronize(native(stream)), "cudaStreamSynchronize");
    }

    Stream
    create_stream()
    {
      return stream_with(cudaStreamDefault);
    }

    RecordingStream::RecordingStream()
      : stream(stream_with(cudaStreamNonBlocking))
    {}

    void
    destroy_stream(const Stream stream) noexcept
    {
      cudaStreamDestroy(native(stream));
    }

    double
    elapsed(const Stream stream, const std::function<void()> &work)
    {
      const Event begin, end;
      check(cudaEventRecord(begin.event, native(stream)), "cudaEventRecord");
      work();
      check(cudaEventRecord(end.event, native(stream)), "cudaEventRecord");
      check(cudaEventSynchronize(end.event), "cudaEventSynchronize");
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begin.event, end.event),
            "cudaEventElapsedTime");
      return 1e-3 * milliseconds;
    }

    Moment::Moment(const Stream stream)
    {
      auto event = std::make_unique<Event>();
      check(cudaEventRecord(event->event, native(stream)), "cudaEventRecord");
      handle = event.release();
    }

    Moment::~Moment()
    {
      delete static_cast<Event *>(handle);
    }

    double
    Moment::since(const Moment &earlier) const
    {
      const cudaEvent_t begin = static_cast<Event *>(earlier.handle)->event,
                        end   = static_cast<Event *>(handle)->event;
      for (const cudaEvent_t event : {begin, end})
        check(cudaEventSynchronize(event), "cudaEventSynchronize");
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begin, end),
            "cudaEventElapsedTime");
      return 1e-3 * milliseconds;
    }

    Graph::Graph(const Stream stream, std::function<void()> work)
    {
      check(cudaStreamBeginCapture(native(stream),
                                   cudaStreamCaptureModeThreadLocal),
            "cudaStreamBeginCapture");
      cudaGraph_t graph = nullptr;
      try
        {
          work();
        }
      catch (...)
        {
          cudaStreamEndCapture(native(stream), &graph);
          cudaGetLastError();
          throw;
        }
      check(cudaStreamEndCapture(native(stream), &graph),
            "cudaStreamEndCapture");
      cudaGraphExec_t executable = nullptr;
      const cudaError_t code     = cudaGraphInstantiate(&executable, graph, 0);
      cudaGraphDestroy(graph);
      check(code, "cudaGraphInstantiate");
      handle = executable;
    }

    Graph::~Graph()
    {
      if (handle != nullptr)
        cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(handle));
    }

    void
    Graph::replay(const Stream stream) const
    {
      check(
        cudaGraphLaunch(static_cast<cudaGraphExec_t>(handle), native(stream)),
        "cudaGraphLaunch");
    }
  } // namespace runtime
} // namespace tessera
