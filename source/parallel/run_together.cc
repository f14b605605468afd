#include <tessera/base/failure.h>
#include <tessera/parallel/run_together.h>
#include <tessera/study/build_information.h>
#include <tessera/study/program.h>

#include <algorithm>
#include <iostream>

namespace tessera
{
  ExitCode
  run_together(const Processes &processes, const std::string &settings,
               study::Record &record, const std::function<ExitCode()> &body)
  {
    // Seconds for the others to fail as well; the first one speaks first.
    const double patience        = 3 + std::min(processes.rank(), 10);
    std::streambuf *const screen = std::cerr.rdbuf();
    if (processes.rank() > 0)
      for (std::ostream *const out : {&std::cout, &std::cerr})
        out->rdbuf(nullptr);
    try
      {
        const study::BuildInformation build = study::build_information();
        if (!processes.agree_on(build.version + build.git + settings))
          throw ParameterError(
            "The processes have different parameters or versions of the "
            "program; start all of them by one command.");
        return body();
      }
    catch (const std::exception &)
      {
        const Failure failure = current_failure();
        const bool signalled  = study::interrupted();
        if (processes.wait(patience))
          throw;
        // A process that ends all of them does so by a signal to the others.
        if (!signalled && study::interrupted())
          processes.abort(failure.code);
        std::cerr.rdbuf(screen);
        std::cerr << "error: " << failure.sentence << " (process "
                  << processes.rank() << " of " << processes.size() << ')'
                  << std::endl;
        record.finish(failure.code, failure.sentence);
        processes.abort(failure.code);
      }
  }
} // namespace tessera
