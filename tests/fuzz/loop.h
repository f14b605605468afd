#pragma once

#include "mutate.h"

#include <functional>
#include <string>
#include <vector>

namespace tessera::fuzz
{
  struct File
  {
    std::string content;
    std::string suffix;
  };

  /// What is tested with damaged files.
  struct Subject
  {
    std::string name;
    std::function<std::vector<File>()> files; ///< returns undamaged files
    /// Reads a damaged file; may write files whose names begin with `path`.
    /// Throws Error for what it refuses, and Complaint.
    std::function<void(const File &file, const std::string &path,
                       Random &random)>
      attempt;
  };

  void
  store(const std::string &content, const std::string &path);

  /// Thrown for a wrong answer to a file that was neither an error nor a crash.
  struct Complaint
  {
    std::string text;
  };

  /// Reads files that are damaged at random, in one process of at most 4 GiB
  /// (without a limit under AddressSanitizer). Stops at the first file that is
  /// neither read nor refused in one sentence, that crashes or takes more than
  /// a minute of processor time; then prints the seed and returns 1.
  ///
  /// usage: PROGRAM [--what NAME] [--seconds N] [--seed S] [--once]
  ///   --what: the subject; by default the first one
  ///   --once: tests this seed's file alone and keeps it as PROGRAM.<suffix>
  int
  run(int argc, char **argv, const std::vector<Subject> &subjects);
} // namespace tessera::fuzz
