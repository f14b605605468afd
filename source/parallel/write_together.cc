#include "handle.h"

#include <tessera/base/failure.h>
#include <tessera/parallel/write_together.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera
{
  using internal::check_mpi;

  namespace
  {
    /// What messages are: the number of a section that the first process asks
    /// for, or `nothing_more`; bytes of it; its end, with an exit code and a
    /// sentence if it could not be produced.
    enum Tag
    {
      request = 1,
      bytes,
      section_end
    };

    constexpr int nothing_more = -1;
    /// MPI counts in 32 bits.
    constexpr std::size_t largest_piece = std::size_t(1) << 24;

    void
    send(const char *const data, const std::size_t n, const Tag tag,
         MPI_Comm communicator)
    {
      check_mpi(
        MPI_Send(data, static_cast<int>(n), MPI_BYTE, 0, tag, communicator),
        "MPI_Send");
    }

    void
    ask(const int process, const int section, MPI_Comm communicator)
    {
      check_mpi(MPI_Send(&section, 1, MPI_INT, process, request, communicator),
                "MPI_Send");
    }

    /// Hands a section of another process to `take`, up to its end, whatever
    /// `take` throws.
    void
    receive(const int process, const int section, const TakeBytes &take,
            MPI_Comm communicator)
    {
      ask(process, section, communicator);
      std::exception_ptr failure;
      std::vector<char> piece;
      for (Tag tag = bytes; tag != section_end;)
        {
          MPI_Status status;
          int n = 0;
          check_mpi(MPI_Probe(process, MPI_ANY_TAG, communicator, &status),
                    "MPI_Probe");
          check_mpi(MPI_Get_count(&status, MPI_BYTE, &n), "MPI_Get_count");
          tag = static_cast<Tag>(status.MPI_TAG);
          piece.resize(n);
          check_mpi(MPI_Recv(piece.data(), n, MPI_BYTE, process, tag,
                             communicator, MPI_STATUS_IGNORE),
                    "MPI_Recv");
          try
            {
              if (tag == section_end && n > 0)
                throw Error(static_cast<ExitCode>(
                              static_cast<unsigned char>(piece.front())),
                            std::string(piece.begin() + 1, piece.end()));
              if (tag == bytes && !failure)
                take(piece.data(), piece.size());
            }
          catch (...)
            {
              failure = std::current_exception();
            }
        }
      if (failure)
        std::rethrow_exception(failure);
    }

    /// Sends the sections that the first process asks for.
    void
    serve(const CollectBytes &produce, MPI_Comm communicator)
    {
      while (true)
        {
          int section = nothing_more;
          check_mpi(MPI_Recv(&section, 1, MPI_INT, 0, request, communicator,
                             MPI_STATUS_IGNORE),
                    "MPI_Recv");
          if (section == nothing_more)
            return;
          std::string end;
          try
            {
              produce(section, [&](const char *data, std::size_t n) {
                while (n > 0)
                  {
                    const std::size_t now = std::min(n, largest_piece);
                    send(data, now, bytes, communicator);
                    data += now;
                    n -= now;
                  }
              });
            }
          catch (const std::exception &)
            {
              const Failure failure = current_failure();
              end = static_cast<char>(failure.code) + failure.sentence;
            }
          send(end.data(), end.size(), section_end, communicator);
        }
    }
  } // namespace


  void
  write_together(const Processes &processes,
                 const std::function<void(const CollectBytes &)> &write,
                 const CollectBytes &produce)
  {
    MPI_Comm communicator = processes.handle().communicator;
    const auto let_go     = [&]() {
      for (int process = 1; process < processes.size(); ++process)
        ask(process, nothing_more, communicator);
    };
    processes.collectively([&]() {
      if (processes.rank() > 0)
        return serve(produce, communicator);
      try
        {
          write([&](const int section, const TakeBytes &take) {
            if (section < 0)
              throw std::logic_error("write_together: a section below 0");
            produce(section, take);
            for (int process = 1; process < processes.size(); ++process)
              receive(process, section, take, communicator);
          });
        }
      catch (...)
        {
          let_go();
          throw;
        }
      let_go();
    });
  }
} // namespace tessera
