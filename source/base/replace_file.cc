#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>

#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace tessera
{
  void
  replace_file(const std::string &path, const std::string &what,
               const std::function<bool(const std::string &)> &write)
  {
    static std::atomic<int> count{0};
    const std::string temporary = path + '.' + std::to_string(getpid()) + '.' +
                                  std::to_string(count++) + ".part";
    try
      {
        if (!write(temporary) ||
            std::rename(temporary.c_str(), path.c_str()) != 0)
          throw Error(ExitCode::other,
                      "The " + what + " '" + path + "' cannot be written.");
      }
    catch (...)
      {
        std::remove(temporary.c_str());
        throw;
      }
  }
} // namespace tessera
