#include <tessera/dealii/application.h>
#include <tessera/dealii/choices.h>
#include <tessera/dealii/exception.h>
#include <tessera/dealii/mesh.h>
#include <tessera/dealii/mesh_body.h>
#include <tessera/dealii/threads.h>
#include <tessera/parallel/processes.h>
#include <tessera/study/build_information.h>
#include <tessera/study/program.h>

#include <algorithm>
#include <iostream>
#include <sstream>

namespace tessera
{
  namespace
  {
    /// Reads the parameter file of the command line and then its overrides, or
    /// answers --list or --print-parameters. Returns false if there is nothing
    /// left to do.
    bool
    read_command_line(Parameters &parameters, const study::CommandLine &line)
    {
      if (line.list)
        {
          list_choices(std::cout);
          return false;
        }
      if (!line.parameter_file.empty())
        parameters.read(line.parameter_file);
      for (const auto &entry : line.overrides)
        parameters.set(entry.path(), entry.value);
      std::ostringstream text; // deal.II throws where it cannot write
      if (line.print_parameters && line.markdown)
        parameters.print_markdown(text);
      else if (line.print_parameters)
        parameters.print(text);
      std::cout << text.str();
      return !line.print_parameters;
    }


    /// Runs `body` in every process that mpirun started. The first process
    /// speaks for all of them. Where one fails alone, it says why and ends all,
    /// so that none waits for it.
    ExitCode
    run_together(const Processes &processes, const Parameters &parameters,
                 const study::CommandLine &line, study::Record &record,
                 const std::function<ExitCode()> &body)
    {
      // Seconds for the others to fail as well; the first one speaks first.
      const double patience        = 3 + std::min(processes.rank(), 10);
      std::streambuf *const screen = std::cerr.rdbuf();
      if (processes.rank() > 0)
        for (std::ostream *const out : {&std::cout, &std::cerr})
          out->rdbuf(nullptr);
      try
        {
          std::ostringstream all;
          parameters.print(all);
          const study::BuildInformation build = study::build_information();
          all << build.version << build.git;
          for (const std::string &argument : line.arguments)
            all << ' ' << argument;
          if (!processes.agree_on(all.str()))
            throw ParameterError(
              "The processes have different parameters or "
              "versions of the program; start all of them "
              "by one command.");
          return body();
        }
      catch (const std::exception &failure)
        {
          if (processes.wait(patience))
            throw;
          const auto *const error = dynamic_cast<const Error *>(&failure);
          const ExitCode code =
            error != nullptr ? error->exit_code() : ExitCode::other;
          std::cerr.rdbuf(screen);
          std::cerr << "error: process " << processes.rank() << " of "
                    << processes.size() << ": " << message_of(failure)
                    << std::endl;
          record.finish(code, message_of(failure));
          processes.abort(code);
        }
    }


    /// Prints what --mesh-only asks for.
    template <int dim>
    void
    show_mesh(const Parameters &parameters)
    {
      Mesh<dim> mesh;
      make_mesh(mesh, parameters);
      print_summary(mesh, std::cout);
    }
  } // namespace


  int
  run_application(
    const int argc, char **argv, const std::string &name,
    const std::string &sentence, const DeclareParameters &declare,
    const std::function<ExitCode(Parameters &, const study::CommandLine &,
                                 study::Record &)> &body)
  {
    return study::run_program(
      argc, argv, study::application_options(name, sentence),
      [&](const study::Options &options, study::Record &record) {
        const study::CommandLine line = study::command_line(options);
        Parameters parameters;
        declare(parameters);
        ExitCode code = ExitCode::done;
        if (read_command_line(parameters, line))
          translate_exceptions(
            [&]() { code = body(parameters, line, record); });
        return code;
      });
  }


  int
  run_application(const int argc, char **argv, const std::string &name,
                  const std::string &sentence, const DeclareParameters &declare,
                  RunStudy *const in_2d, RunStudy *const in_3d,
                  const bool can_be_divided)
  {
    return run_application(
      argc, argv, name, sentence, declare,
      [&](Parameters &parameters, const study::CommandLine &line,
          study::Record &record) {
        const auto run = [&]() {
          set_threads(line.threads);
          const std::string msh =
            mesh_body(parameters, line.output_folder, std::cout);
          const bool plane = mesh_dimension(parameters) == 2;
          if (!line.mesh_only)
            (plane ? in_2d : in_3d)(parameters, line, record);
          else
            {
              plane ? show_mesh<2>(parameters) : show_mesh<3>(parameters);
              if (!msh.empty())
                std::cout << "Open " << msh << std::endl;
            }
          return ExitCode::done;
        };
        const Processes *const processes = Processes::of_program();
        if (processes == nullptr)
          return run();
        return run_together(*processes, parameters, line, record, [&]() {
          if (!can_be_divided)
            throw ParameterError(name +
                                 " works in one process; start it "
                                 "without mpirun.");
          if (is_body(parameters))
            throw ParameterError(
              "'Mesh/File' = " + parameters.get("Mesh/File") +
              " is a body, which one process meshes; start the program alone "
              "with --mesh-only and give the processes the mesh.msh that this "
              "writes.");
          return run();
        });
      });
  }
} // namespace tessera
