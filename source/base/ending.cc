#include <tessera/base/ending.h>

#include <new>

namespace tessera
{
  Ending
  ending_of(const std::exception &exception)
  {
    if (const auto *error = dynamic_cast<const Error *>(&exception))
      return {error->exit_code(), error->what()};
    if (dynamic_cast<const std::bad_alloc *>(&exception) != nullptr)
      return {ExitCode::device,
              "There is not enough memory on the host for this problem."};
    const std::string text  = exception.what();
    const std::size_t first = text.find_first_not_of(" \n\t");
    return {ExitCode::other,
            first == std::string::npos
              ? "unknown error"
              : text.substr(first, text.find('\n', first) - first)};
  }
} // namespace tessera
