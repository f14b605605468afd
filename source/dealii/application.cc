#include <tessera/dealii/application.h>
#include <tessera/dealii/choices.h>

namespace tessera
{
  bool
  read_command_line(Parameters &parameters, const study::CommandLine &line,
                    std::ostream &out)
  {
    if (line.list)
      {
        list_choices(out);
        return false;
      }
    if (!line.parameter_file.empty())
      parameters.read(line.parameter_file);
    for (const auto &entry : line.overrides)
      parameters.set(entry.path(), entry.value);
    if (line.print_parameters && line.markdown)
      parameters.print_markdown(out);
    else if (line.print_parameters)
      parameters.print(out);
    return !line.print_parameters;
  }
} // namespace tessera
