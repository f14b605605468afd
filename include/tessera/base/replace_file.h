#pragma once

#include <functional>
#include <string>

namespace tessera
{
  /// Makes or replaces a file as a whole: calls `write(temporary)`, which fills
  /// a file beside it and returns whether that worked, and renames that one. An
  /// earlier file stays as it is where writing fails or throws; other processes
  /// and threads see either of the two. Throws Error with ExitCode::other, "The
  /// <what> '<path>' cannot be written.", and what `write` throws.
  void
  replace_file(const std::string &path, const std::string &what,
               const std::function<bool(const std::string &temporary)> &write);
} // namespace tessera
