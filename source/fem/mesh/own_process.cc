#include "own_process.h"

#include <tessera/base/error.h>
#include <tessera/base/host_memory.h>
#include <tessera/program/program.h>

#include <fcntl.h>
#include <omp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <new>
#include <sstream>

namespace tessera
{
  namespace
  {
    /// What the process says; a byte with the kind comes before the length.
    enum class Answer : char
    {
      stage     = 's',
      result    = 'r',
      error     = 'e', ///< the exit code in one byte, then the sentence
      no_memory = 'm'
    };

    void
    send(const int pipe, const Answer kind, const std::string &text)
    {
      const std::size_t n = text.size();
      std::string bytes(1, static_cast<char>(kind));
      bytes.append(reinterpret_cast<const char *>(&n), sizeof(n));
      bytes += text;
      for (std::size_t sent = 0; sent < bytes.size();)
        {
          const ssize_t now =
            ::write(pipe, bytes.data() + sent, bytes.size() - sent);
          if (now < 0 && errno != EINTR)
            _exit(1); // nobody listens any more
          sent += now < 0 ? 0 : now;
        }
    }

    /// Lets the process take the memory that is free, so that std::bad_alloc
    /// comes before the system ends it.
    void
    limit_memory()
    {
      long long pages = 0;
      std::ifstream("/proc/self/statm") >> pages;
      rlimit limit{};
      const double most =
        static_cast<double>(pages * sysconf(_SC_PAGESIZE)) + free_host_memory();
      if (getrlimit(RLIMIT_AS, &limit) != 0 || !(most < 1e18) ||
          static_cast<double>(limit.rlim_cur) < most)
        return;
      limit.rlim_cur = static_cast<rlim_t>(most);
      setrlimit(RLIMIT_AS, &limit);
    }

    [[noreturn]] void
    work_in_child(const OwnProcess &process, const int pipe)
    {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (const int number : {SIGINT, SIGTERM, SIGXCPU, SIGUSR1, SIGHUP,
                               SIGPIPE, SIGXFSZ, SIGSEGV, SIGABRT, SIGFPE})
        std::signal(number, SIG_DFL);
      // The threads of the other process are not here, and what exit() would
      // call is for that one.
      omp_set_max_active_levels(0);
      std::atexit([]() { _exit(0); });
      limit_memory();
      try
        {
          const std::string result =
            process.work([&](const std::string &stage) {
              send(pipe, Answer::stage, stage);
            });
          send(pipe, Answer::result, result);
        }
      catch (const Error &error)
        {
          send(pipe, Answer::error,
               static_cast<char>(error.exit_code()) +
                 std::string(error.what()));
        }
      catch (const std::bad_alloc &)
        {
          send(pipe, Answer::no_memory, "");
        }
      catch (const std::exception &error)
        {
          send(pipe, Answer::error,
               static_cast<char>(ExitCode::other) + std::string(error.what()));
        }
      std::fflush(nullptr);
      _exit(0);
    }

    /// A process that was started; it is ended with this object.
    class Child
    {
    public:
      Child(const pid_t id, const int pipe) : id(id), pipe(pipe)
      {}

      ~Child()
      {
        end();
        ::close(pipe);
      }

      Child(const Child &) = delete;
      Child &
      operator=(const Child &) = delete;

      /// Appends what it says. Returns false once it will say nothing more.
      bool
      listen(std::string &said) const
      {
        pollfd waiting{pipe, POLLIN, 0};
        if (::poll(&waiting, 1, 200) <= 0)
          return true; // time has passed, or a signal has come
        char bytes[1 << 16];
        const ssize_t n = ::read(pipe, bytes, sizeof(bytes));
        if (n > 0)
          said.append(bytes, n);
        return n > 0 || (n < 0 && errno == EINTR);
      }

      /// Waits for its end and returns its status.
      int
      wait()
      {
        while (id > 0 && ::waitpid(id, &status, 0) < 0 && errno == EINTR)
          ;
        id = -1;
        return status;
      }

      void
      end()
      {
        if (id > 0)
          ::kill(id, SIGKILL);
        wait();
      }

    private:
      pid_t id;
      const int pipe;
      int status = 0;
    };

