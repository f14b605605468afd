#include "report.h"
#include "counters.h"

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/program/program.h>

#include <cmath>
#include <iostream>
#include <new>

namespace tessera::benchmarks
{
  using namespace program;

  Report::Report(Record &record, const double copy_bandwidth,
                 const double error_limit, const Layout &layout,
                 const Team &team)
    : team(team), record(record), layout(layout), error_limit(error_limit)
  {
    set_copy_bandwidth(copy_bandwidth);
    for (const Column &column : layout.columns)
      table.add_column(column.name, column.unit, column.align);
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

  void
  Report::add(const Row &row)
  {
    record.add(row);
    const std::string group =
      layout.by_case ? row.case_name : "p=" + std::to_string(row.degree);
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
      reasons.insert((layout.by_case ? row.case_name + ", " : "") + what(row) +
                     ": " + row.reason);
    Cells line        = layout.line(row);
    std::string &last = line.back();
    if (!row.completed)
      last = "not completed";
    else if (wrong)
      last += last.empty() ? "WRONG" : " WRONG";
    table.add_row(line);
    std::cerr << group << ' ' << row.number << ' ' << row.kind << ' '
              << what(row) << ' ' << row.numbering << ": "
              << (row.completed ? layout.result(row) : row.reason) << std::endl;
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
    text += layout.legend;
    if (layout.errors_in_roundings)
      {
        text += "; error: max |y - y_ref| / (eps sum |a| |x|), at most " +
                format(error_limit);
        for (const auto &[library, limit] : limits)
          text += ", of " + library + " " + format(limit);
      }
    text += ".\n";
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
