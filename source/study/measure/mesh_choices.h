#pragma once

#include "oracle.h"

#include <tessera/base/backend.h>
#include <tessera/base/error.h>
#include <tessera/program/options.h>
#include <tessera/space/numbering.h>

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The meshes and spaces of bench_operators, as its options name them.
namespace tessera::benchmarks
{
  inline const std::vector<std::string> numbers = {"double", "float"};

#define TESSERA_CELL_ORDER(name, sentence) #name,
  inline const std::vector<std::string> cell_orders = {
#include <tessera/space/cell_orders.def>
  };
#undef TESSERA_CELL_ORDER

  inline const std::vector<std::string> forms = {"laplace", "elasticity"};
  inline const std::vector<std::string> coefficients = {
    to_string(Variation::uniform), to_string(Variation::cell),
    to_string(Variation::point), to_string(Variation::tensor)};

  inline const std::vector<std::string> cell_types = {
    to_string(CellType::quadrilateral), to_string(CellType::hexahedron),
    to_string(CellType::triangle), to_string(CellType::tetrahedron)};

  /// Returns the tiles as (x, y).
  inline std::vector<std::pair<int, int>>
  tiles(const program::Options &options)
  {
    std::vector<std::pair<int, int>> result;
    for (const std::string &text : options.list("tiles"))
      {
        int x = -1, y = -1;
        char end = 0;
        if (std::sscanf(text.c_str(), "%dx%d%c", &x, &y, &end) != 2 || x < 0 ||
            y < 0)
          throw ParameterError("The option --tiles was given '" + text +
                               "'; it takes tiles like 8x4.");
        result.emplace_back(x, y);
      }
    return result;
  }

  /// Says how a space is made from a mesh.
  struct Layout
  {
    std::string numbering;
    CellOrder order;
    int block_side;
  };

  /// Returns all layouts that are asked for, each once.
  inline std::vector<Layout>
  layouts(const program::Options &options)
  {
    const std::vector<int> sides =
      options.integers("numbering-blocks", 1, max_block_side);
    std::vector<Layout> result;
    for (const std::string &numbering :
         options.list("numberings", numbering_names()))
      {
        bool has_blocks = false;
        for (const std::string &order_name :
             options.list("cell-orders", cell_orders))
          {
            const CellOrder order = cell_order_from_string(order_name);
            if (!goes_by_blocks(numbering, order))
              result.push_back({numbering, order, default_block_side});
            else if (!std::exchange(has_blocks, true))
              for (const int side : sides)
                result.push_back({numbering, CellOrder::blocked, side});
          }
      }
    return result;
  }

  /// The meshes and spaces of a sweep.
  struct Choices
  {
    /// Throws ParameterError for an option that is not legal.
    Choices(const program::Options &options, const Backend backend)
      : of_files(options.given("spaces")), files(options.list("spaces")),
        form_names(options.list("forms", forms)),
        type_names(options.list("cell-types", cell_types)),
        degrees(options.integers("degrees", 1, 4)), shapes(tiles(options)),
        coefficient_names(options.list("coefficients", coefficients)),
        ways(layouts(options)),
        carveouts(options.integers_or_auto("carveouts", 100)),
        number_names(options.list("numbers", numbers)),
        seed(options.integer("seed", 0, 1 << 30)),
        n_dofs(options.given("dofs")      ? options.real("dofs", 1, 1e9)
               : backend == Backend::cuda ? 16e6
                                          : 1e6)
    {}

    bool of_files; ///< meshes are those of `files` and not generated
    std::vector<std::string> files;
    std::vector<std::string> form_names, type_names;
    std::vector<int> degrees;
    std::vector<std::pair<int, int>> shapes; ///< of tiles
    std::vector<std::string> coefficient_names;
    std::vector<Layout> ways;
    std::vector<std::optional<int>> carveouts;
    std::vector<std::string> number_names;
    int seed;
    double n_dofs;
  };
} // namespace tessera::benchmarks
