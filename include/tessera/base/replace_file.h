#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace tessera
{
  /// Creates or replaces a file as a whole. `write(temporary)` fills a
  /// temporary file in the same folder and returns true on success; the
  /// temporary file is then renamed to `path`. If writing fails or throws, an
  /// earlier file at `path` stays as it is. Other processes and threads see
  /// either the old or the new file, never a part. A link stays, and the file
  /// that it leads to is replaced; folders, devices and pipes never are. Throws
  /// Error with ExitCode::other, "The <what> '<path>' cannot be written:
  /// <reason>.", and whatever `write` throws. The reason is the
  /// operating system's in `errno`, and is left out if there is none.
  void
  replace_file(const std::string &path, const std::string &what,
               const std::function<bool(const std::string &temporary)> &write);

  /// Does the same with the text that `content` writes to a stream. An
  /// exception that `content` throws because the stream fails, as on a full
  /// disk, is replaced by the sentence above.
  void
  write_file(const std::string &path, const std::string &what,
             const std::function<void(std::ostream &)> &content);

  /// Returns true if `replace_file` can write there. It makes and removes a
  /// file beside `path`.
  bool
  can_replace(const std::string &path);
} // namespace tessera
