#include <tessera/base/checksum.h>
#include <tessera/base/failure.h>
#include <tessera/parallel/run_together.h>
#include <tessera/program/build_information.h>
#include <tessera/program/program.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <vector>

namespace tessera
{
  namespace
  {
    constexpr char end = '\0'; ///< of a name and of a value

    std::string
    to_text(const Settings &settings)
    {
      std::string text;
      for (const auto &[name, value] : settings)
        text += name + end + value + end;
      return text;
    }

    Settings
    from_text(const std::string &text)
    {
      Settings settings;
      for (std::size_t first = 0; first < text.size();)
        {
          const std::size_t value = text.find(end, first) + 1;
          const std::size_t next  = text.find(end, value) + 1;
          settings[text.substr(first, value - first - 1)] =
            text.substr(value, next - value - 1);
          first = next;
        }
      return settings;
    }

    std::string
    value_of(const Settings &settings, const std::string &name)
    {
      const auto found = settings.find(name);
      return found == settings.end() ? "unknown" : '\'' + found->second + '\'';
    }

    /// Returns the checksum of a file, or of the files of openCARP that make a
    /// mesh together.
    std::string
    checksum_of(const std::filesystem::path &path)
    {
      const std::set<std::string> parts = {".elem", ".lon", ".pts"};
      const bool zipped                 = path.extension() == ".gz";
      auto plain = zipped ? path.parent_path() / path.stem() : path;
      std::vector<std::filesystem::path> files{path};
      if (parts.count(plain.extension().string()) > 0)
        {
          files.clear();
          for (const std::string &part : parts)
            for (const std::string end : {"", ".gz"})
              files.push_back(plain.replace_extension(part).string() + end);
        }
      Checksum checksum;
      std::vector<char> bytes(1 << 20);
      for (const auto &name : files)
        for (std::ifstream file(name, std::ios::binary); file;)
          {
            file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
            checksum.add(bytes.data(), file.gcount());
          }
      std::ostringstream text;
      text << std::hex << checksum.value;
      return text.str();
    }
  } // namespace

  std::string
  difference(const Processes &processes, const Settings &settings)
  {
    const Settings first = from_text(processes.first_text(to_text(settings)));
    Settings all         = settings;
    all.insert(first.begin(), first.end());
    std::string words;
    for (const auto &[name, value] : all)
      if (const std::string there = value_of(first, name),
          own                     = value_of(settings, name);
          words.empty() && there != own)
        words = name + " is " + there + " in process 0 and " + own +
                " in process " + std::to_string(processes.rank());
    return processes.first_text(words);
  }

  void
  require_same(const Processes &processes, Settings settings,
               const Settings &files)
  {
    if (processes.size() > 1)
      for (const auto &[name, path] : files)
        settings["the checksum of " + name] = checksum_of(path);
    const program::BuildInformation build = program::build_information();
    settings["the version"]               = build.version;
    settings["the commit"]                = build.git;
    const std::string words               = difference(processes, settings);
    if (!words.empty())
      throw ParameterError(
        "The processes have different parameters, files or versions of the "
        "program: " +
        words + "; start all of them by one command.");
  }

  void
  start_together(const Processes &processes, const std::function<bool()> &start)
  {
    bool answers = false;
    processes.collectively([&]() { answers = start(); });
    require_same(processes,
                 {{"--help or --version", answers ? "given" : "not given"}});
  }

  ExitCode
  run_together(const Processes &processes, program::Record &record,
               const std::function<ExitCode()> &body)
  {
    // Seconds for the others to fail as well; the first one speaks first.
    const double patience        = 3 + 5. * processes.rank() / processes.size();
    std::streambuf *const screen = std::cerr.rdbuf();
    if (processes.rank() > 0)
      for (std::ostream *const out : {&std::cout, &std::cerr})
        out->rdbuf(nullptr);
    try
      {
        return body();
      }
    catch (const std::exception &)
      {
        const Failure failure = current_failure();
        const bool signalled  = program::interrupted();
        if (processes.wait(patience))
          throw;
        // A process that ends all of them does so by a signal to the others.
        if (!signalled && program::interrupted())
          processes.abort(failure.code);
        std::cerr.rdbuf(screen);
        // One piece, into which mpirun writes nothing of its own.
        std::cerr << "error: " + failure.sentence + " (process " +
                       std::to_string(processes.rank()) + " of " +
                       std::to_string(processes.size()) + ")\n"
                  << std::flush;
        record.finish(failure.code, failure.sentence);
        processes.abort(failure.code);
      }
  }
} // namespace tessera
