// Measures operators, assembly and conjugate gradients on distorted meshes. The
// sweep covers degrees, number types, operators, numberings, cell orders,
// tiles, strategies, routes and conflict handling; each row has its error. On
// the device, rows of cuSPARSE stand beside ours.
#include "engine.h"
#include "oracle.h"
#include "row_choices.h"
#include "sweep.h"
#include "work.h"

#include <tessera/base/error.h>
#include <tessera/operators/factory.h>
#include <tessera/program/program.h>
#include <tessera/program/text.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

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

    const Factors &
    factors()
    {
      static const Factors all = []() {
        Factors lists = {
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

    const Names of_meshes = {"Forms", "Cell types", "Degrees",
                             "Degrees of freedom", "Tiles"};
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
          std::fill_n(study.values.begin(), of_meshes.size(), Names{""});
          study.values.front() = files;
        }
      Names some = of_meshes;
      some.push_back("Coefficients");
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

    /// What is made for the sweeps of a study.
    class Spaces
    {
    public:
      Spaces(const Study &study, const Sweep &sweep, Report &report)
        : study(study), sweep(sweep), report(report)
      {}

      void
      run(const Variants &all)
      {
        run_levels(
          all,
          {{of_meshes, [this](Variants &group) { make_mesh(group); }},
           {{"Coefficients"}, [this](Variants &group) { make_x(group); }},
           {of_spaces, [this](Variants &group) { make_space(group.front()); }},
           {of_sweeps, [this](Variants &group) { measure(group.front()); }}});
      }

    private:
      /// A row of a mesh of a file has the file's name without folder and
      /// ending.
      void
      make_mesh(Variants &group)
      {
        const Variant of = group.front();
        mesh             = {};
        common           = {};
        auto &shown      = common.parameters;
        if (of["Cell types"].empty())
          {
            const std::string &file = of["Forms"];
            mesh                    = read_mesh(file);
            shown["mesh"] = std::filesystem::path(file).stem().string();
          }
        else
          {
            const CellType type = cell_type_from_string(of["Cell types"]);
            const int degree    = std::stoi(of["Degrees"]);
            const double n_dofs = std::stod(of["Degrees of freedom"]);
            const auto sides    = sides_of(of["Tiles"]);
            const int n         = of["Forms"] == forms[0] ? 1 : dimension(type);
            if (degree > max_degree(type))
              return group.clear();
            check_mesh(type, n_dofs, degree, n);
            mesh = benchmarks::make_mesh(type, n_dofs, degree, study.seed,
                                         sides[0], sides[1], n);
            shown["tile"] = of["Tiles"];
          }
        shown["cell_type"] = to_string(mesh.cell_type);
        common.case_name =
          to_string(mesh.cell_type) + ", degree " + std::to_string(mesh.degree);
        if (mesh.n_components > 1)
          {
            shown["form"]    = forms[1];
            common.case_name = "elasticity, " + common.case_name;
          }
        common.backend = to_string(sweep.backend);
        common.degree  = mesh.degree;
      }

      /// Makes x and the reference of its products. A row names coefficients
      /// that are not uniform.
      void
      make_x(Variants &group)
      {
        const std::string name = group.front()["Coefficients"];
        const auto variation   = static_cast<Variation>(
          std::find(coefficients.begin(), coefficients.end(), name) -
          coefficients.begin());
        common.parameters.erase("coefficient");
        if (variation != Variation::uniform)
          {
            if (mesh.n_components > 1)
              return group.clear();
            common.parameters["coefficient"] = name;
          }
        oracle = {};
        oracle = make_oracle(mesh, study.seed, variation);
      }

      void
      make_space(const Variant &of)
      {
        const std::string &side = of["Block sides"];
        space.reset();
        space = std::make_shared<const Space>(build_space(
          mesh, of["Numberings"], cell_order_from_string(of["Cell orders"]),
          side.empty() ? default_block_side : std::stoi(side)));
      }

      /// Measures one number type. What a form is not compiled for is left out.
      void
      measure(const Variant &of)
      {
        Row row                      = common;
        row.number                   = of["Numbers"];
        row.numbering                = space->numbering;
        row.dofs                     = n_free_entries(*space);
        row.cells                    = space->n_cells();
        row.parameters["cell_order"] = to_string(space->cell_order);
        if (space->cell_order == CellOrder::blocked)
          row.parameters["block"] = std::int64_t(space->block_side);
        try
          {
            run_sweep(sweep, report, oracle, space, row, of["Shared memory"]);
          }
        catch (const ParameterError &error)
          {
            std::cerr << "left out: " << error.what() << std::endl;
          }
      }

      const Study &study;
      const Sweep &sweep;
      Report &report;
      Connectivity mesh;
      Row common; ///< what rows of the mesh share
      Oracle oracle;
      std::shared_ptr<const Space> space;
    };

    Sweep
    make_sweep(const Study &study, const Backend backend, const int device)
    {
      Sweep sweep;
      sweep.backend = backend;
      sweep.device  = device;
      sweep.kinds   = read_names(study.parameters, "Study/Kinds", kinds);
      sweep.preconditioners = study["Preconditioners"];
      sweep.methods         = study["Methods"];
      sweep.operators       = study["Operators"];
      sweep.strategies      = study["Strategies"];
      sweep.routes          = study["Routes"];
      sweep.conflicts       = study["Conflicts"];
      resolve_defaults(sweep);
      for (const FactorEntry &list : factors())
        if (list.set != nullptr)
          sweep.storage[list.name] = study[list.name];
      // Single entries come last: other libraries multiply those.
      sweep.single_entries.clear();
      for (const bool single : {false, true})
        if (contains(study["Entries"], single ? "single" : "blocks"))
          sweep.single_entries.push_back(single);
      sweep.n_samples = study.n_samples;
      return sweep;
    }

    ExitCode
    body(const Parameters &parameters, const CommandLine &line, Record &record)
    {
      const Backend backend = begin(line);
      // Parameters are checked before anything is made or measured.
      Study study(parameters, factors());
      const Variants all = variants_of(study);
      const Sweep sweep  = make_sweep(study, backend, line.device);
      if (line.validate)
        return valid();
      const double bandwidth = copy_bandwidth(backend);
      open(record, parameters, line, backend, bandwidth);
      Report report(record, bandwidth, study.error_limit);
      return finish(record, report, [&]() {
        Spaces(study, sweep, report).run(all);
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
