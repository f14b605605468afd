#include "report.h"

#include <tessera/base/error.h>
#include <tessera/study/table.h>

#include <deal.II/base/convergence_table.h>
#include <deal.II/base/utilities.h>

#include <unistd.h>

#include <cmath>
#include <iostream>
#include <sstream>

using namespace tessera;

namespace
{
  const std::string section = "Validation/";

  std::string
  coordinate(const double x)
  {
    std::ostringstream text;
    text << x;
    return text.str();
  }
} // namespace


void
progress(const std::string &text, const bool done)
{
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (terminal)
    std::cerr << "\r\033[K" << text << (done ? "\n" : "") << std::flush;
  else if (done)
    std::cerr << text << std::endl;
}


void
Validation::declare(Parameters &parameters)
{
  namespace Patterns = dealii::Patterns;
  parameters.declare(section + "Maximal L2 errors", "",
                     Patterns::List(Patterns::Double(0.), 0, 4),
                     "largest L2 error allowed in the last cycle, one for each "
                     "degree; empty: any");
  parameters.declare(section + "Check rates", "false", Patterns::Bool(),
                     "whether the errors must fall as h^(p+1) in L2 and h^p "
                     "in H1 from the last but one cycle to the last one");
  parameters.declare(section + "Rate tolerance", "0.2", Patterns::Double(0.),
                     "how much below p+1 and p the rates may be");
}


Validation::Validation(const Parameters &parameters,
                       const std::size_t n_degrees,
                       const bool has_exact_solution, const int n_cycles)
  : rates(parameters.get_bool(section + "Check rates")),
    rate_tolerance(parameters.get_double(section + "Rate tolerance"))
{
  for (const auto &value : parameters.get_list(section + "Maximal L2 errors"))
    L2_errors.push_back(dealii::Utilities::string_to_double(value));
  if (!L2_errors.empty() && L2_errors.size() != n_degrees)
    throw ParameterError("'" + section + "Maximal L2 errors' has " +
                         std::to_string(L2_errors.size()) + " values for " +
                         std::to_string(n_degrees) +
                         " degrees; legal are none or one for each degree.");
  if (!has_exact_solution && (rates || !L2_errors.empty()))
    throw ParameterError(
      "Section 'Validation' asks for errors, but "
      "'Exact solution/Function expression' is empty.");
  if (rates && n_cycles < 2)
    throw ParameterError("'" + section +
                         "Check rates' needs at least 2 'Mesh/Cycles', not " +
                         std::to_string(n_cycles) + ".");
}


bool
Validation::wanted() const
{
  return rates || !L2_errors.empty();
}


std::vector<std::string>
Validation::missed(const study::Case &entry, const std::size_t degree_index,
                   const Resolution &resolution) const
{
  const int p       = entry.problem.degree;
  const auto &r     = entry.results;
  const auto number = [](const double x) { return study::format(x, 4); };
  std::vector<std::string> result;
  const auto add = [&](const std::string &what, const double is,
                       const std::string &legal) {
    result.push_back("The " + what + " of degree " + std::to_string(p) +
                     " is " + number(is) + ", " + legal + " was asked for.");
  };
  if (!L2_errors.empty() && !(r.L2_error <= L2_errors[degree_index]))
    add("L2 error", r.L2_error, "at most " + number(L2_errors[degree_index]));
  if (rates && resolution.L2 && !(r.L2_rate >= p + 1 - rate_tolerance))
    add("L2 rate", r.L2_rate, "at least " + number(p + 1 - rate_tolerance));
  if (rates && resolution.H1 && !(r.H1_rate >= p - rate_tolerance))
    add("H1 rate", r.H1_rate, "at least " + number(p - rate_tolerance));
  return result;
}


void
Report::add(const study::Case &entry, const int cycle)
{
  if (degrees.empty() ||
      degrees.back().front().entry.problem.degree != entry.problem.degree)
    degrees.emplace_back();
  degrees.back().push_back({entry, cycle});
}


const study::Case *
Report::last_of(const int degree) const
{
  for (const auto &entries : degrees)
    if (entries.front().entry.problem.degree == degree)
      return &entries.back().entry;
  return nullptr;
}


void
Report::print(std::ostream &out) const
{
  for (const auto &entries : degrees)
    {
      dealii::ConvergenceTable table;
      bool errors = true;
      for (const auto &[entry, cycle] : entries)
        {
          table.add_value("degree", entry.problem.degree);
          table.add_value("cycle", cycle);
          table.add_value("cells",
                          static_cast<unsigned int>(entry.problem.cells));
          table.add_value("DoFs",
                          static_cast<unsigned int>(entry.problem.dofs));
          table.add_value(
            "iterations",
            static_cast<int>(entry.results.iterations.value_or(0)));
          if (entry.problem.colors)
            table.add_value("colours", static_cast<int>(*entry.problem.colors));
          table.add_value("solve [s]", entry.phases.solve);
          table.add_value("L2 error", entry.results.L2_error);
          table.add_value("H1 error", entry.results.H1_error);
          errors = errors && std::isfinite(entry.results.L2_error);
        }
      table.set_precision("solve [s]", 3);
      std::vector<std::string> columns = {"degree", "cycle",      "cells",
                                          "DoFs",   "iterations", "solve [s]"};
      if (entries.front().entry.problem.colors)
        columns.insert(columns.end() - 1, "colours");
      if (errors)
        for (const std::string error : {"L2 error", "H1 error"})
          {
            columns.push_back(error);
            table.set_scientific(error, true);
            table.set_precision(error, 3);
            if (entries.size() > 1)
              table.evaluate_convergence_rates(
                error, "cells", dealii::ConvergenceTable::reduction_rate_log2,
                entries.front().entry.problem.dim);
          }
      table.set_column_order(columns);
      table.write_text(out, dealii::TableHandler::table_with_headers);
    }
  if (!degrees.empty())
    {
      print_probes(out);
      print_fluxes(out);
    }
}


void
Report::print_probes(std::ostream &out) const
{
  const auto &probes = degrees.front().back().entry.results.probes;
  if (probes.empty())
    return;
  study::Table table;
  table.add_column("point", "", study::Table::Align::left);
  for (const auto &entries : degrees)
    table.add_column("u, p = " +
                     std::to_string(entries.back().entry.problem.degree));
  for (std::size_t i = 0; i < probes.size(); ++i)
    {
      std::string point;
      for (const double x : probes[i].point)
        point += (point.empty() ? "" : ", ") + coordinate(x);
      std::vector<std::string> row = {point};
      for (const auto &entries : degrees)
        row.push_back(
          study::format(entries.back().entry.results.probes[i].value, 8));
      table.add_row(row);
    }
  out << table.str();
}


void
Report::print_fluxes(std::ostream &out) const
{
  const auto &fluxes = degrees.front().back().entry.results.fluxes;
  if (fluxes.empty())
    return;
  study::Table table;
  table.add_column("boundary");
  table.add_column("name", "", study::Table::Align::left);
  for (const auto &entries : degrees)
    table.add_column("flux, p = " +
                     std::to_string(entries.back().entry.problem.degree));
  for (std::size_t i = 0; i < fluxes.size(); ++i)
    {
      std::vector<std::string> row = {std::to_string(fluxes[i].boundary),
                                      fluxes[i].name};
      for (const auto &entries : degrees)
        row.push_back(
          study::format(entries.back().entry.results.fluxes[i].value, 8));
      table.add_row(row);
    }
  out << table.str();
}
