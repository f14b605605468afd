#include "program.h"

#include <tessera/program/affinity.h>

#include <omp.h>

#include <iostream>

namespace tessera::benchmarks
{
  using namespace program;

  namespace
  {
    int
    device(const Options &options)
    {
      return options.integer("device", 0, 1023);
    }
  } // namespace

  Backend
  choose(const Options &options)
  {
    if (const int threads =
          options.integer("threads", 0, program::most_threads))
      omp_set_num_threads(threads);
    const BackendChoice choice =
      choose_backend(options.value("backend"), device(options));
    std::cerr << "backend: " << to_string(choice.backend) << ", "
              << choice.reason << std::endl;
    return choice.backend;
  }

  Backend
  begin(const Options &options)
  {
    const Backend backend = choose(options);
    if (backend == Backend::cuda)
      runtime::set_device(device(options));
    return backend;
  }

  void
  open(Record &record, const Options &options, const Backend backend,
       const double copy_bandwidth)
  {
    record.set_seed(options.integer("seed", 0, 1 << 30));
    if (backend == Backend::cuda)
      record.set_device(runtime::properties(runtime::current_device()),
                        copy_bandwidth);
    record.open(options.value("output"));
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