    struct Said
    {
      std::string stage = "read", result;
      bool has_result   = false;
    };

    /// Understands what the process said, and throws the error that it had.
    Said
    understand(const std::string &bytes)
    {
      Said said;
      constexpr std::size_t head = 1 + sizeof(std::size_t);
      for (std::size_t place = 0; place + head <= bytes.size();)
        {
          const auto kind = static_cast<Answer>(bytes[place]);
          std::size_t n   = 0;
          std::memcpy(&n, &bytes[place + 1], sizeof(n));
          place += head;
          if (n > bytes.size() - place)
            break; // it ended while it spoke
          const std::string text = bytes.substr(place, n);
          place += n;
          if (kind == Answer::no_memory)
            throw std::bad_alloc();
          if (kind == Answer::error)
            throw Error(static_cast<ExitCode>(text.at(0)), text.substr(1));
          said.has_result                              = kind == Answer::result;
          (said.has_result ? said.result : said.stage) = text;
        }
      return said;
    }

    [[noreturn]] void
    fail(const OwnProcess &process, const std::string &stage,
         const std::string &why)
    {
      const std::string reason = process.program + ' ' + why;
      throw ProcessFailed("The " + process.source + " cannot be " + stage +
                            ": " + reason + "; what it printed is in '" +
                            process.log + "'.",
                          reason);
    }

    std::string
    how_it_ended(const int status)
    {
      if (!WIFSIGNALED(status))
        return "ends without a result, as the command 'Exit' of a script makes "
               "it do";
      const int number = WTERMSIG(status);
      if (number == SIGPROF) // it has set this limit itself
        return "takes too long";
      return number == SIGKILL
               ? "was killed, perhaps for lack of memory"
               : std::string("crashes (") + strsignal(number) + ')';
    }

    /// Starts the process; its standard streams lead to the log.
    std::unique_ptr<Child>
    start(const OwnProcess &process)
    {
      int ends[2];
      const int log = ::open(process.log.c_str(),
                             O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      if (log < 0 || ::pipe2(ends, O_CLOEXEC) != 0)
        throw Error(ExitCode::other,
                    "The file '" + process.log +
                      "' cannot be written: " + std::strerror(errno) + '.');
      std::cout.flush();
      std::fflush(nullptr); // so that nothing is printed twice
      const pid_t id = ::fork();
      if (id == 0)
        {
          ::dup2(log, STDOUT_FILENO);
          ::dup2(log, STDERR_FILENO);
          work_in_child(process, ends[1]);
        }
      const int failure = errno;
      ::close(log);
      ::close(ends[1]);
      auto child = std::make_unique<Child>(id, ends[0]);
      if (id < 0)
        throw Error(ExitCode::other,
                    "A process for " + process.program +
                      " cannot be started: " + std::strerror(failure) + '.');
      return child;
    }
  } // namespace


  std::string
  in_own_process(const OwnProcess &process)
  {
    using Clock      = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto child = start(process);
    std::string bytes;
    int shown = 0, lasting = 5; // seconds
    while (child->listen(bytes))
      {
        if (program::interrupted())
          {
            child->end();
            std::remove(process.log.c_str());
            program::throw_if_interrupted();
          }
        const double seconds =
          std::chrono::duration<double>(Clock::now() - begin).count();
        if (seconds > process.seconds)
          {
            child->end();
            std::ostringstream limit;
            limit << "was stopped after " << process.seconds << " s, which "
                  << process.option << " allows";
            fail(process, understand(bytes).stage, limit.str());
          }
        if (seconds > shown + 1 && !process.progress.empty())
          {
            shown           = static_cast<int>(seconds);
            const bool stay = shown >= lasting;
            lasting *= stay ? 2 : 1;
            program::progress(
              process.progress + ", " + std::to_string(shown) + " s", stay);
          }
      }
    const int status = child->wait();
    Said said;
    try
      {
        program::throw_if_interrupted(); // it may have got the same signal
        said = understand(bytes);
      }
    catch (...)
      {
        std::remove(process.log.c_str()); // the sentence says all
        throw;
      }
    if (!said.has_result)
      fail(process, said.stage, how_it_ended(status));
    return said.result;
  }
} // namespace tessera
