#include "record_json.h"

#include <tessera/base/replace_file.h>
#include <tessera/base/target.h>
#include <tessera/study/affinity.h>
#include <tessera/study/build_information.h>

#include <omp.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace tessera::study
{
  namespace
  {
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

  History
  history_of(const std::vector<double> &residuals, const double factor)
  {
    History history;
    const std::size_t step = residuals.size() / 200 + 1;
    for (std::size_t i = 0; i < residuals.size(); ++i)
      if (i % step == 0 || i + 1 == residuals.size())
        history.emplace_back(i, factor * residuals[i]);
    return history;
  }

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
