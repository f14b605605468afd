#include "program.h"

#include <tessera/program/program.h>

#include <omp.h>

#include <iostream>
#include <new>

namespace tessera::benchmarks
{
  using namespace program;

  Backend
  choose(const CommandLine &line)
  {
    if (line.threads > 0)
      omp_set_num_threads(line.threads);
    const BackendChoice choice = choose_backend(line.backend, line.device);
    std::cerr << "backend: " << to_string(choice.backend) << ", "
              << choice.reason << std::endl;
    return choice.backend;
  }

  Backend
  begin(const CommandLine &line)
  {
    const Backend backend = choose(line);
    if (backend == Backend::cuda)
      runtime::set_device(line.device);
    return backend;
  }

  void
  open(Record &record, const Parameters &parameters, const CommandLine &line,
       const Backend backend, const double copy_bandwidth)
  {
    record.set_parameters(parameters.values());
    record.set_seed(parameters.get_integer("Study/Seed"));
    if (backend == Backend::cuda)
      record.set_device(runtime::properties(runtime::current_device()),
                        copy_bandwidth);
    record.open(line.output_folder);
  }

  ExitCode
  valid()
  {
    std::cout << "VALID: nothing was measured." << std::endl;
    return ExitCode::done;
  }

  void
  attempt(const std::function<void()> &work,
          const std::function<void(const std::exception_ptr &)> &give_up,
          const Team &team)
  {
    std::exception_ptr failure;
    try
      {
        return work();
      }
    catch (const Error &error)
      {
        if (error.exit_code() == ExitCode::interrupted)
          throw;
        failure = std::current_exception();
      }
    catch (const std::bad_alloc &)
      {
        failure = std::current_exception();
      }
    throw_if_interrupted();
    if (!team.all_failed())
      std::rethrow_exception(failure);
    give_up(failure);
  }

  ExitCode
  finish(const Record &record, const Report &report,
         const std::function<void()> &sweep)
  {
    const auto conclude = [&](const std::string &verdict) {
      std::cout << report.str() << verdict << "Open " << record.path()
                << std::endl;
    };
    try
      {
        sweep();
      }
    catch (...)
      {
        conclude(report.wrong() ? report.verdict()
                                : "The run ended before all rows.\n");
        throw;
      }
    conclude(report.verdict());
    return report.wrong() ? ExitCode::validation_failed : ExitCode::done;
  }
} // namespace tessera::benchmarks
