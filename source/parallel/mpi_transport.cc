#include "handle.h"

#include <tessera/base/runtime.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tessera
{
  using internal::check_mpi;

  namespace
  {
    /// Neighbourhood exchanges of MPI. Values of a device go through host
    /// memory, for which the host waits.
    class MpiChannel : public Channel
    {
    public:
      MpiChannel(const Processes &processes, const Backend backend,
                 const Envelopes &out, const Envelopes &in,
                 const std::size_t bytes)
        : staged(backend == Backend::cuda), bytes_out(bytes * out.n_entries()),
          bytes_in(bytes * in.n_entries()), to(out), from(in)
      {
        if (staged)
          {
            host_out.resize(bytes_out);
            host_in.resize(bytes_in);
          }
        check_mpi(
          MPI_Dist_graph_create_adjacent(
            processes.handle().communicator, static_cast<int>(in.part.size()),
            in.part.data(), MPI_UNWEIGHTED, static_cast<int>(out.part.size()),
            out.part.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &neighbours),
          "MPI_Dist_graph_create_adjacent");
        check_mpi(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type),
                  "MPI_Type_contiguous");
        check_mpi(MPI_Type_commit(&type), "MPI_Type_commit");
      }

      ~MpiChannel() override
      {
        int ended = 0;
        MPI_Finalized(&ended);
        if (ended != 0)
          return;
        // MPI reads and writes the buffers until then. The others begin the
        // same exchange, or one that fails before ends all processes.
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Type_free(&type);
        MPI_Comm_free(&neighbours);
      }

      void
      begin(const void *const out, void *const in, const Stream stream) override
      {
        if (request != MPI_REQUEST_NULL)
          throw std::logic_error("MpiChannel: the last exchange has not ended");
        target = in;
        if (staged)
          {
            if (bytes_out > 0)
              runtime::copy_async(host_out.data(), out, bytes_out,
                                  runtime::Copy::device_to_host, stream);
            runtime::synchronize(stream);
          }
        check_mpi(MPI_Ineighbor_alltoallv(staged ? host_out.data() : out,
                                          to.sizes.data(), to.starts.data(),
                                          type, staged ? host_in.data() : in,
                                          from.sizes.data(), from.starts.data(),
                                          type, neighbours, &request),
                  "MPI_Ineighbor_alltoallv");
      }

      void
      finish(const Stream stream) override
      {
        check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
        if (!staged || bytes_in == 0)
          return;
        runtime::copy_async(target, host_in.data(), bytes_in,
                            runtime::Copy::host_to_device, stream);
        runtime::synchronize(stream); // the next message goes to host_in, too
      }

    private:
      /// Without neighbours there is an entry as well, since MPI may refuse
      /// null.
      struct Sizes
      {
        explicit Sizes(const Envelopes &envelopes) : starts(envelopes.start)
        {
          for (std::size_t k = 0; k < envelopes.part.size(); ++k)
            sizes.push_back(envelopes.start[k + 1] - envelopes.start[k]);
          sizes.resize(std::max<std::size_t>(sizes.size(), 1));
          starts.resize(std::max<std::size_t>(starts.size(), 1));
        }

        std::vector<int> sizes, starts;
      };

      bool staged;
      std::size_t bytes_out, bytes_in;
      Sizes to, from;
      std::vector<char> host_out, host_in;
      void *target        = nullptr;
      MPI_Comm neighbours = MPI_COMM_NULL;
      MPI_Datatype type   = MPI_DATATYPE_NULL;
      MPI_Request request = MPI_REQUEST_NULL;
    };

    class MpiTransport : public Transport
    {
    public:
      MpiTransport(const Processes &processes, const Backend backend,
                   std::string name)
        : processes(processes), backend(backend), own_name(std::move(name))
      {}

      int
      part() const override
      {
        return processes.rank();
      }

      void
      sum(double *const values, const int n, const Stream stream) const override
      {
        std::vector<double> copy;
        double *buffer = values;
        if (backend == Backend::cuda)
          {
            copy.resize(n);
            buffer = copy.data();
            runtime::copy_async(buffer, values, n * sizeof(double),
                                runtime::Copy::device_to_host, stream);
            runtime::synchronize(stream);
          }
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, buffer, n, MPI_DOUBLE, MPI_SUM,
                                processes.handle().communicator),
                  "MPI_Allreduce");
        if (backend == Backend::cuda)
          {
            runtime::copy_async(values, buffer, n * sizeof(double),
                                runtime::Copy::host_to_device, stream);
            runtime::synchronize(stream);
          }
      }

      bool
      can_be_recorded() const override
      {
        return false;
      }

      std::unique_ptr<Channel>
      open(const Envelopes &out, const Envelopes &in,
           const std::size_t bytes) const override
      {
        return std::make_unique<MpiChannel>(processes, backend, out, in, bytes);
      }

      std::string
      name() const override
      {
        return own_name;
      }

    private:
      const Processes &processes;
      Backend backend;
      std::string own_name;
    };
  } // namespace

  std::shared_ptr<const Transport>
  make_mpi_transport(const Processes &processes, const Backend backend,
                     const std::string &why)
  {
    std::string name = "MPI";
    if (backend == Backend::cuda)
      name += " through host memory";
    if (!why.empty())
      name += ", since " + why;
    return std::make_shared<MpiTransport>(processes, backend, name);
  }
} // namespace tessera
