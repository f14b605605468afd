#include "../../source/parallel/nccl.h"

#include <tessera/base/error.h>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "test.h"

// These tests run in several processes (mpirun).
namespace tessera
{
  namespace
  {
    const Processes &
    processes()
    {
      static const Processes all;
      return all;
    }

    /// One value to each other part, and one from each.
    Envelopes
    all_others()
    {
      Envelopes result;
      result.start = {0};
      for (int part = 0; part < processes().size(); ++part)
        if (part != processes().rank())
          {
            result.part.push_back(part);
            result.start.push_back(static_cast<int>(result.part.size()));
          }
      return result;
    }
  } // namespace

  TEST(TransportTest, WithoutNeighboursNothingTravels)
  {
    const auto transport = make_transport(processes(), Backend::host);
    EXPECT_EQ(transport->part(), processes().rank());
    for (const Envelopes &none : {Envelopes(), Envelopes{{}, {0}}})
      {
        const auto channel = transport->open(none, none, sizeof(double));
        channel->begin(nullptr, nullptr, {});
        channel->finish({});
      }
  }

  TEST(TransportTest, AnExchangeEndsBeforeTheNextBegins)
  {
    const Envelopes others = all_others();
    const std::vector<double> out(others.n_entries(), 1.);
    std::vector<double> in(others.n_entries());
    const auto channel = make_transport(processes(), Backend::host)
                           ->open(others, others, sizeof(double));
    channel->begin(out.data(), in.data(), {});
    EXPECT_THROW(channel->begin(out.data(), in.data(), {}), std::logic_error);
    channel->finish({});
    EXPECT_EQ(in, out);
    channel->begin(out.data(), in.data(), {});
    channel->finish({});
  }

  TEST(TransportTest, AChannelThatEndsHasNothingUnderWay)
  {
    const Envelopes others = all_others();
    const std::vector<double> out(others.n_entries(), 1. + processes().rank());
    std::vector<double> in(others.n_entries());
    auto channel = make_transport(processes(), Backend::host)
                     ->open(others, others, sizeof(double));
    if (processes().rank() == 0) // the others wait for it
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    channel->begin(out.data(), in.data(), {});
    channel.reset();
    for (std::size_t k = 0; k < others.part.size(); ++k)
      EXPECT_EQ(in[k], 1. + others.part[k]);
  }

  TEST(TransportTest, AllKnowWhyOneCannotUseNccl)
  {
    const int n = processes().size(), self = processes().rank();
    const auto device = [&](const int number) {
      return [number](char *const bus_id) {
        std::strcpy(bus_id, std::to_string(number).c_str());
      };
    };
    EXPECT_EQ(internal::why_no_nccl(processes(), device(self)), "");
    EXPECT_EQ(internal::why_no_nccl(processes(), device(7)),
              n > 1 ? "processes share a device" : "");
    for (int k = 0; k < n; ++k)
      {
        const auto find = [&](char *const bus_id) {
          if (self == k)
            throw DeviceError("Device " + std::to_string(k) + " is lost.");
          device(self)(bus_id);
        };
        EXPECT_EQ(internal::why_no_nccl(processes(), find),
                  "Device " + std::to_string(k) + " is lost");
      }
  }

  TEST(TransportTest, ADeviceWithoutNcclIsReachedThroughHostMemory)
  {
    const std::string name =
      make_mpi_transport(processes(), Backend::cuda, "NCCL is not here")
        ->name();
    EXPECT_EQ(name, "MPI through host memory, since NCCL is not here");
  }
} // namespace tessera
