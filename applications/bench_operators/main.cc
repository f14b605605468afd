// Measures operators, assembly and conjugate gradients on distorted meshes. The
// sweep covers degrees, number types, operators, numberings, cell orders,
// tiles, strategies, routes and conflict handling; each row has its error. On
// the device, rows of cuSPARSE stand beside ours.
#include "factors.h"
#include "oracle.h"
#include "program.h"
#include "row_choices.h"
#include "sweep.h"
#include "work.h"

#include <tessera/base/error.h>
#include <tessera/base/launch_log.h>
#include <tessera/operators/factory.h>
#include <tessera/program/program.h>
#include <tessera/program/text.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <utility>

namespace tessera::benchmarks
{
  using namespace program;

  namespace
  {
    const Names forms = {"laplace", "elasticity"};
    const Names kinds = {"application", "assembly", "preconditioner", "cg",
                         "load_vector"};
    const Names coefficients = {
      to_string(Variation::uniform), to_string(Variation::cell),
      to_string(Variation::point), to_string(Variation::tensor)};

    /// Returns the sides of a tile like 8x4, or nothing.
    std::vector<int>
    sides_of(const std::string &tile)
    {
      std::vector<int> sides;
      for (const std::string &side : split(tile, 'x'))
        if (Patterns::Integer(0).match(side))
          sides.push_back(std::stoi(side));
      return sides;
    }

    /// The lists, of which the first five say which meshes there are.
    const std::vector<FactorEntry> &
    factors()
    {
      static const std::vector<FactorEntry> all = []() {
        std::vector<FactorEntry> lists = {
          factor_of_names("Forms", forms[0], forms,
                          "what a form is not compiled for is left out, and "
                          "named"),
          factor("Cell types"),
          factor("Degrees", "1, 2, 3, 4"),
          factor("Degrees of freedom", "1e6"),
          factor_of_values(
            "Tiles", "0x1",
            {[](const std::string &tile) { return sides_of(tile).size() == 2; },
             "tiles of cells like 8x4, where 0 is the whole width"},
            "orders of the generated cells"),
          factor_of_names("Coefficients", coefficients[0], coefficients,
                          "one tensor K, a number for every cell, a number or "
                          "a tensor at every quadrature point; those of "
                          "elasticity are uniform"),
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
                          "of elasticity, in formats that can store blocks"),
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
                         "spaces of several components are those of "
                         "elasticity");
    }

    /// Says how a space is made from a mesh.
    struct Layout
    {
      std::string numbering;
      CellOrder order;
      int block_side;
    };

    /// The meshes and spaces of a sweep.
    struct Choices
    {
      explicit Choices(const Parameters &parameters)
        : parameters(parameters), files(parameters.get_list("Study/Spaces")),
          seed(parameters.get_integer("Study/Seed"))
      {
        Lists lists = read_factors(parameters, factors());
        lists.resize(5);
        meshes = all_combinations(lists);
        for (const std::string &numbering : values("Numberings"))
          {
            bool has_blocks = false;
            for (const std::string &name : values("Cell orders"))
              {
                const CellOrder order = cell_order_from_string(name);
                if (!goes_by_blocks(numbering, order))
                  layouts.push_back({numbering, order, default_block_side});
                else if (!std::exchange(has_blocks, true))
                  for (const std::string &side : values("Block sides"))
                    layouts.push_back(
                      {numbering, CellOrder::blocked, std::stoi(side)});
              }
          }
      }

      Names
      values(const std::string &name) const
      {
        return values_of(parameters, factors(), name);
      }

      const Parameters &parameters;
      Names files;  ///< meshes are theirs and not generated
      Lists meshes; ///< [n][5]: form, cells, degree, degrees of freedom, tile
      std::vector<Layout> layouts; ///< each once
      int seed;
    };

    void
    run_layouts(const Choices &choices, Report &report, const Sweep &sweep,
                const Connectivity &mesh, const Oracle &oracle,
                const std::map<std::string, Value> &parameters)
    {
      for (const Layout &layout : choices.layouts)
        {
          const auto space = std::make_shared<const Space>(build_space(
            mesh, layout.numbering, layout.order, layout.block_side));
          Row row;
          row.case_name = to_string(mesh.cell_type) + ", degree " +
                          std::to_string(mesh.degree);
          if (mesh.n_components > 1)
            row.case_name = "elasticity, " + row.case_name;
          row.backend                  = to_string(sweep.backend);
          row.degree                   = mesh.degree;
          row.numbering                = space->numbering;
          row.dofs                     = n_free_entries(*space);
          row.cells                    = space->n_cells();
          row.parameters               = parameters;
          row.parameters["cell_order"] = to_string(space->cell_order);
          if (space->cell_order == CellOrder::blocked)
            row.parameters["block"] = std::int64_t(space->block_side);
          for (const std::string &percent : choices.values("Shared memory"))
            {
              const bool is_auto = percent == "auto";
              runtime::prefer_shared_memory(is_auto ? std::optional<int>()
                                                    : std::stoi(percent));
              if (!is_auto)
                row.parameters["carveout"] = std::int64_t(std::stoi(percent));
              for (const std::string &number : choices.values("Numbers"))
                try
                  {
                    if (number == "double")
                      run_sweep<double>(sweep, report, oracle, space, row);
                    else
                      run_sweep<float>(sweep, report, oracle, space, row);
                  }
                catch (const ParameterError &error)
                  {
                    std::cerr << "left out: " << error.what() << std::endl;
                  }
              row.parameters.erase("carveout");
            }
        }
    }

