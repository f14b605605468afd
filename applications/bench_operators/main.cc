// Measures operators, assembly and conjugate gradients on distorted meshes. The
// sweep covers degrees, number types, operators, numberings, cell orders,
// tiles, strategies, routes and conflict handling; each row has its error. On
// the device, rows of cuSPARSE stand beside ours.
#include "subject.h"

#include <tessera/base/error.h>
#include <tessera/program/program.h>
#include <tessera/program/text.h>

#include <algorithm>
#include <iostream>

namespace tessera::benchmarks
{
  using namespace program;

  namespace
  {
    const Names kinds = {"application", "assembly", "preconditioner", "cg",
                         "load_vector"};

    const Factors &
    factors()
    {
      static const Factors all = []() {
        Factors lists = {
          factor("Forms"),
          factor("Cell types"),
          factor("Degrees", "1, 2, 3, 4"),
          factor("Degrees of freedom", "1e6"),
          factor_of_values(
            "Tiles", "0x1",
            {[](const std::string &tile) {
               const Names sides   = split(tile, 'x');
               const Pattern count = Patterns::Integer(0);
               return sides.size() == 2 && count.match(sides[0]) &&
                      count.match(sides[1]);
             },
             "tiles of cells like 8x4, where 0 is the whole width"},
            "orders of the generated cells"),
          factor_of_names("Coefficients", variation_names().front(),
                          variation_names(),
                          "one tensor K, one number, a number for every cell, "
                          "a number or a tensor at every quadrature point; "
                          "elasticity has uniform ones"),
          factor("Numberings"),
          factor("Cell orders"),
          factor("Block sides"),
          factor("Shared memory"),
          factor("Numbers", "all"),
          factor("Operators", "all"),
          factor("Strategies"),
          factor("Routes"),
          factor("Conflicts"),
          factor_of_names("Entries", "blocks", {"blocks", "single"},
                          "how formats that can store blocks keep elasticity"),
          factor("Preconditioners"),
          factor("Methods")};
        add_operator_options(lists);
        return lists;
      }();
      return all;
    }

    void
    declare(Parameters &parameters)
    {
      declare_study(parameters, factors(), "20");
      parameters.declare("Study/Kinds", "all", names_or_all(kinds),
                         "what is measured of each combination of the lists");
      parameters.declare("Study/Spaces", "", Patterns::Anything(),
                         "files that applications wrote with --export-space: "
                         "their meshes and degrees instead of generated ones; "
                         "spaces of several components are for "
                         "elasticity");
    }

    const Names of_meshes = {"Forms",   "Cell types",
                             "Degrees", "Degrees of freedom",
                             "Tiles",   "Coefficients"};
    const Names of_spaces = {"Numberings", "Cell orders", "Block sides"};
    const Names of_sweeps = {"Shared memory", "Numbers"};

    /// Returns variants of all that is made for a sweep. If there are files of
    /// spaces, each of them is a form without other factors of meshes.
    Variants
    variants_of(Study &study)
    {
      if (const Names files = study.parameters.get_list("Study/Spaces");
          !files.empty())
        {
          std::fill_n(study.values.begin(), of_meshes.size() - 1, Names{""});
          study.values.front() = files;
        }
      Names some = of_meshes;
      for (const Names *const more : {&of_spaces, &of_sweeps})
        some.insert(some.end(), more->begin(), more->end());
      return study.variants_of(some, [](Variant &v) {
        if (goes_by_blocks(v["Numberings"],
                           cell_order_from_string(v["Cell orders"])))
          v["Cell orders"] = to_string(CellOrder::blocked);
        else
          v["Block sides"].clear();
      });
    }

    /// Returns what is measured of each space.
    Sweep
    sweep_of(const Study &study, const Backend backend)
    {
      Sweep sweep = make_sweep(study, backend);
      sweep.kinds = read_names(study.parameters, "Study/Kinds", kinds);
      // Single entries come last: other libraries multiply those.
      sweep.single_entries.clear();
      for (const bool single : {false, true})
        if (contains(study["Entries"], single ? "single" : "blocks"))
          sweep.single_entries.push_back(single);
      return sweep;
    }

    /// Measures the variants. A degree that cells do not have is left out with
    /// a message, and so is what a form is not compiled for.
    void
    measure(const Variants &all, Subject &subject, const Sweep &sweep,
            Report &report)
    {
      const auto make_mesh = [&](Variants &group) {
        const Variant &of = group.front();
        if (!of["Cell types"].empty())
          {
            const CellType type = cell_type_from_string(of["Cell types"]);
            if (std::stoi(of["Degrees"]) > max_degree(type))
              {
                std::cerr << "left out: degree " << of["Degrees"] << "; "
                          << of["Cell types"] << " has degrees 1 to "
                          << max_degree(type) << std::endl;
                return group.clear();
              }
            check_mesh(mesh_of(of));
          }
        subject.make_mesh(group);
      };
      const auto measure = [&](const Variants &group) {
        Row row     = subject.row(group.front());
        row.backend = to_string(sweep.backend);
        try
          {
            run_sweep(sweep, report, subject.oracle, subject.space, row,
                      group.front()["Shared memory"]);
          }
        catch (const ParameterError &error)
          {
            std::cerr << "left out: " << error.what() << std::endl;
          }
      };
      run_levels(all,
                 {{of_meshes, make_mesh},
                  {of_spaces,
                   [&](Variants &group) { subject.make_space(group.front()); }},
                  {of_sweeps, measure}});
    }

    ExitCode
    body(const Parameters &parameters, const CommandLine &line, Record &record)
    {
      const Backend backend = begin(line);
      // Parameters are checked before anything is made or measured.
      Study study(parameters, factors());
      const Variants all = variants_of(study);
      const Sweep sweep  = sweep_of(study, backend);
      if (line.validate)
        return valid();
      const double bandwidth = copy_bandwidth(backend);
      open(record, parameters, line, backend, bandwidth);
      Report report(record, bandwidth, study.error_limit);
      return finish(record, report, [&]() {
        Subject subject(study);
        measure(all, subject, sweep, report);
        if (record.rows().empty())
          throw ParameterError(
            "The sweep has no row: the lists of meshes, "
            "forms, numbers, kinds and operators leave "
            "nothing to measure.");
      });
    }
  } // namespace
} // namespace tessera::benchmarks

int
main(int argc, char **argv)
{
  using namespace tessera::benchmarks;
  return tessera::program::run_with_parameters(
    argc, argv,
    tessera::program::parameter_options(
      "bench_operators",
      "Measures operators, assembly and conjugate gradients for "
      "-div(K grad u) or elasticity on distorted cells; every row has its "
      "error."),
    tessera::program::parameter_line, declare, body);
}
