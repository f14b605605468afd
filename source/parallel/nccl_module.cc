// This is a module of its own, so that NCCL is loaded only where processes have
// devices of their own.
#include "nccl.h"

#include <tessera/base/error.h>

#include <cuda_runtime.h>
#include <nccl.h>

#include <cstring>
#include <string>

namespace tessera
{
  namespace
  {
    static_assert(sizeof(ncclUniqueId) == internal::nccl_id_bytes);

    void
    check(const ncclResult_t code, const char *const call)
    {
      if (code != ncclSuccess)
        throw DeviceError(std::string(call) +
                          " failed: " + ncclGetErrorString(code) + '.');
    }

    void
    check(const cudaError_t code, const char *const call)
    {
      if (code == cudaSuccess)
        return;
      cudaGetLastError();
      throw DeviceError(std::string(call) +
                        " failed: " + cudaGetErrorString(code) + '.');
    }

    cudaStream_t
    native(const Stream stream)
    {
      return static_cast<cudaStream_t>(stream.handle);
    }

    /// A group of processes with a stream of its own, whose messages travel
    /// while kernels run in other streams. None of these waits for it, not even
    /// the default stream: events order them.
    struct Group
    {
      Group(const ncclUniqueId &id, const int rank, const int size)
      {
        check(ncclCommInitRank(&communicator, size, id, rank),
              "ncclCommInitRank");
        int least = 0, greatest = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest),
              "cudaDeviceGetStreamPriorityRange");
        check(cudaStreamCreateWithPriority(&beside, cudaStreamNonBlocking,
                                           greatest),
              "cudaStreamCreateWithPriority");
      }

      ~Group()
      {
        cudaStreamDestroy(beside);
        ncclCommDestroy(communicator);
      }

      ncclComm_t communicator = nullptr;
      cudaStream_t beside     = nullptr;
    };

    /// Exchanges messages with all neighbours at once, in the stream of the
    /// group. The events let the streams wait for each other, also in graphs.
    class NcclChannel : public Channel
    {
    public:
      NcclChannel(std::shared_ptr<const Group> group, const Envelopes &out,
                  const Envelopes &in, const std::size_t bytes)
        : group(std::move(group)), out(out), in(in), bytes(bytes)
      {
        for (cudaEvent_t *const event : {&ready, &done})
          check(cudaEventCreateWithFlags(event, cudaEventDisableTiming),
                "cudaEventCreateWithFlags");
      }

      ~NcclChannel() override
      {
        cudaEventDestroy(ready);
        cudaEventDestroy(done);
      }

      void
      begin(const void *const from, void *const to,
            const Stream stream) override
      {
        if (out.part.empty() && in.part.empty())
          return;
        check(cudaEventRecord(ready, native(stream)), "cudaEventRecord");
        check(cudaStreamWaitEvent(group->beside, ready), "cudaStreamWaitEvent");
        check(ncclGroupStart(), "ncclGroupStart");
        for (std::size_t k = 0; k < out.part.size(); ++k)
          check(ncclSend(static_cast<const char *>(from) + bytes * out.start[k],
                         bytes * (out.start[k + 1] - out.start[k]), ncclChar,
                         out.part[k], group->communicator, group->beside),
                "ncclSend");
        for (std::size_t k = 0; k < in.part.size(); ++k)
          check(ncclRecv(static_cast<char *>(to) + bytes * in.start[k],
                         bytes * (in.start[k + 1] - in.start[k]), ncclChar,
                         in.part[k], group->communicator, group->beside),
                "ncclRecv");
        check(ncclGroupEnd(), "ncclGroupEnd");
        check(cudaEventRecord(done, group->beside), "cudaEventRecord");
      }

      void
      finish(const Stream stream) override
      {
        if (!out.part.empty() || !in.part.empty())
          check(cudaStreamWaitEvent(native(stream), done),
                "cudaStreamWaitEvent");
      }

    private:
      std::shared_ptr<const Group> group;
      Envelopes out, in;
      std::size_t bytes;
      cudaEvent_t ready = nullptr, done = nullptr;
    };

    class NcclTransport : public Transport
    {
    public:
      NcclTransport(const ncclUniqueId &id, const int rank, const int size)
        : group(std::make_shared<const Group>(id, rank, size)), rank(rank)
      {}

      int
      part() const override
      {
        return rank;
      }

      void
      sum(double *const values, const int n, const Stream stream) const override
      {
        check(ncclAllReduce(values, values, n, ncclDouble, ncclSum,
                            group->communicator, native(stream)),
              "ncclAllReduce");
      }

      std::unique_ptr<Channel>
      open(const Envelopes &out, const Envelopes &in,
           const std::size_t bytes) const override
      {
        return std::make_unique<NcclChannel>(group, out, in, bytes);
      }

      std::string
      name() const override
      {
        return "NCCL";
      }

    private:
      std::shared_ptr<const Group> group;
      int rank;
    };
  } // namespace
} // namespace tessera

extern "C" void
tessera_nccl_id(char *const id)
{
  ncclUniqueId unique;
  tessera::check(ncclGetUniqueId(&unique), "ncclGetUniqueId");
  std::memcpy(id, &unique, sizeof(unique));
}

extern "C" void
tessera_bus_id(char *const bus_id)
{
  int device = 0;
  tessera::check(cudaGetDevice(&device), "cudaGetDevice");
  tessera::check(
    cudaDeviceGetPCIBusId(bus_id, tessera::internal::bus_id_bytes, device),
    "cudaDeviceGetPCIBusId");
}

extern "C" tessera::Transport *
tessera_make_nccl(const char *const id, const int rank, const int size)
{
  ncclUniqueId unique;
  std::memcpy(&unique, id, sizeof(unique));
  return new tessera::NcclTransport(unique, rank, size);
}