    /// Measures with every coefficient; a row names those that are not uniform.
    void
    run_spaces(const Choices &choices, Report &report, const Sweep &sweep,
               const Connectivity &mesh,
               const std::map<std::string, Value> &parameters)
    {
      for (const std::string &name : choices.values("Coefficients"))
        {
          const auto variation = static_cast<Variation>(
            std::find(coefficients.begin(), coefficients.end(), name) -
            coefficients.begin());
          const bool varies = variation != Variation::uniform;
          if (varies && mesh.n_components > 1)
            continue;
          auto of_rows = parameters;
          if (varies)
            of_rows["coefficient"] = name;
          run_layouts(choices, report, sweep, mesh,
                      make_oracle(mesh, choices.seed, variation), of_rows);
        }
    }

    /// Measures on the meshes of files. A row has the name of its file without
    /// folder and ending.
    void
    run_files(const Choices &choices, Report &report, const Sweep &sweep)
    {
      for (const std::string &file : choices.files)
        {
          const Connectivity mesh                 = read_mesh(file);
          std::map<std::string, Value> parameters = {
            {"cell_type", to_string(mesh.cell_type)},
            {"mesh", std::filesystem::path(file).stem().string()}};
          if (mesh.n_components > 1)
            parameters["form"] = forms[1];
          run_spaces(choices, report, sweep, mesh, parameters);
        }
    }

    void
    run_meshes(const Choices &choices, Report &report, const Sweep &sweep)
    {
      if (!choices.files.empty())
        return run_files(choices, report, sweep);
      for (const Names &mesh_of : choices.meshes)
        {
          const std::string &form = mesh_of[0], &tile = mesh_of[4];
          const CellType type  = cell_type_from_string(mesh_of[1]);
          const int degree     = std::stoi(mesh_of[2]);
          const double n_dofs  = std::stod(mesh_of[3]);
          const auto sides     = sides_of(tile);
          const int components = form == forms[0] ? 1 : dimension(type);
          if (degree > max_degree(type))
            continue;
          check_mesh(type, n_dofs, degree, components);
          const Connectivity mesh = make_mesh(
            type, n_dofs, degree, choices.seed, sides[0], sides[1], components);
          std::map<std::string, Value> parameters = {{"cell_type", mesh_of[1]},
                                                     {"tile", tile}};
          if (form != forms[0])
            parameters["form"] = form;
          run_spaces(choices, report, sweep, mesh, parameters);
        }
    }

    Sweep
    make_sweep(const Choices &choices, const CommandLine &line,
               const Backend backend)
    {
      const Parameters &parameters = choices.parameters;
      const Names wanted = read_names(parameters, "Study/Kinds", kinds);
      const auto has     = [&](const char *kind) {
        return std::count(wanted.begin(), wanted.end(), kind) > 0;
      };
      Sweep sweep;
      sweep.backend         = backend;
      sweep.device          = line.device;
      sweep.application     = has("application");
      sweep.assembly        = has("assembly");
      sweep.cg              = has("cg");
      sweep.preconditioner  = has("preconditioner");
      sweep.load_vector     = has("load_vector");
      sweep.preconditioners = choices.values("Preconditioners");
      sweep.methods         = choices.values("Methods");
      sweep.operators       = choices.values("Operators");
      sweep.strategies      = choices.values("Strategies");
      sweep.routes          = choices.values("Routes");
      sweep.conflicts       = choices.values("Conflicts");
      resolve_defaults(sweep);
      for (const FactorEntry &list : factors())
        if (list.set != nullptr)
          sweep.storage[list.name] = list.read(parameters);
      sweep.single_entries.clear();
      for (const std::string &name : choices.values("Entries"))
        sweep.single_entries.push_back(name == "single");
      // Single entries come last: other libraries multiply those.
      std::sort(sweep.single_entries.begin(), sweep.single_entries.end());
      sweep.n_samples = parameters.get_integer("Study/Samples");
      return sweep;
    }

    ExitCode
    body(const Parameters &parameters, const CommandLine &line, Record &record)
    {
      const Backend backend = begin(line);
      // Parameters are checked before anything is made or measured.
      const Choices choices(parameters);
      const Sweep sweep = make_sweep(choices, line, backend);
      if (line.validate)
        return valid();
      const double bandwidth = copy_bandwidth(backend);
      open(record, parameters, line, backend, bandwidth);
      Report report(record, bandwidth,
                    parameters.get_double("Study/Error limit"));
      return finish(record, report, [&]() {
        run_meshes(choices, report, sweep);
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
