#pragma once

#include <functional>
#include <string>

namespace tessera
{
  /// Creates or replaces a file as a whole. `write(temporary)` fills a
  /// temporary file in the same folder and returns true on success; the
  /// temporary file is then renamed to `path`. If writing fails or throws, an
  /// earlier file at `path` stays as it is. Other processes and threads see
  /// either the old or the new file, never a part. Throws Error with
  /// ExitCode::other, "The <what> '<path>' cannot be written.", and whatever
  /// `write` throws.
  void
  replace_file(const std::string &path, const std::string &what,
               const std::function<bool(const std::string &temporary)> &write);
} // namespace tessera
