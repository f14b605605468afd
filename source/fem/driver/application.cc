#include <tessera/fem/bridge/exception.h>
#include <tessera/fem/distributed/distributed_mesh.h>
#include <tessera/fem/driver/application.h>
#include <tessera/fem/driver/threads.h>
#include <tessera/fem/mesh/mesh.h>
#include <tessera/fem/mesh/mesh_body.h>
#include <tessera/parallel/run_together.h>
#include <tessera/program/program.h>

#include <iostream>

namespace tessera
{
  namespace
  {
    /// Returns true if the mesh is a plane one. One process looks at it for
    /// all.
    bool
    is_plane(const Parameters &parameters, const Processes &processes)
    {
      bool result = false;
      processes.collectively([&]() {
        result = processes.rank() == 0 && mesh_dimension(parameters) == 2;
      });
      return processes.any(result);
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
    const std::function<ExitCode(Parameters &, const program::CommandLine &,
                                 program::Record &)> &body,
    const std::function<bool()> &divides, const bool can_be_divided)
  {
    const auto all = [can_be_divided]() -> const Processes & {
      return can_be_divided ? Processes::of_program() : Processes::alone();
    };
    program::Collective collective;
    collective.divides = [&](const std::function<bool()> &start) {
      if (!divides || !divides())
        return false;
      start_together(all(), start);
      return true;
    };
    collective.run = [&](program::Record &record,
                         const std::function<ExitCode()> &work) {
      return run_together(all(), record, work);
    };
    collective.agree = [&](const Settings &settings, const Settings &files) {
      require_same(all(), settings, files);
    };
    return program::run_with_parameters(
      argc, argv, program::application_options(name, sentence),
      program::command_line, declare,
      [&](Parameters &parameters, const program::CommandLine &line,
          program::Record &record) {
        if (line.n_processes > 1 && !can_be_divided)
          throw ParameterError(name +
                               " works in one process; --processes is "
                               "for applications that can be divided.");
        ExitCode code = ExitCode::done;
        translate_exceptions([&]() { code = body(parameters, line, record); });
        return code;
      },
      collective);
  }


  int
  run_application(const int argc, char **argv, const std::string &name,
                  const std::string &sentence, const DeclareParameters &declare,
                  RunStudy *const in_2d, RunStudy *const in_3d,
                  const bool can_be_divided)
  {
    return run_application(
      argc, argv, name, sentence, declare,
      [&](Parameters &parameters, const program::CommandLine &line,
          program::Record &record) {
        const Processes &processes = Processes::of_program();
        if (processes.size() > 1 && !can_be_divided)
          throw ParameterError(name +
                               " works in one process; start it "
                               "without mpirun.");
        set_threads(line.threads);
        const std::string msh =
          mesh_body(parameters, line.output_folder, std::cout,
                    line.mesh_only || line.validate, processes);
        const bool plane = is_plane(parameters, processes);
        if (!line.mesh_only)
          (plane ? in_2d : in_3d)(parameters, line, record);
        else
          {
            plane ? show_mesh<2>(parameters) : show_mesh<3>(parameters);
            if (!msh.empty())
              std::cout << "Open " << msh << std::endl;
          }
        return ExitCode::done;
      },
      [&]() { return can_be_divided && Processes::of_program().size() > 1; },
      can_be_divided);
  }
} // namespace tessera
