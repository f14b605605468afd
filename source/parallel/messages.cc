#include "handle.h"

#include <tessera/parallel/messages.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace tessera
{
  using internal::check_mpi;

  namespace
  {
    /// MPI counts in 32 bits.
    constexpr std::size_t max_piece = std::numeric_limits<int>::max();

    class MpiMessages : public Messages
    {
    public:
      explicit MpiMessages(const Processes &processes) : processes(processes)
      {}

      int
      part() const override
      {
        return processes.rank();
      }

      int
      n_parts() const override
      {
        return processes.size();
      }

      std::vector<Bytes>
      exchange(std::vector<Bytes> to) const override
      {
        const int n = n_parts(), self = part();
        std::vector<std::uint64_t> sent(n), arriving(n);
        for (int p = 0; p < n; ++p)
          sent[p] = p == self ? 0 : to[p].size();
        check_mpi(MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, arriving.data(), 1,
                               MPI_UINT64_T, communicator()),
                  "MPI_Alltoall");
        std::vector<Bytes> from(n);
        std::vector<MPI_Request> requests;
        for (int p = 0; p < n; ++p)
          {
            from[p].resize(arriving[p]);
            for_pieces(from[p], [&](char *const data, const int size) {
              check_mpi(MPI_Irecv(data, size, MPI_CHAR, p, 0, communicator(),
                                  &requests.emplace_back()),
                        "MPI_Irecv");
            });
          }
        for (int p = 0; p < n; ++p)
          if (p != self)
            for_pieces(to[p], [&](char *const data, const int size) {
              check_mpi(MPI_Isend(data, size, MPI_CHAR, p, 0, communicator(),
                                  &requests.emplace_back()),
                        "MPI_Isend");
            });
        check_mpi(MPI_Waitall(static_cast<int>(requests.size()),
                              requests.data(), MPI_STATUSES_IGNORE),
                  "MPI_Waitall");
        from[self] = std::move(to[self]);
        return from;
      }

      std::vector<Bytes>
      gather(const Bytes &mine) const override
      {
        const int n = n_parts();
        std::vector<std::uint64_t> sizes(n);
        const std::uint64_t size = mine.size();
        check_mpi(MPI_Allgather(&size, 1, MPI_UINT64_T, sizes.data(), 1,
                                MPI_UINT64_T, communicator()),
                  "MPI_Allgather");
        std::vector<Bytes> result(n);
        const std::uint64_t piece = max_piece / n;
        const std::uint64_t largest =
          *std::max_element(sizes.begin(), sizes.end());
        for (std::uint64_t first = 0; first < largest; first += piece)
          {
            std::vector<int> piece_sizes, starts;
            int sum = 0;
            for (const std::uint64_t of_part : sizes)
              {
                starts.push_back(sum);
                piece_sizes.push_back(static_cast<int>(
                  std::min(of_part - std::min(of_part, first), piece)));
                sum += piece_sizes.back();
              }
            Bytes all(sum);
            check_mpi(MPI_Allgatherv(mine.data() + std::min(size, first),
                                     piece_sizes[part()], MPI_CHAR, all.data(),
                                     piece_sizes.data(), starts.data(),
                                     MPI_CHAR, communicator()),
                      "MPI_Allgatherv");
            for (int p = 0; p < n; ++p)
              append(result[p], all.data() + starts[p], piece_sizes[p]);
          }
        return result;
      }

      void
      collectively(const std::function<void()> &work) const override
      {
        processes.collectively(work);
      }

    private:
      MPI_Comm
      communicator() const
      {
        return processes.handle().communicator;
      }

      template <class Move>
      static void
      for_pieces(Bytes &bytes, const Move &move)
      {
        for (std::size_t first = 0; first < bytes.size(); first += max_piece)
          move(bytes.data() + first,
               static_cast<int>(std::min(max_piece, bytes.size() - first)));
      }

      const Processes &processes;
    };
  } // namespace


  std::shared_ptr<const Messages>
  make_messages(const Processes &processes)
  {
    if (processes.size() == 1)
      return std::make_shared<const Messages>();
    return std::make_shared<const MpiMessages>(processes);
  }
} // namespace tessera
