#include "mesh_tools.h"

#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/program/nearest.h>

#include <deal.II/base/utilities.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/manifold_lib.h>

#include <unistd.h>

#include <cmath>
#include <sstream>

namespace tessera
{
  namespace
  {
    const std::string separators = ":;,=";

    struct Grid
    {
      std::string name;
      std::string arguments[2]; ///< in two and three dimensions, or empty

      const std::string &
      of(const int dim) const
      {
        return arguments[dim - 2];
      }
    };

    const std::vector<Grid> &
    grids()
    {
      static const std::vector<Grid> list = {
        {"hyper_cube", {"0.0 : 1.0 : false", "0.0 : 1.0 : false"}},
        {"subdivided_hyper_cube",
         {"3 : 0.0 : 1.0 : false", "3 : 0.0 : 1.0 : false"}},
        {"hyper_rectangle",
         {"0.0, 0.0 : 2.0, 1.0 : false",
          "0.0, 0.0, 0.0 : 2.0, 1.0, 1.0 : false"}},
        {"subdivided_hyper_rectangle",
         {"4, 2 : 0.0, 0.0 : 2.0, 1.0 : false",
          "4, 2, 2 : 0.0, 0.0, 0.0 : 2.0, 1.0, 1.0 : false"}},
        {"general_cell",
         {"0.0, 0.0 ; 1.0, 0.0 ; 0.1, 1.0 ; 1.2, 1.3 : false",
          "0.0, 0.0, 0.0 ; 1.0, 0.0, 0.0 ; 0.0, 1.0, 0.0 ; 1.0, 1.0, 0.0 ; "
          "0.0, 0.0, 1.0 ; 1.0, 0.0, 1.0 ; 0.0, 1.0, 1.1 ; 1.0, 1.1, 1.0 : "
          "false"}},
        {"simplex",
         {"0.0, 0.0 ; 1.0, 0.0 ; 0.0, 1.0",
          "0.0, 0.0, 0.0 ; 1.0, 0.0, 0.0 ; 0.0, 1.0, 0.0 ; 0.0, 0.0, 1.0"}},
        {"truncated_cone", {"1.0 : 0.5 : 1.0", "1.0 : 0.5 : 1.0"}},
        {"hyper_cross", {"1, 1, 1, 1 : false", "1, 1, 1, 1, 1, 1 : false"}},
        {"hyper_L", {"-1.0 : 1.0 : false", "-1.0 : 1.0 : false"}},
        {"hyper_cube_slit", {"0.0 : 1.0 : false", "0.0 : 1.0 : false"}},
        {"enclosed_hyper_cube",
         {"0.0 : 1.0 : 0.5 : false", "0.0 : 1.0 : 0.5 : false"}},
        {"cheese", {"2, 2", "2, 2, 2"}},
        {"plate_with_a_hole",
         {"0.4 : 1.0 : 2.0 : 2.0 : 2.0 : 2.0 : 0.0, 0.0 : 0 : 1 : 1.0 : 2 : "
          "false",
          "0.4 : 1.0 : 2.0 : 2.0 : 2.0 : 2.0 : 0.0, 0.0, 0.0 : 0 : 1 : 1.0 : "
          "2 : false"}},
        {"channel_with_cylinder",
         {"0.03 : 2 : 2.0 : false", "0.03 : 2 : 2.0 : false"}},
        {"hyper_ball", {"0.0, 0.0 : 1.0 : true", "0.0, 0.0, 0.0 : 1.0 : true"}},
        {"hyper_ball_balanced", {"0.0, 0.0 : 1.0", "0.0, 0.0, 0.0 : 1.0"}},
        {"half_hyper_ball", {"0.0, 0.0 : 1.0", "0.0, 0.0, 0.0 : 1.0"}},
        {"quarter_hyper_ball", {"0.0, 0.0 : 1.0", "0.0, 0.0, 0.0 : 1.0"}},
        {"cylinder", {"", "1.0 : 1.0"}},
        {"subdivided_cylinder", {"", "2 : 1.0 : 1.0"}},
        {"cylinder_shell", {"", "1.0 : 0.5 : 1.0 : 6 : 1"}},
        {"hyper_shell",
         {"0.0, 0.0 : 0.5 : 1.0 : 0 : false",
          "0.0, 0.0, 0.0 : 0.5 : 1.0 : 0 : false"}},
        {"half_hyper_shell",
         {"0.0, 0.0 : 0.5 : 1.0 : 0 : false",
          "0.0, 0.0, 0.0 : 0.5 : 1.0 : 0 : false"}},
        {"quarter_hyper_shell",
         {"0.0, 0.0 : 0.5 : 1.0 : 0 : false",
          "0.0, 0.0, 0.0 : 0.5 : 1.0 : 0 : false"}},
        {"eccentric_hyper_shell",
         {"0.0, 0.0 : 0.1, 0.0 : 0.5 : 1.0 : 12",
          "0.0, 0.0, 0.0 : 0.1, 0.0, 0.0 : 0.5 : 1.0 : 6"}},
        {"concentric_hyper_shells",
         {"0.0, 0.0 : 0.5 : 1.0 : 2 : 0.0 : 12 : false",
          "0.0, 0.0, 0.0 : 0.5 : 1.0 : 2 : 0.0 : 6 : false"}},
        {"torus", {"", "2.0 : 0.5 : 6 : 6.283185307179586"}},
        {"moebius", {"", "8 : 1 : 4.0 : 1.0"}}};
      return list;
    }


