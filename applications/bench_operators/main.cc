// Measures operators, assembly and conjugate gradients on distorted meshes. The
// sweep covers degrees, number types, operators, numberings, cell orders,
// tiles, strategies, routes and conflict handling; each row has its error. On
// the device, rows of cuSPARSE stand beside ours.
#include "mesh_choices.h"
#include "program.h"
#include "row_choices.h"
#include "sweep.h"
#include "work.h"

#include <tessera/base/error.h>
#include <tessera/base/launch_log.h>
#include <tessera/base/names.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/program/program.h>
#include <tessera/solvers/cg.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <utility>

namespace tessera::benchmarks
{
  using namespace program;

  namespace
  {
    const std::vector<std::string> kinds = {
      "application", "assembly", "preconditioner", "cg", "load_vector"};

#define TESSERA_STRATEGY(name, sentence, paper) #name,
    const std::vector<std::string> strategies = {
#include <tessera/assembly/strategies.def>
    };
#undef TESSERA_STRATEGY
#define TESSERA_CONFLICT(name, sentence, paper) #name,
    const std::vector<std::string> conflicts = {
#include <tessera/space/conflicts.def>
    };
#undef TESSERA_CONFLICT
    const std::vector<std::string> routes = {to_string(Route::scatter),
                                             to_string(Route::gather)};

    const std::vector<std::string> entries = {"blocks", "single"};

    Options
    make_options()
    {
      Options o("bench_operators",
                "Measures operators, assembly and conjugate gradients for "
                "-div(K grad u) or elasticity on distorted cells; every row "
                "has its error. Lists are separated by commas; all stands for "
                "all.");
      o.add("forms", "LIST", forms[0],
            list_of(forms) +
              "; what a form is not compiled for is left out, and named");
      o.add("dofs", "N", "",
            "free degrees of freedom, about [16e6 on the "
            "device, 1e6 on the host]");
      o.add("spaces", "FILES", "",
            "files that applications wrote with --export-space: their meshes "
            "and degrees instead of generated ones; spaces of several "
            "components are those of elasticity");
      o.add("cell-types", "LIST", cell_types[0], list_of(cell_types));
      o.add("coefficients", "LIST", coefficients[0],
            list_of(coefficients) +
              ": one tensor K, a number for every cell, a number or a tensor "
              "at every quadrature point; those of elasticity are uniform");
      o.add("degrees", "LIST", "1,2,3,4",
            "polynomial degrees; those beyond the highest of a cell type are "
            "left out");
      o.add("numbers", "LIST", "all", list_of(numbers));
      o.add("kinds", "LIST", "all", list_of(kinds));
      o.add("operators", "LIST", "all",
            list_of(operator_choices()) +
              "; auto, which is not of all: the quickest of a few, which are "
              "timed");
      o.add("numberings", "LIST", default_numbering,
            list_of(numbering_names()));
      o.add("cell-orders", "LIST", cell_orders[0], list_of(cell_orders));
      o.add("numbering-blocks", "LIST", std::to_string(default_block_side),
            "cells a direction in a block, of what goes by blocks: the order "
            "blocked, and the numberings blocked and blocked_aligned, which "
            "have it whatever --cell-orders says");
      o.add("tiles", "LIST", "0x1", "tiles of cells, like 8x4; 0: whole width");
      o.add("strategies", "LIST", strategies[0],
            "of assembly: " + list_of(strategies));
      o.add("routes", "LIST", "default",
            "of assembly into rows with a pattern, and of load vectors: " +
              list_of(routes) +
              "; default: that of the library, without gather where "
              "--conflicts is given");
      o.add("conflicts", "LIST", "default", list_of(conflicts));
      o.add("entries", "LIST", entries[0],
            "of elasticity, in formats that can store blocks: " +
              list_of(entries));
      for (const OptionSet *const set : option_sets())
        if (!set->varied_as.empty())
          o.add(set->command_line_name(), "LIST", set->text({}),
                "for " + owners_of(*set) + ": " + set->sentence() +
                  (set->options.size() > 1
                     ? ""
                     : "; " + set->options.front().legal()));
      o.add("carveouts", "LIST", "auto",
            "per cent of L1 asked for as shared memory: auto, as the driver "
            "chooses, or numbers");
      o.add("preconditioners", "LIST", "jacobi",
            "alone and in conjugate gradients: " +
              list_of(plain_preconditioner_names()));
      o.add("methods", "LIST", "classical",
            "of conjugate gradients: " + list_of(cg_method_names()));
      o.add("samples", "N", "20", "timings of a row");
      o.add("seed", "N", "1", "of mesh and vectors");
      o.add("error-limit", "X", "300", "larger errors make a row wrong");
      add_common_options(o, "out/bench_operators");
      return o;
    }

