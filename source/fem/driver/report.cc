#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/fem/driver/report.h>
#include <tessera/program/table.h>

#include <deal.II/base/convergence_table.h>
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
    const std::string section = "Validation/";

    using Cases = std::vector<const program::Case *>;

    /// The cases of one degree, by cycle.
    void
    print_convergence(const Cases &cases, std::ostream &out)
    {
      dealii::ConvergenceTable table;
      bool errors = false, all_converged = true;
      for (std::size_t cycle = 0; cycle < cases.size(); ++cycle)
        {
          const program::Case &entry = *cases[cycle];
          table.add_value("degree", entry.problem.degree);
          table.add_value("cycle", static_cast<int>(cycle));
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
          table.add_value("max error", entry.results.maximum_error);
          errors = errors || std::isfinite(entry.results.L2_error);
          const bool converged = entry.results.converged.value_or(true);
          all_converged        = all_converged && converged;
          table.add_value("converged", std::string(converged ? "yes" : "NO"));
        }
      table.set_precision("solve [s]", 3);
      std::vector<std::string> columns = {"degree", "cycle",      "cells",
                                          "DoFs",   "iterations", "solve [s]"};
      if (cases.front()->problem.colors)
        columns.insert(columns.end() - 1, "colours");
      if (!all_converged)
        columns.push_back("converged");
      if (errors)
        for (const std::string error : {"L2 error", "H1 error", "max error"})
          {
            columns.push_back(error);
            table.set_scientific(error, true);
            table.set_precision(error, 3);
            if (cases.size() > 1)
              table.evaluate_convergence_rates(
                error, "cells", dealii::ConvergenceTable::reduction_rate_log2,
                cases.front()->problem.dim);
          }
      table.set_column_order(columns);
      std::ostringstream text; // deal.II throws where `out` cannot be written
      table.write_text(text, dealii::TableHandler::table_with_headers);
      out << text.str();
    }

    std::string
    text(const std::vector<double> &point)
    {
      return program::format_point(point.data(),
                                   static_cast<int>(point.size()));
    }

    /// A row for each probe or flux of the cases, which begins with what
    /// `place` says of it; a column of values for each case that has them, as
    /// those do that converged.
    template <class Result, class Place>
    void
    print_results(program::Table table, const std::string &name, Cases cases,
                  std::vector<Result> program::Results::*list,
                  const Place &place, std::ostream &out)
    {
      cases.erase(std::remove_if(cases.begin(), cases.end(),
                                 [list](const program::Case *const entry) {
                                   return (entry->results.*list).empty();
                                 }),
                  cases.end());
      if (cases.empty())
        return;
      const auto &places = cases.front()->results.*list;
      for (const program::Case *entry : cases)
        table.add_column(name +
                         ", p = " + std::to_string(entry->problem.degree));
      for (std::size_t i = 0; i < places.size(); ++i)
        {
          std::vector<std::string> row = place(places[i]);
          for (const program::Case *entry : cases)
            row.push_back(program::format((entry->results.*list)[i].value, 8));
          table.add_row(row);
        }
      out << table.str();
    }
  } // namespace


  void
  Validation::declare(Parameters &parameters)
  {
    parameters.declare(
      section + "Maximal L2 errors", "",
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
                         const std::vector<int> &degrees,
                         const bool has_exact_solution, const int n_cycles)
    : rates(parameters.get_bool(section + "Check rates")),
      rate_tolerance(parameters.get_double(section + "Rate tolerance"))
  {
    const auto values = parameters.get_list(section + "Maximal L2 errors");
    if (!values.empty() && values.size() != degrees.size())
      throw ParameterError("'" + section + "Maximal L2 errors' has " +
                           counted(values.size(), "value") + " for " +
                           counted(degrees.size(), "degree") +
                           "; legal are none or one for each degree.");
    for (std::size_t i = 0; i < values.size(); ++i)
      L2_errors[degrees[i]] = dealii::Utilities::string_to_double(values[i]);
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
  Validation::missed(const program::Case &entry, const bool L2_resolved,
                     const bool H1_resolved) const
  {
    const int p       = entry.problem.degree;
    const auto &r     = entry.results;
    const auto number = [](const double x) { return program::format(x, 4); };
    std::vector<std::string> result;
    const auto add = [&](const std::string &what, const double is,
                         const std::string &legal) {
      result.push_back("The " + what + " of degree " + std::to_string(p) +
                       " is " + number(is) + ", " + legal + " was asked for.");
    };
    if (!L2_errors.empty() && !(r.L2_error <= L2_errors.at(p)))
      add("L2 error", r.L2_error, "at most " + number(L2_errors.at(p)));
    if (rates && L2_resolved && !(r.L2_rate >= p + 1 - rate_tolerance))
      add("L2 rate", r.L2_rate, "at least " + number(p + 1 - rate_tolerance));
    if (rates && H1_resolved && !(r.H1_rate >= p - rate_tolerance))
      add("H1 rate", r.H1_rate, "at least " + number(p - rate_tolerance));
    return result;
  }


  void
  describe_end(program::Results &results, const Solution &solution)
  {
    const CGResult &result = solution.result;
    results.iterations     = result.iterations;
    results.converged      = result.converged;
    results.ended =
      solution.failure.empty() ? describe(result) : solution.failure;
    results.residual      = result.residual;
    results.true_residual = result.true_residual;
    results.history       = program::history_of(result.history);
  }


  void
  check_balance(SolverCase &this_case, const std::string &of, const double sum,
                const double magnitude, const double all, const double given,
                const std::function<double()> &resolution)
  {
    const CGControl &control = this_case.solver.control;
    const double eps         = this_case.solver.number == "float"
                                 ? std::numeric_limits<float>::epsilon()
                                 : std::numeric_limits<double>::epsilon();
    if (!std::isfinite(all) || !std::isfinite(magnitude))
      {
        std::cerr
          << "note: " << of
          << " cannot be balanced, since a coefficient is not finite on "
             "a boundary or their magnitudes are too large."
          << std::endl;
        return;
      }
    // Where nothing but rounding is left, there is nothing to balance.
    if (std::abs(sum) <= std::max(1e-6, 1000 * eps) * all ||
        (given == 0 && all <= 1000 * eps * resolution()))
      return;
    const double explained =
      100 * std::max(control.relative_tolerance, eps) * resolution() +
      control.absolute_tolerance *
        std::sqrt(static_cast<double>(this_case.entry.problem.dofs));
    const std::string is = of + " add up to " + program::format(sum) +
                           " instead of 0, and their magnitudes to " +
                           program::format(magnitude);
    const std::string advice =
      "'Solver/Stopping norm' = scaled_residual or a smaller 'Solver/Relative "
      "tolerance' may help.";
    if (std::abs(sum) <= explained)
      std::cerr << "note: " << is
                << ", which is about what the tolerance of the solver and "
                   "rounding leave."
                << std::endl;
    else if (std::abs(sum) <= 1e-3 * magnitude)
      std::cerr << "note: " << is << ", so that few of their digits are right; "
                << advice << std::endl;
    else
      this_case.missed.push_back(is + ", so that the solution is wrong; " +
                                 advice);
  }


  void
  print_cases(const std::vector<program::Case> &all, std::ostream &out)
  {
    std::vector<Cases> degrees;
    Cases last; // of each degree
    for (const program::Case &entry : all)
      {
        if (last.empty() || last.back()->problem.degree != entry.problem.degree)
          {
            degrees.emplace_back();
            last.emplace_back();
          }
        degrees.back().push_back(&entry);
        last.back() = &entry;
      }
    for (const Cases &cases : degrees)
      print_convergence(cases, out);
    if (last.empty())
      return;

    using program::Table;
    Table probes, fluxes, quantities;
    probes.add_column("point", "", Table::Align::left);
    print_results(
      probes, "u", last, &program::Results::probes,
      [](const program::Probe &probe) -> std::vector<std::string> {
        return {text(probe.point)};
      },
      out);
    fluxes.add_column("boundary");
    fluxes.add_column("name", "", Table::Align::left);
    print_results(
      fluxes, "flux", last, &program::Results::fluxes,
      [](const program::Flux &flux) -> std::vector<std::string> {
        return {std::to_string(flux.boundary), flux.name};
      },
      out);
    quantities.add_column("quantity", "", Table::Align::left);
    quantities.add_column("place", "", Table::Align::left);
    print_results(
      quantities, "value", last, &program::Results::quantities,
      [](const program::Quantity &quantity) -> std::vector<std::string> {
        return {quantity.name, text(quantity.point)};
      },
      out);
  }
} // namespace tessera
