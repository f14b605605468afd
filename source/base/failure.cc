#include <tessera/base/failure.h>

#include <exception>
#include <new>

namespace tessera
{
  namespace
  {
    /// Returns the first line of an exception's message that is not blank.
    std::string
    first_line(const std::string &text)
    {
      const std::size_t first = text.find_first_not_of(" \n\t");
      return first == std::string::npos
               ? "unknown error"
               : text.substr(first, text.find('\n', first) - first);
    }
  } // namespace

  Failure
  current_failure()
  {
    try
      {
        throw;
      }
    catch (const Error &error)
      {
        return {error.exit_code(), error.what()};
      }
    catch (const std::bad_alloc &)
      {
        return {ExitCode::device,
                "There is not enough memory on the host for this problem."};
      }
    catch (const std::exception &error)
      {
        return {ExitCode::other, first_line(error.what())};
      }
  }
} // namespace tessera