    const Grid &
    find_grid(const std::string &name)
    {
      std::vector<std::string> names;
      for (const auto &grid : grids())
        {
          if (grid.name == name)
            return grid;
          names.push_back(grid.name);
        }
      const std::string near = program::nearest(name, names);
      throw ParameterError("There is no grid '" + name +
                           "' for 'Mesh/Grid name'" +
                           (near.empty() ? "; legal are " + list_of(names) + '.'
                                         : "; did you mean '" + near + "'?"));
    }


    /// Returns the separators of a text.
    std::string
    skeleton(const std::string &arguments)
    {
      std::string result;
      for (const char c : arguments)
        if (separators.find(c) != std::string::npos)
          result += c;
      return result;
    }


    std::vector<std::string>
    tokens_of(std::string arguments)
    {
      for (char &c : arguments)
        if (separators.find(c) != std::string::npos)
          c = ':';
      return dealii::Utilities::split_string_list(arguments, ':');
    }


    bool
    is_whole(const std::string &token)
    {
      return !token.empty() && token.size() < 8 &&
             token.find_first_not_of("0123456789") == std::string::npos;
    }


    /// Returns true if deal.II can make this grid and no length asks for more
    /// than about a million cells. The arguments must be of the right kind.
    bool
    makes_sense(const int dim, const std::string &name,
                const std::vector<std::string> &tokens)
    {
      const auto number = [&tokens](const int i) {
        return std::strtod(tokens[i].c_str(), nullptr);
      };
      if (name == "hyper_cube")
        return number(0) < number(1);
      if (name == "subdivided_hyper_cube")
        return number(1) < number(2);
      if (name == "channel_with_cylinder") // limits its shells
        return 0 < number(0) && number(0) < 0.05 && 0 <= number(2) &&
               number(2) < 100;
      if (name == "plate_with_a_hole") // limits cells of pads
        {
          if (!(0 < number(0) && number(0) < number(1)))
            return false;
          for (int i = 0; i < 6; ++i)
            if (!(number(i) >= 0. && number(i) <= 1e3 * number(1)))
              return false;
        }
      else if (name == "truncated_cone") // limits its length
        return number(2) <= 1e3 * std::max(number(0), number(1));
      else if (name.find("hyper_shell") != std::string::npos)
        {
          // Radii follow the centre, or the two centres of the eccentric shell.
          const int i = name == "eccentric_hyper_shell" ? 2 * dim : dim;
          if (!(number(i) > 0. && number(i) < number(i + 1)))
            return false;
          if (dim == 2 || name.find("half") == 0 || name.find("quarter") == 0)
            return true;
          const auto n = std::find_if(tokens.rbegin(), tokens.rend(), is_whole);
          for (const std::string legal : {"0", "6", "12", "24", "48", "96"})
            if (n != tokens.rend() && *n == legal)
              return true;
          return false;
        }
      return true;
    }


