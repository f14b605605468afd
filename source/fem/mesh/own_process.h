#pragma once

#include <tessera/base/error.h>

#include <functional>
#include <string>

namespace tessera
{
  /// Work that another process does, so that a crash, an endless loop or memory
  /// that runs out there does not end this program.
  struct OwnProcess
  {
    /// Returns the result. It may call `stage` with a word for what it does
    /// next, such as "meshed".
    std::function<std::string(
      const std::function<void(const std::string &)> &stage)>
      work;
    std::string program; ///< "gmsh", for messages
    std::string source;  ///< "mesh file 'part.stl'", what it works on
    std::string log;     ///< path of a file that gets all that it prints
    double seconds;      ///< how long it may take
    std::string option;  ///< "'Mesh/Meshing time'", the entry that says so
    /// Text of the line on a terminal, which is printed elsewhere, too, after
    /// 5 seconds, 10, 20 and so on; or empty.
    std::string progress;
  };

  /// The process crashed, ended without a result or took too long.
  struct ProcessFailed : MeshError
  {
    ProcessFailed(const std::string &sentence, std::string reason)
      : MeshError(sentence), reason(std::move(reason))
    {}

    std::string reason; ///< "gmsh crashes (Segmentation fault)"
  };

  /// Starts a process by fork(), which works with one thread and may take as
  /// much memory as is free, and returns its result. What it throws as an Error
  /// or std::bad_alloc is thrown here, too. Throws ProcessFailed, "The
  /// <source> cannot be <stage>: ...", if it crashes, exits or takes too long,
  /// and Error with ExitCode::interrupted if this program is told to stop
  /// meanwhile; the process ends then. The log is kept where it has to explain
  /// a failure without a sentence, and if the work succeeds.
  std::string
  in_own_process(const OwnProcess &process);
} // namespace tessera
