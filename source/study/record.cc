#include <tessera/base/replace_file.h>
#include <tessera/base/target.h>
#include <tessera/study/affinity.h>
#include <tessera/study/build_information.h>
#include <tessera/study/record.h>

#include <omp.h>

#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "json_values.h"

namespace tessera::study
{
  namespace
  {
    Json
    json(const std::vector<Probe> &probes)
    {
      Json result = Json::array();
      for (const Probe &probe : probes)
        result.push_back(
          {{"point", probe.point}, {"value", json(probe.value)}});
      return result;
    }

    Json
    json(const std::vector<Flux> &fluxes)
    {
      Json result = Json::array();
      for (const Flux &flux : fluxes)
        result.push_back({{"boundary", flux.boundary},
                          {"name", json(flux.name)},
                          {"value", json(flux.value)}});
      return result;
    }

    Json
    json(const std::vector<Quantity> &quantities)
    {
      Json result = Json::array();
      for (const Quantity &quantity : quantities)
        result.push_back({{"name", quantity.name},
                          {"value", json(quantity.value)},
                          {"point", quantity.point}});
      return result;
    }

    Json
    json(const std::vector<std::pair<std::int64_t, double>> &history)
    {
      Json result = Json::array();
      for (const auto &[iteration, residual] : history)
        result.push_back({iteration, json(residual)});
      return result;
    }

    Json
    json(const Case &c)
    {
      const Problem &p = c.problem;
      const Phases &t  = c.phases;
      const Results &r = c.results;
      return {{"name", c.name},
              {"problem",
               {{"dim", p.dim},
                {"cell_type", p.cell_type},
                {"degree", p.degree},
                {"cells", p.cells},
                {"dofs", p.dofs},
                {"nonzeros", json(p.nonzeros)},
                {"colors", json(p.colors)},
                {"chosen", json(p.chosen)},
                {"numbering", json(p.numbering)}}},
              {"phases",
               {{"mesh", json(t.mesh)},
                {"dofs", json(t.dofs)},
                {"flatten", json(t.flatten)},
                {"pattern", json(t.pattern)},
                {"coefficients", json(t.coefficients)},
                {"upload", json(t.upload)},
                {"assembly", json(t.assembly)},
                {"setup", json(t.setup)},
                {"solve", json(t.solve)},
                {"evaluation", json(t.evaluation)},
                {"output", json(t.output)}}},
              {"results",
               {{"iterations", json(r.iterations)},
                {"converged", json(r.converged)},
                {"ended", json(r.ended)},
                {"residual", json(r.residual)},
                {"true_residual", json(r.true_residual)},
                {"history", json(r.history)},
                {"L2_error", json(r.L2_error)},
                {"H1_error", json(r.H1_error)},
                {"L2_rate", json(r.L2_rate)},
                {"H1_rate", json(r.H1_rate)},
                {"passed", json(r.passed)},
                {"probes", json(r.probes)},
                {"fluxes", json(r.fluxes)},
                {"quantities", json(r.quantities)}}},
              {"parameters", json(c.parameters)},
              {"counters", json(c.counters)}};
    }

    Json
    json(const Row &r)
    {
      return {{"case", r.case_name},
              {"kind", r.kind},
              {"operator", r.op},
              {"library", r.library},
              {"backend", r.backend},
              {"number", r.number},
              {"degree", r.degree == 0 ? Json(nullptr) : Json(r.degree)},
              {"strategy", json(r.strategy)},
              {"route", json(r.route)},
              {"conflict", json(r.conflict)},
              {"numbering", json(r.numbering)},
              {"dofs", r.dofs},
              {"cells", r.cells},
              {"seconds_min", json(r.seconds_min)},
              {"seconds_median", json(r.seconds_median)},
              {"seconds_spread", json(r.seconds_spread)},
              {"samples", r.samples},
              {"gdofs_per_s", json(r.gdofs_per_s)},
              {"gcells_per_s", json(r.gcells_per_s)},
              {"compulsory_bytes", json(r.compulsory_bytes)},
              {"stored_bytes", json(r.stored_bytes)},
              {"bandwidth", json(r.bandwidth)},
              {"fraction_of_copy", json(r.fraction_of_copy)},
              {"paper_bytes", json(r.paper_bytes)},
              {"fraction_of_model", json(r.fraction_of_model)},
              {"gflops", json(r.gflops)},
              {"setup_seconds", json(r.setup_seconds)},
              {"memory_bytes", json(r.memory_bytes)},
              {"padding", json(r.padding)},
              {"cg_iterations_per_s", json(r.cg_iterations_per_s)},
              {"parameters", json(r.parameters)},
              {"counters", json(r.counters)},
              {"work", r.work.empty() ? Json(nullptr) : Json(r.work)},
              {"error", json(r.error)},
              {"repeatable", json(r.repeatable)},
              {"completed", r.completed},
              {"reason", json(r.reason)}};
    }

