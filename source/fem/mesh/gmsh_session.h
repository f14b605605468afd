#pragma once

#include <tessera/base/error.h>

#include <gmsh.h>

#include <new>
#include <string>
#include <vector>

namespace tessera::mesh_tools
{
  /// A session of gmsh, of which a process can have one at a time. It reads no
  /// settings of the user.
  class GmshSession
  {
  public:
    GmshSession()
    {
      gmsh::initialize(0, nullptr, false);
      gmsh::option::setNumber("General.Terminal", 1);
      gmsh::option::setNumber("General.Verbosity", 4); // no lines of progress
      // Errors are read from the log: an exception out of one of gmsh's
      // parallel loops would end the program.
      gmsh::option::setNumber("General.AbortOnError", 0);
      gmsh::logger::start();
    }

    ~GmshSession()
    {
      gmsh::logger::stop();
      gmsh::finalize();
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
  };
} // namespace tessera::mesh_tools
