#include "record_json.h"

#include <tessera/base/replace_file.h>
#include <tessera/base/target.h>
#include <tessera/program/affinity.h>
#include <tessera/program/build_information.h>

#include <fcntl.h>
#include <omp.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace tessera::program
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

    /// True for the files that programs write beside the record, without
    /// states to go on from.
    bool
    is_result(const std::filesystem::directory_entry &entry)
    {
      const std::string name      = entry.path().filename().string();
      const std::string extension = entry.path().extension().string();
      return entry.is_regular_file() && name.rfind("checkpoint_", 0) != 0 &&
             (extension == ".vtu" || extension == ".pvtu" ||
              extension == ".vtkhdf" || extension == ".series" ||
              extension == ".pvd" || extension == ".csv");
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
  Record::claim(const std::string &folder)
  {
    check_folder(folder);
    const int handle =
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    claimed        = {new int(handle), [](const int *const folder) {
                 ::close(*folder);
                 delete folder;
               }};
    claimed_folder = folder;
    if (flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      throw ParameterError("Another run writes into the output folder '" +
                           folder + "'; --output names a folder for this one.");
  }

  void
  Record::open(const std::string &folder)
  {
    if (claimed_folder != folder)
      claim(folder);
    host_instruction_set(); // without one there is no record
    namespace fs = std::filesystem;
    file         = (fs::path(folder) / "record.json").string();
    if (!fs::exists(file))
      return flush();
    for (const auto &entry : fs::directory_iterator(folder))
      if (is_result(entry))
        earlier_files[entry.path().filename().string()] =
          entry.last_write_time();
  }

  void
  Record::name_earlier_files() const
  {
    std::vector<std::string> left;
    for (const auto &[name, time] : earlier_files)
      {
        std::error_code error;
        const auto now = std::filesystem::last_write_time(
          std::filesystem::path(claimed_folder) / name, error);
        if (!error && now == time)
          left.push_back(name);
      }
    if (left.empty() || keeps_earlier_files)
      return;
    std::cerr << "note: the folder '" << claimed_folder
              << "' also has files of an earlier run: ";
    for (std::size_t i = 0; i < left.size() && i < 3; ++i)
      std::cerr << (i == 0 ? "" : ", ") << left[i];
    if (left.size() > 3)
      std::cerr << " and " << left.size() - 3 << " more";
    std::cerr << '.' << std::endl;
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
    if (!file.empty() && !written)
      {
        std::cerr << "note: the record '" << file
                  << "' is still an earlier run's." << std::endl;
        return;
      }
    try
      {
        flush();
        name_earlier_files();
      }
    catch (const Error &error)
      {
        std::cerr << "warning: " << error.what() << std::endl;
      }
  }

  void
  Record::flush()
  {
    if (file.empty())
      return;
    written = true;
    write_file(file, "record", [&](std::ostream &out) { out << json(); });
  }

  std::string
  Record::json() const
  {
    const BuildInformation b = build_information();
    Json record              = {{"schema", 1},
                                {"program", program},
                                {"version", b.version},
                                {"git", program::json(b.git)},
                                {"dirty", b.dirty},
                                {"timestamp", timestamp},
                                {"status", status},
                                {"exit_code", exit_code ? Json(static_cast<int>(*exit_code))
                                                        : Json(nullptr)},
                                {"message", program::json(message)},
                                {"arguments", arguments},
                                {"parameters", parameters},
                                {"seed", program::json(seed)},
                                {"build", build()},
                                {"host", host()}};
    record["device"]         = nullptr;
    if (device)
      record["device"] = {{"name", device->name},
                          {"sm_count", device->sm_count},
                          {"memory_bytes", device->memory_bytes},
                          {"l2_bytes", device->l2_bytes},
                          {"driver", device->driver},
                          {"copy_bandwidth", program::json(copy_bandwidth)}};
    record["cases"] = Json::array();
    for (const Case &entry : all_cases)
      record["cases"].push_back(program::json(entry));
    record["rows"] = Json::array();
    for (const Row &entry : all_rows)
      record["rows"].push_back(program::json(entry));
    record["matrices"] = Json::array();
    for (const Matrix &entry : all_matrices)
      record["matrices"].push_back(program::json(entry));
    return record.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }
} // namespace tessera::program