    /// Returns true if the arguments are of the same kind as the example's, so
    /// that deal.II throws no error of its own. Sets `n_cells` to a bound of
    /// the number of cells.
    bool
    fits(const int dim, const Grid &grid, const std::string &arguments,
         double &n_cells)
    {
      const std::string &example = grid.of(dim);
      const auto given = tokens_of(arguments), shown = tokens_of(example);
      if (skeleton(arguments) != skeleton(example) ||
          given.size() != shown.size())
        return false;
      n_cells = 1.;
      for (std::size_t i = 0; i < given.size(); ++i)
        if (is_whole(shown[i]))
          {
            if (!is_whole(given[i]) || (shown[i] != "0" && given[i] == "0"))
              return false;
            n_cells *= std::max(1., std::stod(given[i]));
          }
        else if (shown[i] != "true" && shown[i] != "false")
          {
            char *end          = nullptr;
            const double value = std::strtod(given[i].c_str(), &end);
            if (given[i].empty() || *end != 0 || !(std::abs(value) < 1e30))
              return false;
          }
      if (grid.name == "cheese") // 2 n + 1 cells for n holes
        {
          n_cells = 1.;
          for (const auto &token : given)
            n_cells *= 2. * std::stod(token) + 1.;
        }
      if (grid.name == "subdivided_hyper_cube")
        n_cells = std::pow(n_cells, dim);
      return makes_sense(dim, grid.name, given);
    }
  } // namespace


  std::vector<GridExample>
  grid_examples(const int dim)
  {
    std::vector<GridExample> examples;
    for (const auto &grid : grids())
      if (!grid.of(dim).empty())
        examples.push_back({grid.name, grid.of(dim)});
    return examples;
  }


  namespace mesh_tools
  {
    void
    check_memory(const double n_cells, const std::string &source,
                 const std::string &remedy)
    {
      constexpr double bytes_per_cell = 200.; // deal.II needs more
      const double memory =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
      if (n_cells < 2147483648. && n_cells * bytes_per_cell < memory)
        return;
      std::ostringstream text;
      text.precision(2);
      text << "The " << source << " would have about " << n_cells
           << " cells, more than the " << std::floor(memory / (1 << 30))
           << " GiB of memory of this machine can hold; choose " << remedy
           << '.';
      throw Error(ExitCode::device, text.str());
    }


    int
    grid_dimension(const std::string &name, const std::string &arguments)
    {
      const Grid &grid = find_grid(name);
      const auto shape = skeleton(arguments);
      const bool is_3  = grid.of(2).empty() || (shape != skeleton(grid.of(2)) &&
                                               shape == skeleton(grid.of(3)));
      return is_3 ? 3 : 2;
    }


    template <int dim>
    void
    generate(Mesh<dim> &mesh, const std::string &name,
             const std::string &arguments)
    {
      const Grid &grid = find_grid(name);
      mesh.source      = "grid " + name + "(" + arguments + ")";
      if (grid.of(dim).empty())
        throw ParameterError("The grid '" + name +
                             "' of 'Mesh/Grid name' does not exist in " +
                             std::to_string(dim) + " dimensions.");
      double n_cells  = 0.;
      bool successful = fits(dim, grid, arguments, n_cells);
      if (successful)
        {
          check_memory(n_cells, mesh.source);
          try
            {
              dealii::GridGenerator::generate_from_name_and_arguments(
                mesh.triangulation(), name, arguments);
            }
          catch (const std::bad_alloc &)
            {
              throw;
            }
          catch (const std::exception &)
            {
              successful = false;
            }
        }
      if (!successful)
        throw ParameterError(
          "The value '" + arguments +
          "' of 'Mesh/Grid arguments' does not fit the grid " + name + " in " +
          std::to_string(dim) + " dimensions; these do, for example: '" +
          grid.of(dim) + "'.");
      for (const auto id : mesh.triangulation().get_manifold_ids())
        if (id != dealii::numbers::flat_manifold_id &&
            dynamic_cast<const dealii::FlatManifold<dim> *>(
              &mesh.triangulation().get_manifold(id)) == nullptr)
          mesh.curved = true;
    }


    template void
    generate(Mesh<2> &, const std::string &, const std::string &);
    template void
    generate(Mesh<3> &, const std::string &, const std::string &);
  } // namespace mesh_tools
} // namespace tessera
