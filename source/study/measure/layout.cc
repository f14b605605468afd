#include "layout.h"

#include <tessera/operators/descriptor.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace tessera::benchmarks
{
  using namespace program;

  namespace
  {
    /// Parameters with words that other columns or the record show.
    const std::set<std::string> hidden = {"affinity", "cell_order", "tile",
                                          "transport"};

    /// Parameters with numbers that distinguish rows.
    const std::set<std::string> shown = {"C",       "T",         "applications",
                                         "block",   "carveout",  "sigma",
                                         "threads", "threshold", "width"};

    /// True if the parameter says what was asked for; what was chosen says
    /// more.
    bool
    is_asked_for(const std::string &name)
    {
      const auto sets = option_sets();
      return std::any_of(sets.begin(), sets.end(), [&](const OptionSet *set) {
        return !set->varied_as.empty() && set->key() == name;
      });
    }

    /// Returns the numbering of degrees of freedom and the order of cells.
    std::string
    orders(const Row &row)
    {
      const auto cells = row.parameters.find("cell_order");
      return cells == row.parameters.end()
               ? row.numbering
               : row.numbering + ", " + std::get<std::string>(cells->second);
    }

    Cells
    line_of_operator(const Row &row)
    {
      Cells line = {std::to_string(row.degree),
                    row.number,
                    row.kind,
                    what(row),
                    row.backend,
                    orders(row),
                    row.strategy,
                    row.route,
                    row.conflict,
                    format_count(row.dofs),
                    format(row.gdofs_per_s),
                    format(row.gcells_per_s)};
      add_product_cells(line, row);
      return line;
    }
  } // namespace

  std::string
  percent(const double fraction)
  {
    return std::isfinite(fraction) ? format(100 * fraction, 2) : "-";
  }

  std::string
  operator_of(const Row &row)
  {
    if (row.library == "tessera")
      return row.op;
    const auto found = row.parameters.find("processes");
    const auto n =
      found == row.parameters.end() ? 1 : std::get<std::int64_t>(found->second);
    return row.library + " " + row.op +
           (n > 1 ? ", " + std::to_string(n) + " processes" : "");
  }

  std::string
  what(const Row &row)
  {
    if (row.solve)
      return operator_of(row) + " " + row.solve->preconditioner + " " +
             row.solve->method;
    std::string text =
      row.library == "tessera" ? row.op : row.library + " " + row.op;
    for (const auto &[name, value] : row.parameters)
      if (const std::string *word = std::get_if<std::string>(&value);
          word && hidden.count(name) == 0 && !is_asked_for(name))
        text += " " + *word;
      else if (shown.count(name) > 0)
        text +=
          " " + name + "=" + std::to_string(std::get<std::int64_t>(value));
    return text;
  }

  Column
  words(const std::string &name)
  {
    return {name, "", Table::Align::left};
  }

  void
  add_product_columns(Columns &columns)
  {
    const Columns more = {{"median", "us"},  {"spread", "%"}, {"model", "%"},
                          {"bytes", "GB/s"}, {"paper", "MB"}, {"paper", "GB/s"},
                          {"setup", "s"},    {"error", "eps"}};
    columns.insert(columns.end(), more.begin(), more.end());
  }

  void
  add_product_cells(Cells &line, const Row &row)
  {
    line.insert(line.end(),
                {format(1e6 * row.seconds_median, 4),
                 percent(row.seconds_spread / row.seconds_median),
                 percent(row.fraction_of_model), format(1e-9 * row.bandwidth),
                 format(1e-6 * row.paper_bytes),
                 format(1e-9 * row.paper_bytes / row.seconds_median),
                 format(row.setup_seconds), format(row.error)});
  }

  const Layout &
  operator_layout()
  {
    static const Layout layout = []() {
      Layout result = {
        {{"p"},
         words("number"),
         words("row"),
         words("operator"),
         words("backend"),
         words("numbering"),
         words("strategy"),
         words("route"),
         words("conflict"),
         {"free DoFs"},
         {"rate", "GDoF/s"},
         {"rate", "Gcells/s"}},
        line_of_operator,
        [](const Row &row) { return format(row.gdofs_per_s) + " GDoF/s"; },
        "paper: what RegulyGiles2015 counts (equations 14 to 19)",
        false};
      add_product_columns(result.columns);
      return result;
    }();
    return layout;
  }
} // namespace tessera::benchmarks
