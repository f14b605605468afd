#include "../mesh/mesh_tools.h"
#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>
#include <tessera/fem/fields/sampling.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <sstream>

namespace tessera
{
  namespace
  {
    constexpr int n_lines = 4; // more are declared where they are set

    const std::string quantities_entry = "Output/Quantities",
                      of_cell          = "_in_cell";

    std::string
    line_section(const int number)
    {
      return "Output/Line " + std::to_string(number);
    }

    /// Returns a row of a file: exact numbers, and "nan" for missing ones.
    std::string
    row(const std::vector<double> &values)
    {
      std::ostringstream out;
      out.precision(std::numeric_limits<double>::max_digits10);
      for (std::size_t i = 0; i < values.size(); ++i)
        {
          out << (i == 0 ? "" : ",");
          if (std::isfinite(values[i]))
            out << values[i];
          else
            out << "nan";
        }
      return out.str() + '\n';
    }

    template <int dim>
    std::string
    coordinate_names()
    {
      return dim == 2 ? "x,y" : "x,y,z";
    }

    template <int dim>
    std::vector<double>
    coordinates(const dealii::Point<dim> &point)
    {
      return std::vector<double>(point.begin_raw(), point.end_raw());
    }

    /// Appends columns of values, [n_points][n_names].
    void
    append_columns(std::vector<Samples> &samples,
                   const std::vector<std::string> &names,
                   const std::vector<double> &values)
    {
      const std::size_t n = names.size();
      for (std::size_t k = 0; k < n; ++k)
        {
          samples.push_back({names[k], {}});
          for (std::size_t i = k; i < values.size(); i += n)
            samples.back().values.push_back(values[i]);
        }
    }

    /// Matches lists of the names by which derived quantities are asked for.
    Pattern
    quantities(const std::vector<std::string> &derived)
    {
      std::string words, list;
      for (const std::string &name : derived)
        for (const std::string &end : {std::string(), of_cell})
          {
            words += (words.empty() ? "" : "|") + name + end;
            list += (list.empty() ? "" : ", ") + name + end;
          }
      Pattern result = Patterns::List(Patterns::Selection(words));
      result.legal   = "A comma-separated list of any of " + list;
      return result;
    }
  } // namespace


  std::vector<std::string>
  component_names(const unsigned int n)
  {
    if (n == 1)
      return {"u"};
    std::vector<std::string> names;
    for (unsigned int c = 0; c < n; ++c)
      names.push_back(std::string("u_") + "xyz"[c]);
    return names;
  }


  template <int dim>
  dealii::Point<dim>
  read_point(const std::string &value, const std::string &entry)
  {
    const auto parts = dealii::Utilities::split_string_list(value, ',');
    dealii::Point<dim> point;
    bool legal = parts.size() == dim;
    for (int d = 0; legal && d < dim; ++d)
      {
        char *end = nullptr;
        point[d]  = std::strtod(parts[d].c_str(), &end);
        legal = !parts[d].empty() && *end == '\0' && std::isfinite(point[d]);
      }
    if (!legal)
      throw ParameterError(
        "'" + value + "' in '" + entry + "' is not a point; legal are " +
        std::to_string(dim) + " finite numbers separated by commas.");
    return point;
  }


  template <int dim>
  void
  Sampling<dim>::declare(Parameters &parameters,
                         const std::vector<std::string> &derived)
  {
    parameters.declare("Output/Probes", "", Patterns::Anything(),
                       "points x, y; x, y; ... (x, y, z in three dimensions) "
                       "at which u is printed, recorded and written to "
                       "probes.csv");
    if (!derived.empty())
      parameters.declare(
        quantities_entry, "", quantities(derived),
        "what probes and lines have besides u, a list; NAME is smoothed: "
        "averages at nodes of the values of their cells, weighted with the "
        "volumes of the cells; NAME" +
          of_cell + " is the value of the cell at the point");
    parameters.declare_any_number("Output/Line");
    for (int i = 1; i <= n_lines; ++i)
      {
        const std::string section = line_section(i);
        parameters.declare(section + "/From", "", Patterns::Anything(),
                           "first point of a line, x, y or x, y, z; u and "
                           "the quantities along it are written to a file "
                           ".csv; empty: no line");
        parameters.declare(section + "/To", "", Patterns::Anything(),
                           "last point of the line");
        parameters.declare(section + "/Points", "101",
                           Patterns::Integer(2, 1000000),
                           "equidistant points of the line, with both ends");
      }
  }