    void
    run_layouts(const Choices &choices, Report &report, const Sweep &sweep,
                const Connectivity &mesh, const Oracle &oracle,
                const std::map<std::string, Value> &parameters)
    {
      for (const Layout &layout : choices.ways)
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
          for (const std::optional<int> &percent : choices.carveouts)
            {
              runtime::prefer_shared_memory(percent);
              if (percent)
                row.parameters["carveout"] = std::int64_t(*percent);
              for (const std::string &number : choices.number_names)
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
      for (const std::string &name : choices.coefficient_names)
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
      if (choices.of_files)
        return run_files(choices, report, sweep);
      for (const std::string &form : choices.form_names)
        for (const std::string &name : choices.type_names)
          for (const int degree : choices.degrees)
            if (const CellType type = cell_type_from_string(name);
                degree <= max_degree(type))
              for (const auto &[tile_x, tile_y] : choices.shapes)
                {
                  const int n_components =
                    form == forms[0] ? 1 : dimension(type);
                  check_mesh(type, choices.n_dofs, degree, n_components);
                  const Connectivity mesh =
                    make_mesh(type, choices.n_dofs, degree, choices.seed,
                              tile_x, tile_y, n_components);
                  std::map<std::string, Value> parameters = {
                    {"cell_type", name},
                    {"tile",
                     std::to_string(tile_x) + "x" + std::to_string(tile_y)}};
                  if (form != forms[0])
                    parameters["form"] = form;
                  run_spaces(choices, report, sweep, mesh, parameters);
                }
    }

    Sweep
    make_sweep(const Options &options, const Backend backend)
    {
      const auto wanted = options.list("kinds", kinds);
      const auto has    = [&](const char *kind) {
        return std::count(wanted.begin(), wanted.end(), kind) > 0;
      };
      Sweep sweep;
      sweep.backend        = backend;
      sweep.device         = options.integer("device", 0, 1023);
      sweep.application    = has("application");
      sweep.assembly       = has("assembly");
      sweep.cg             = has("cg");
      sweep.preconditioner = has("preconditioner");
      sweep.load_vector    = has("load_vector");
      sweep.preconditioners =
        options.list("preconditioners", plain_preconditioner_names());
      sweep.methods    = options.list("methods", cg_method_names());
      sweep.operators  = options.value("operators") == "all"
                           ? operator_names()
                           : options.list("operators", operator_choices());
      sweep.strategies = options.list("strategies", strategies);
      if (options.value("routes") != "default")
        sweep.routes = options.list("routes", routes);
      else if (options.value("conflicts") != "default")
        sweep.routes = {to_string(Route::scatter)};
      sweep.conflicts =
        options.value("conflicts") == "default"
          ? std::vector<std::string>{to_string(default_conflict(backend))}
          : options.list("conflicts", conflicts);
      for (const OptionSet *const set : option_sets())
        if (!set->varied_as.empty())
          {
            const std::string name = set->command_line_name();
            auto &values           = sweep.storage[set->varied_as];
            values                 = set->words().empty() ? options.list(name)
                                                          : options.list(name, set->words());
            for (const std::string &value : values)
              set->read(value);
          }
      sweep.single_entries.clear();
      for (const std::string &name : options.list("entries", entries))
        sweep.single_entries.push_back(name == "single");
      // Single entries come last: other libraries multiply those.
      std::sort(sweep.single_entries.begin(), sweep.single_entries.end());
      sweep.n_samples = options.integer("samples", 1, 100000);
      return sweep;
    }

    ExitCode
    body(const Options &options, Record &record)
    {
      const Backend backend = begin(options);
      // Options are checked before anything is made or measured.
      const Sweep sweep = make_sweep(options, backend);
      const Choices choices(options, backend);
      const double error_limit = options.real("error-limit", 0, 1e300);
      const double bandwidth   = copy_bandwidth(backend);
      open(record, options, backend, bandwidth);
      Report report(record, bandwidth, error_limit);
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
  return tessera::program::run_program(argc, argv, make_options(), body);
}
