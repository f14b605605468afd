#pragma once

#include <tessera/base/error.h>

#include <gmsh.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <new>
#include <sstream>
#include <string>
#include <vector>

namespace tessera::mesh_tools
{
  /// Keeps others from writing to std::cout, as Open CASCADE does.
  class SilentOutput
  {
  public:
    SilentOutput() : earlier(std::cout.rdbuf(nothing.rdbuf()))
    {}

    ~SilentOutput()
    {
      std::cout.rdbuf(earlier);
    }

    SilentOutput(const SilentOutput &) = delete;
    SilentOutput &
    operator=(const SilentOutput &) = delete;

  private:
    std::ostringstream nothing;
    std::streambuf *const earlier;
  };


  /// Returns true if `f` crashes, which a process of its own tries.
  template <class F>
  bool
  crashes(const F &f)
  {
    const pid_t child = fork();
    if (child == 0)
      {
        try
          {
            f();
          }
        catch (...) // the caller will see it, too
          {}
        _exit(0);
      }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
    return WIFSIGNALED(status);
  }


  /// A session of gmsh, of which a program can have one at a time. It prints
  /// nothing and reads no settings of the user.
  class GmshSession
  {
  public:
    GmshSession() : n_threads(omp_get_max_threads())
    {
      gmsh::initialize(0, nullptr, false);
      gmsh::option::setNumber("General.Terminal", 0);
      gmsh::option::setNumber("General.Verbosity", 2); // errors, warnings
      // Errors are read from the log: an exception out of one of gmsh's
      // parallel loops would end the program.
      gmsh::option::setNumber("General.AbortOnError", 0);
      gmsh::logger::start();
    }

    ~GmshSession()
    {
      gmsh::logger::stop();
      gmsh::finalize();
      omp_set_num_threads(n_threads); // gmsh sets it to its own
    }

    GmshSession(const GmshSession &) = delete;
    GmshSession &
    operator=(const GmshSession &) = delete;

    /// Calls f and returns the errors that gmsh reports meanwhile.
    template <class F>
    std::vector<std::string>
    errors_of(const F &f) const
    {
      gmsh::logger::stop();
      gmsh::logger::start();
      bool failed = false;
      const SilentOutput silent;
      try
        {
          f();
        }
      catch (const std::bad_alloc &)
        {
          throw;
        }
      catch (...) // of gmsh, of Open CASCADE, strings and numbers
        {
          failed = true;
        }
      std::vector<std::string> log, errors;
      gmsh::logger::get(log);
      const std::string prefix = "Error: ";
      for (const std::string &line : log)
        if (line.compare(0, prefix.size(), prefix) == 0)
          {
            std::string text = line.substr(prefix.size());
            text.erase(text.find_last_not_of(" .\n") + 1);
            errors.push_back(text);
          }
      if (failed && errors.empty())
        errors.emplace_back("it gives no reason");
      return errors;
    }

    /// Calls f and throws "The <source> <what>: <gmsh's first error>."
    template <class F>
    void
    call(const std::string &source, const std::string &what, const F &f) const
    {
      const auto errors = errors_of(f);
      if (!errors.empty())
        throw MeshError("The " + source + ' ' + what + ": " + errors.front() +
                        '.');
    }

  private:
    const int n_threads;
  };
} // namespace tessera::mesh_tools