  template <int dim>
  Sampling<dim>::Sampling(const Parameters &parameters)
  {
    const std::string entry = "Output/Probes";
    if (!parameters.get(entry).empty())
      for (const auto &point :
           dealii::Utilities::split_string_list(parameters.get(entry), ';'))
        probes.push_back(read_point<dim>(point, entry));
    for (const int i : parameters.numbers("Output/Line"))
      {
        const std::string section = line_section(i);
        const std::string from    = parameters.get(section + "/From"),
                          to      = parameters.get(section + "/To");
        if (from.empty() && to.empty())
          continue;
        if (from.empty() || to.empty())
          throw ParameterError("Section '" + section + "' has '" +
                               (from.empty() ? "To" : "From") + "' but not '" +
                               (from.empty() ? "From" : "To") +
                               "'; a line has both.");
        const auto a = read_point<dim>(from, section + "/From"),
                   b = read_point<dim>(to, section + "/To");
        const int n  = parameters.get_integer(section + "/Points");
        if (a.distance(b) == 0)
          throw ParameterError("The line of section '" + section +
                               "' has no length: both ends are " +
                               mesh_tools::place(a) + '.');
        lines.push_back({section, i, {}});
        for (int k = 0; k < n; ++k)
          {
            const double s = double(k) / (n - 1);
            lines.back().points.push_back((1 - s) * a + s * b);
          }
      }
    if (!parameters.is_given(quantities_entry))
      return;
    for (const std::string &name : parameters.get_list(quantities_entry))
      {
        const bool in_cell = name.size() > of_cell.size() &&
                             name.compare(name.size() - of_cell.size(),
                                          of_cell.size(), of_cell) == 0;
        auto &list = in_cell ? in_cells : smoothed;
        const std::string quantity =
          in_cell ? name.substr(0, name.size() - of_cell.size()) : name;
        if (std::count(list.begin(), list.end(), quantity) > 0)
          throw ParameterError("'" + name + "' is there twice in '" +
                               quantities_entry + "'.");
        list.push_back(quantity);
      }
    if (probes.empty() && lines.empty() &&
        smoothed.size() + in_cells.size() > 0)
      throw ParameterError(
        "'" + quantities_entry + "' says what '" + entry +
        "' and the lines 'Output/Line 1' and so on have, but there are none.");
  }


  template <int dim>
  PointLocator<dim>
  Sampling<dim>::locate(const CellNodes<dim> &cells,
                        std::ostream *const out) const
  {
    std::vector<dealii::Point<dim>> points = probes;
    for (const Line &line : lines)
      points.insert(points.end(), line.points.begin(), line.points.end());
    PointLocator<dim> locator(cells, points);
    for (std::size_t i = 0; i < probes.size(); ++i)
      locator.check(i, "Output/Probes", out);
    std::size_t first = probes.size();
    for (const Line &line : lines)
      {
        bool some = false;
        for (std::size_t i = 0; i < line.points.size(); ++i)
          some = some || locator.inside(first + i);
        if (!some)
          throw ParameterError("The line of section '" + line.section +
                               "', from " +
                               mesh_tools::place(line.points.front()) + " to " +
                               mesh_tools::place(line.points.back()) +
                               ", has no point in the mesh.");
        first += line.points.size();
      }
    return locator;
  }


  template <int dim>
  void
  Sampling<dim>::check(const CellNodes<dim> &cells) const
  {
    if (!probes.empty() || !lines.empty())
      locate(cells, &std::cerr);
  }


  template <int dim>
  std::vector<Samples>
  Sampling<dim>::sample(const PointLocator<dim> &locator,
                        const SampledSolution<dim> &solution) const
  {
    std::vector<Samples> samples;
    append_columns(samples, component_names(solution.cells.n_components()),
                   locator.values(solution.u));
    if (!smoothed.empty())
      {
        const auto derived = solution.derive(smoothed);
        const auto fields  = smooth(*derived, solution.cells);
        const auto names   = derived->columns();
        for (std::size_t k = 0; k < names.size(); ++k)
          samples.push_back({names[k], locator.values(fields[k])});
      }
    if (!in_cells.empty())
      {
        const auto derived = solution.derive(in_cells);
        auto names         = derived->columns();
        for (std::string &name : names)
          name += of_cell;
        append_columns(samples, names, locator.values_in_cells(*derived));
      }
    return samples;
  }


  template <int dim>
  std::vector<Samples>
  Sampling<dim>::write(const SampledSolution<dim> &solution,
                       const std::string &folder, const std::string &name)
  {
    if (probes.empty() && lines.empty())
      return {};
    const auto locator = locate(solution.cells, nullptr);
    const auto samples = sample(locator, solution);
    if (solution.cells.division().writes())
      write_files(locator, samples, folder, name);
    return samples;
  }


  template <int dim>
  void
  Sampling<dim>::write_files(const PointLocator<dim> &locator,
                             const std::vector<Samples> &samples,
                             const std::string &folder, const std::string &name)
  {
    const auto add = [&](std::vector<double> &columns, const std::size_t at) {
      for (const Samples &column : samples)
        columns.push_back(column.values[at]);
    };
    std::string names;
    for (const Samples &column : samples)
      names += ',' + column.name;
    std::size_t at = 0;
    for (const auto &point : probes)
      {
        auto columns = coordinates(point);
        add(columns, at++);
        probe_rows += name + ',' + row(columns);
      }
    if (!probes.empty())
      write_file(folder + "/probes.csv", "file", [&](std::ostream &out) {
        out << "case," << coordinate_names<dim>() << names << '\n'
            << probe_rows;
      });
    for (const Line &line : lines)
      {
        std::string rows = "s," + coordinate_names<dim>() + names + '\n';
        for (const auto &point : line.points)
          {
            auto columns = coordinates(point);
            columns.insert(columns.begin(),
                           point.distance(line.points.front()));
            if (locator.inside(at))
              add(columns, at);
            else
              columns.insert(columns.end(), samples.size(),
                             std::numeric_limits<double>::quiet_NaN());
            rows += row(columns);
            ++at;
          }
        write_file(folder + "/line" + std::to_string(line.number) + '_' + name +
                     ".csv",
                   "file", [&](std::ostream &out) { out << rows; });
      }
  }


  template dealii::Point<2>
  read_point<2>(const std::string &, const std::string &);
  template dealii::Point<3>
  read_point<3>(const std::string &, const std::string &);
  template class Sampling<2>;
  template class Sampling<3>;
} // namespace tessera
