#include "report.h"
#include "counters.h"

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/operators/descriptor.h>
#include <tessera/program/program.h>

#include <cmath>
#include <iostream>
#include <new>

namespace tessera::benchmarks
{
  using namespace program;

  namespace
  {
    std::string
    percent(const double fraction)
    {
      return std::isfinite(fraction) ? format(100 * fraction, 2) : "-";
    }

    /// Parameters with words that other columns or the record show.
    const std::set<std::string> hidden = {"affinity", "cell_order", "tile",
                                          "transport"};

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

    /// Parameters with numbers that distinguish rows.
    const std::set<std::string> shown = {"C",       "T",         "applications",
                                         "block",   "carveout",  "sigma",
                                         "threads", "threshold", "width"};

    /// Returns the numbering of degrees of freedom and the order of cells.
    std::string
    orders(const Row &row)
    {
      const auto cells = row.parameters.find("cell_order");
      return cells == row.parameters.end()
               ? row.numbering
               : row.numbering + ", " + std::get<std::string>(cells->second);
    }

    /// Returns the operator of a solve with the library and its processes,
    /// if there are several.
    std::string
    operator_of_solve(const Row &row)
    {
      if (row.library == "tessera")
        return row.op;
      const auto found = row.parameters.find("processes");
      const auto n     = found == row.parameters.end()
                           ? 1
                           : std::get<std::int64_t>(found->second);
      return row.library + " " + row.op +
             (n > 1 ? ", " + std::to_string(n) + " processes" : "");
    }

    /// The line of a row of the kind `solve`.
    std::vector<std::string>
    line_of_solve(const Row &row, const std::string &verdict)
    {
      const Solve none, &solve = row.solve ? *row.solve : none;
      const auto degree = row.parameters.find("polynomial_degree");
      return {
        row.case_name,
        row.number,
        operator_of_solve(row),
        solve.preconditioner +
          (degree == row.parameters.end()
             ? ""
             : " " + std::to_string(std::get<std::int64_t>(degree->second))),
        solve.method,
        row.backend,
        format_count(row.dofs),
        !solve.iterations
          ? "-"
          : format_count(*solve.iterations) + (solve.converged ? "" : " !"),
        format(row.setup_seconds, 3),
        format(solve.solve_seconds, 3),
        format(1e6 * solve.iteration_seconds, 4),
        format(1e-6 * solve.iteration_bytes, 3),
        percent(row.fraction_of_model),
        format(solve.true_residual, 2),
        format(solve.error, 2),
        format(solve.t10, 3),
        verdict};
    }

    std::string
    what(const Row &row)
    {
      if (row.solve)
        return operator_of_solve(row) + " " + row.solve->preconditioner + " " +
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
  } // namespace

  Report::Report(Record &record, const double copy_bandwidth,
                 const double error_limit, const TableOf table_of,
                 const Team &team)
    : team(team), record(record), table_of(table_of), error_limit(error_limit)
  {
    set_copy_bandwidth(copy_bandwidth);
    add_columns();
  }

  void
  Report::add_columns()
  {
    using Align     = Table::Align;
    const auto text = [&](const char *name) {
      table.add_column(name, "", Align::left);
    };
    if (table_of == TableOf::solves)
      {
        for (const char *name : {"problem", "number", "operator",
                                 "preconditioner", "method", "backend"})
          text(name);
        table.add_column("DoFs");
        table.add_column("iterations");
        table.add_column("setup", "s");
        table.add_column("solve", "s");
        table.add_column("iteration", "us");
        table.add_column("model", "MB");
        table.add_column("model", "%");
        table.add_column("residual");
        table.add_column("error");
        table.add_column("t10", "s");
        text("");
        return;
      }
    if (table_of == TableOf::matrices)
      {
        for (const char *name : {"matrix", "number", "format", "backend"})
          text(name);
        table.add_column("padding");
      }
    else
      {
        table.add_column("p");
        for (const char *name : {"number", "row", "operator", "backend",
                                 "numbering", "strategy", "route", "conflict"})
          text(name);
        table.add_column("free DoFs");
      }
    table.add_column("median", "us");
    table.add_column("spread", "%");
    if (table_of == TableOf::operators)
      {
        table.add_column("rate", "GDoF/s");
        table.add_column("rate", "Gcells/s");
      }
    table.add_column("model", "%");
    table.add_column("bytes", "GB/s");
    table.add_column("paper", "MB");
    table.add_column("paper", "GB/s");
    table.add_column("setup", "s");
    table.add_column("error", "eps");
  }

  std::string
  Report::group_of(const Row &row) const
  {
    return table_of == TableOf::operators ? std::to_string(row.degree)
                                          : row.case_name;
  }

  void
  Report::set_time(Row &row, const Statistics &time, const double model_bytes,
                   const double flops) const
  {
    row.seconds_min               = time.min;
    row.seconds_median            = time.median;
    row.seconds_spread            = time.spread;
    row.samples                   = time.n_samples;
    row.parameters["repetitions"] = std::int64_t(time.repetitions);
    row.gdofs_per_s               = 1e-9 * row.dofs / time.median;
    row.gcells_per_s              = 1e-9 * row.cells / time.median;
    row.gflops                    = 1e-9 * flops / time.median;
    row.fraction_of_model         = model_bytes / copy_bandwidth / time.median;
    if (row.compulsory_bytes)
      {
        row.bandwidth        = *row.compulsory_bytes / time.median;
        row.fraction_of_copy = row.bandwidth / copy_bandwidth;
      }
  }

  std::string
  Report::range_of(const Row &row) const
  {
    return benchmarks::range_of(record, row);
  }