    Json
    json(const Matrix &m)
    {
      Json statistics = Json::object();
      for (const auto &[name, value] : m.statistics)
        statistics[name] = json(value);
      return {{"name", m.name},
              {"source", m.source},
              {"rows", m.rows},
              {"columns", m.columns},
              {"nonzeros", m.nonzeros},
              {"statistics", statistics},
              {"row_lengths", m.row_lengths},
              {"picture", m.picture}};
    }

    Json
    build()
    {
      const BuildInformation b = build_information();
      return {{"type", b.type},
              {"flags", b.flags},
              {"architectures", b.architectures},
              {"versions", b.versions}};
    }

    std::string
    processor()
    {
      std::ifstream in("/proc/cpuinfo");
      for (std::string line; std::getline(in, line);)
        if (line.compare(0, 10, "model name") == 0)
          {
            const std::size_t colon = line.find(": ");
            if (colon != std::string::npos)
              return line.substr(colon + 2);
          }
      return "";
    }

    Json
    host()
    {
      return {{"cpu", json(processor())},
              {"cores", process_cores().size()},
              {"threads", omp_get_max_threads()},
              {"simd", to_string(host_instruction_set())}};
    }

    std::string
    now()
    {
      const std::time_t time = std::time(nullptr);
      std::tm utc;
      gmtime_r(&time, &utc);
      char text[32];
      std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
      return text;
    }
  } // namespace

  Record::Record(const std::string &program,
                 const std::vector<std::string> &arguments)
    : program(program), timestamp(now()), arguments(arguments)
  {
    process_cores(); // must be found while no thread is pinned
  }

  void
  Record::set_parameters(const std::map<std::string, std::string> &entries)
  {
    parameters = entries;
  }

  void
  Record::set_seed(const std::uint64_t value)
  {
    seed = value;
  }

  void
  Record::set_device(const runtime::DeviceProperties &properties,
                     const double bandwidth)
  {
    device         = properties;
    copy_bandwidth = bandwidth;
  }

  void
  Record::check_folder(const std::string &folder)
  {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const auto probe = std::filesystem::path(folder) / "record.json.new";
    const bool there = std::filesystem::is_directory(
      std::filesystem::path(folder) / "record.json", error);
    std::ofstream out(probe);
    out << '\n' << std::flush;
    const bool written = out.good() && !there;
    out.close();
    std::filesystem::remove(probe, error);
    if (!written)
      throw ParameterError("The output folder '" + folder +
                           "' cannot be made or written to.");
  }

  void
  Record::open(const std::string &folder)
  {
    check_folder(folder);
    host_instruction_set(); // without one there is no record
    file = (std::filesystem::path(folder) / "record.json").string();
    flush();
  }

  void
  Record::add(const Case &entry)
  {
    all_cases.push_back(entry);
    flush();
  }

  void
  Record::add(const Row &entry)
  {
    all_rows.push_back(entry);
    flush();
  }

  void
  Record::add(const Matrix &entry)
  {
    all_matrices.push_back(entry);
    flush();
  }

  void
  Record::finish(const ExitCode code, const std::string &sentence)
  {
    status    = code == ExitCode::done          ? "done"
                : code == ExitCode::interrupted ? "interrupted"
                                                : "failed";
    exit_code = code;
    message   = sentence;
    try
      {
        flush();
      }
    catch (const Error &error)
      {
        std::cerr << "warning: " << error.what() << std::endl;
      }
  }

  void
  Record::flush() const
  {
    if (file.empty())
      return;
    replace_file(file, "record", [&](const std::string &temporary) {
      std::ofstream out(temporary);
      out << json();
      out.close();
      return out.good();
    });
  }

  std::string
  Record::json() const
  {
    const BuildInformation b = build_information();
    Json record              = {{"schema", 1},
                                {"program", program},
                                {"version", b.version},
                                {"git", study::json(b.git)},
                                {"dirty", b.dirty},
                                {"timestamp", timestamp},
                                {"status", status},
                                {"exit_code", exit_code ? Json(static_cast<int>(*exit_code))
                                                        : Json(nullptr)},
                                {"message", study::json(message)},
                                {"arguments", arguments},
                                {"parameters", parameters},
                                {"seed", study::json(seed)},
                                {"build", build()},
                                {"host", host()}};
    record["device"]         = nullptr;
    if (device)
      record["device"] = {{"name", device->name},
                          {"sm_count", device->sm_count},
                          {"memory_bytes", device->memory_bytes},
                          {"l2_bytes", device->l2_bytes},
                          {"driver", device->driver},
                          {"copy_bandwidth", study::json(copy_bandwidth)}};
    record["cases"] = Json::array();
    for (const Case &entry : all_cases)
      record["cases"].push_back(study::json(entry));
    record["rows"] = Json::array();
    for (const Row &entry : all_rows)
      record["rows"].push_back(study::json(entry));
    record["matrices"] = Json::array();
    for (const Matrix &entry : all_matrices)
      record["matrices"].push_back(study::json(entry));
    return record.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }
} // namespace tessera::study
