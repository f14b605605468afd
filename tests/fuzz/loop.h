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

  /// What damaged files are for.
  struct Subject
  {
    std::string name;
    std::function<std::vector<File>()> files; ///< undamaged ones
    /// Reads one that is damaged; may write to files whose names begin with
    /// `path`. Throws Error for what it refuses, and Complaint.
    std::function<void(const File &file, const std::string &path,
                       Random &random)>
      attempt;
  };

  void
  store(const std::string &content, const std::string &path);

  /// A wrong answer to a file that was neither an error nor a crash.
  struct Complaint
  {
    std::string text;
  };

  /// Reads files that are damaged at random, in one process of at most 4 GiB
  /// (its own business under AddressSanitizer), and returns 1, having told the
  /// seed, at the first one that is neither read nor refused by one sentence,
  /// crashes or takes more than a minute of processor time.
  ///
  /// usage: PROGRAM [--what NAME] [--seconds N] [--seed S] [--once]
  ///   --what: the subject, else the first one
  ///   --once: the file of this seed alone; it is kept as PROGRAM.<suffix>
  int
  run(int argc, char **argv, const std::vector<Subject> &subjects);
} // namespace tessera::fuzz
