#include <tessera/base/error.h>
#include <tessera/base/failure.h>
#include <tessera/program/affinity.h>
#include <tessera/program/build_information.h>
#include <tessera/program/program.h>
#include <tessera/program/started_processes.h>

#include <omp.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

namespace tessera::program
{
  namespace
  {
    volatile std::sig_atomic_t signalled = 0;

    /// Handles signals that leave a failed write behind, which is reported.
    /// Other than SIG_IGN, a handler is not inherited by programs that are
    /// started.
    void
    do_nothing(int)
    {}

    void
    handle_signal(const int signal)
    {
      signalled = 1;
      std::signal(signal, SIG_DFL);
    }

    std::string
    version(const std::string &program)
    {
      const BuildInformation b = build_information();
      std::string text         = program + " " + b.version + " (" +
                         (b.git.empty() ? "commit unknown" : b.git) +
                         (b.dirty ? ", changed" : "") + ", " + b.type;
      for (const auto &[name, number] : b.versions)
        text += ", " + name + " " + number;
      return text + ")";
    }

    /// Throws Error if text could not be written to standard output, as on a
    /// full disk. A reader that closed it has read enough.
    void
    check_standard_output()
    {
      std::cout.flush();
      if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) &&
          errno != EPIPE)
        throw Error(ExitCode::other,
                    std::string("The standard output cannot be written: ") +
                      std::strerror(errno) + '.');
    }
  } // namespace

  bool
  interrupted()
  {
    return signalled != 0;
  }

  void
  throw_if_interrupted()
  {
    if (interrupted())
      throw Error(ExitCode::interrupted, "The run was interrupted.");
  }

  void
  progress(const std::string &text, const bool done)
  {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    if (terminal)
      std::cerr << "\r\033[K" << text << (done ? "\n" : "") << std::flush;
    else if (done)
      std::cerr << text << std::endl;
  }

  namespace
  {
    /// OpenMP would end the program, or crash, where it starts its threads.
    void
    check_threads()
    {
      if (omp_get_max_threads() > most_threads)
        throw ParameterError(
          "The environment variable OMP_NUM_THREADS asks for " +
          std::to_string(omp_get_max_threads()) +
          " threads; legal are at most " + std::to_string(most_threads) + '.');
    }
  } // namespace

  int
  run_program(
    const int argc, char **argv, Options options,
    const std::function<ExitCode(const Options &, Record &)> &body,
    const std::function<bool(const std::function<bool()> &start)> &divides)
  {
    Record record(options.program(),
                  std::vector<std::string>(argv + 1, argv + argc));
    Failure failure;
    const StartedProcesses started = started_processes();
    bool common                    = true; // what comes first is so in all
    signalled                      = 0;
    // Batch systems announce the end of a job by the latter two.
    for (const int number : {SIGINT, SIGTERM, SIGXCPU, SIGUSR1})
      std::signal(number, handle_signal);
    std::signal(SIGPIPE, do_nothing); // of output that nobody reads any more
    std::signal(SIGXFSZ, do_nothing); // of files beyond a limit
    if (std::signal(SIGHUP, handle_signal) == SIG_IGN)
      std::signal(SIGHUP, SIG_IGN);
    const auto start = [&]() {
      options.parse(std::vector<std::string>(argv + 1, argv + argc));
      if (options.given("help") || options.given("version"))
        return true;
      check_threads();
      return false;
    };
    try
      {
        const bool divided = started.count > 1 && divides && divides(start);
        const bool refuses = started.count > 1 && !divided;
        if (refuses && started.number > 0)
          return 0;
        if (started.number > 0)
          std::cout.rdbuf(nullptr); // the first one speaks for all
        if (!divided)
          start();
        ExitCode code = ExitCode::done;
        if (options.given("help"))
          std::cout << options.help();
        else if (options.given("version"))
          std::cout << version(options.program()) << '\n';
        else if (refuses)
          throw ParameterError(options.program() +
                               " works in one process; start it without "
                               "mpirun.");
        else
          {
            common = false;
            code   = body(options, record);
            record.finish(code);
          }
        if (record.path().empty())
          check_standard_output();
        return static_cast<int>(code);
      }
    catch (const std::exception &)
      {
        failure = current_failure();
      }
    std::cout.flush();
    if (!common || started.number == 0)
      std::cerr << "error: " + failure.sentence + '\n' << std::flush;
    record.finish(failure.code, failure.sentence);
    return static_cast<int>(failure.code);
  }

  int
  run_with_parameters(
    const int argc, char **argv, const Options &options,
    CommandLine (*const line_of)(const Options &),
    const std::function<void(Parameters &)> &declare,
    const std::function<ExitCode(Parameters &, const CommandLine &, Record &)>
      &body,
    const Collective &collective, const std::string &list)
  {
    const auto read = [&](const Options &given, Record &record) {
      const CommandLine line = line_of(given);
      Parameters parameters;
      declare(parameters);
      read_parameters(parameters, line);
      if (collective.agree) // before some of them answer and end
        {
          auto settings           = parameters.values();
          settings["the program"] = line.application;
          std::string &arguments  = settings["the command line"];
          for (const std::string &argument : line.arguments)
            arguments += (arguments.empty() ? "" : " ") + argument;
          collective.agree(settings, parameters.files());
        }
      if (line.list && !list.empty())
        std::cout << list;
      else if (!answer(parameters, line))
        return body(parameters, line, record);
      return ExitCode::done;
    };
    return run_program(
      argc, argv, options,
      [&](const Options &given, Record &record) {
        const auto work = [&]() { return read(given, record); };
        return collective.run ? collective.run(record, work) : work();
      },
      collective.divides);
  }
} // namespace tessera::program
