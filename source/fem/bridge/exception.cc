#include <tessera/base/error.h>
#include <tessera/fem/bridge/exception.h>

#include <deal.II/base/exceptions.h>

#include <sstream>

namespace tessera
{
  std::string
  message_of(const std::exception &exception)
  {
    std::string text = exception.what();
    if (const auto *error =
          dynamic_cast<const dealii::ExceptionBase *>(&exception))
      {
        std::ostringstream message;
        error->print_info(message);
        text = message.str();
      }
    std::istringstream words(text);
    std::string line, word;
    while (words >> word)
      line += (line.empty() ? "" : " ") + word;
    return line;
  }


  void
  translate_exceptions(const std::function<void()> &work)
  {
    try
      {
        work();
      }
    catch (const dealii::ExceptionBase &exception)
      {
        throw Error(ExitCode::other,
                    "deal.II refuses: " + message_of(exception));
      }
  }
} // namespace tessera