  void
  Report::set_copy_bandwidth(const double bytes_per_second)
  {
    copy_bandwidth = bytes_per_second;
    if (std::isfinite(copy_bandwidth))
      bandwidths.insert(format(1e-9 * copy_bandwidth, 4));
  }

  void
  Report::set_error_limit(const std::string &library, const double limit)
  {
    limits[library] = limit;
  }

  void
  Report::reject(Row &row, const std::string &reason) const
  {
    row.error  = std::numeric_limits<double>::infinity();
    row.reason = reason;
  }

  void
  Report::measure(Row row, const std::function<void(Row &)> &work,
                  const std::function<void()> &release)
  {
    team.throw_if_interrupted();
    try
      {
        work(row);
      }
    catch (const Error &error)
      {
        if (error.exit_code() == ExitCode::interrupted || !team.all_failed())
          throw;
        if (error.exit_code() == ExitCode::device)
          release();
        row.completed = false;
        row.reason    = error.what();
      }
    catch (const std::bad_alloc &)
      {
        if (!team.all_failed())
          throw;
        release();
        row.completed = false;
        row.reason    = "There is not enough memory on the host.";
      }
    add(row);
  }

  std::vector<std::string>
  Report::line(const Row &row, const std::string &verdict) const
  {
    if (table_of == TableOf::solves)
      return line_of_solve(row, verdict);
    const bool matrices           = table_of == TableOf::matrices;
    std::vector<std::string> line = {group_of(row), row.number};
    const auto append             = [&](const std::vector<std::string> &more) {
      line.insert(line.end(), more.begin(), more.end());
    };
    if (matrices)
      append({what(row), row.backend, format(row.padding, 3)});
    else
      append({row.kind, what(row), row.backend, orders(row), row.strategy,
              row.route, row.conflict, format_count(row.dofs)});
    append({format(1e6 * row.seconds_median, 4),
            percent(row.seconds_spread / row.seconds_median)});
    if (!matrices)
      append({format(row.gdofs_per_s), format(row.gcells_per_s)});
    append({percent(row.fraction_of_model), format(1e-9 * row.bandwidth),
            format(1e-6 * row.paper_bytes),
            format(1e-9 * row.paper_bytes / row.seconds_median),
            format(row.setup_seconds), verdict});
    return line;
  }

  void
  Report::add(const Row &row)
  {
    record.add(row);
    const bool by_case      = table_of != TableOf::operators;
    const std::string group = group_of(row);
    if (group != last_group)
      table.add_rule();
    last_group            = group;
    const auto of_library = limits.find(row.library);
    const double limit =
      of_library == limits.end() ? error_limit : of_library->second;
    const bool wrong = row.completed && !(row.error <= limit);
    n_wrong += wrong;
    n_completed += row.completed;
    n_solves += row.completed && row.solve;
    n_converged += row.completed && row.solve && row.solve->converged;
    n_uncompleted += !row.completed;
    if (!row.reason.empty())
      reasons.insert((by_case ? row.case_name + ", " : "") + what(row) + ": " +
                     row.reason);
    const bool solves = table_of == TableOf::solves;
    table.add_row(line(row, !row.completed ? "not completed"
                            : solves
                              ? (wrong ? "WRONG" : "")
                              : format(row.error) + (wrong ? " WRONG" : "")));
    std::cerr << (by_case ? group : "p=" + group) << ' ' << row.number << ' '
              << row.kind << ' ' << what(row) << ' ' << row.numbering << ": "
              << (!row.completed ? row.reason
                  : solves
                    ? format(row.solve->solve_seconds, 3) + " s, " +
                        counted(row.solve->iterations.value_or(0), "iteration")
                  : by_case ? format(1e-9 * row.bandwidth) + " GB/s"
                            : format(row.gdofs_per_s) + " GDoF/s")
              << std::endl;
  }

  std::string
  Report::str() const
  {
    std::string text = table.str();
    text += bandwidths.empty()
              ? "model: left out, since no copy bandwidth was measured; "
              : "model: per cent of the byte model at " +
                  list_of({bandwidths.begin(), bandwidths.end()}) +
                  " GB/s, the copy bandwidth; ";
    if (table_of == TableOf::solves)
      text +=
        "residual: |b - A x| / |b| or, if it is larger, the same divided by "
        "the diagonal of A; error: |x - x*| / |x*|; t10: seconds "
        "for ten orders of magnitude of the residual; !: not converged.\n";
    else
      {
        text += std::string("paper: ") +
                (table_of == TableOf::matrices
                   ? "20 bytes an entry, 12 in float, as WongKuhlDarve2015 "
                     "counts (table 2)"
                   : "what RegulyGiles2015 counts (equations 14 to 19)") +
                "; error: max |y - y_ref| / (eps sum |a| |x|), at most " +
                format(error_limit);
        for (const auto &[library, limit] : limits)
          text += ", of " + library + " " + format(limit);
        text += ".\n";
      }
    for (const std::string &reason : reasons)
      text += reason + "\n";
    if (n_uncompleted > 0)
      text += counted(n_uncompleted, "row") +
              (n_uncompleted == 1 ? " was" : " were") + " not completed.\n";
    return text;
  }

  std::string
  Report::failure() const
  {
    if (n_completed == 0)
      return "no row was completed";
    if (n_wrong > 0)
      return counted(n_wrong, "row") + (n_wrong == 1 ? " is" : " are") +
             " wrong";
    return n_solves > 0 && n_converged == 0 ? "no solve converged" : "";
  }

  std::string
  Report::verdict() const
  {
    return wrong() ? "FAIL: " + failure() + ".\n" : "PASS: no row is wrong.\n";
  }
} // namespace tessera::benchmarks
