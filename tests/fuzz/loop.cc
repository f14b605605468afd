#include "loop.h"

#include <tessera/base/error.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#  include <sanitizer/common_interface_defs.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace tessera::fuzz
{
  namespace
  {
    char failure[] = "\nfailed: seed                       \n";

    void
    set_seed(const unsigned long long seed)
    {
      const std::string digits = std::to_string(seed);
      std::memset(failure + 14, ' ', 20);
      std::memcpy(failure + 14, digits.data(), digits.size());
    }

    bool
    print_seed()
    {
      return write(2, failure, sizeof(failure) - 1) > 0;
    }

    extern "C" void
    on_signal(int)
    {
      _exit(print_seed() ? 1 : 2);
    }

    void
    watch()
    {
      for (const int signal_number :
           {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGPROF})
        signal(signal_number, on_signal);
#ifdef __SANITIZE_ADDRESS__
      __sanitizer_set_death_callback([] { print_seed(); });
#else
      const rlimit memory{4ul << 30, 4ul << 30};
      setrlimit(RLIMIT_AS, &memory);
#endif
    }

    /// Returns "", or what is wrong with the answer to a file; counts files
    /// that are refused.
    std::string
    complaint(const std::function<void()> &work, unsigned long long &n_refused)
    {
      try
        {
          work();
          return "";
        }
      catch (const Error &error)
        {
          ++n_refused;
          const std::string text = error.what();
          for (const std::string word :
               {"\n", "tack trace", "violated", "/source/", "deal.II refuses"})
            if (text.find(word) != std::string::npos)
              return text;
          return text.empty() || (text.back() != '.' && text.back() != '?')
                   ? "no sentence: " + text
                   : "";
        }
      catch (const Complaint &complaint)
        {
          return complaint.text;
        }
      catch (const std::exception &exception)
        {
          return std::string("another exception: ") + exception.what();
        }
      catch (...)
        {
          return "an unknown exception";
        }
    }

    struct Options
    {
      std::string what;
      double seconds          = 10.;
      unsigned long long seed = 1;
      bool once               = false;
    };

    bool
    parse(const int argc, char **argv, Options &options)
    {
      for (int i = 1; i < argc; ++i)
        {
          const std::string option = argv[i];
          if (option == "--once")
            options.once = true;
          else if (i + 1 < argc && option == "--what")
            options.what = argv[++i];
          else if (i + 1 < argc && option == "--seconds")
            options.seconds = std::stod(argv[++i]);
          else if (i + 1 < argc && option == "--seed")
            options.seed = std::stoull(argv[++i]);
          else
            {
              std::cerr << "error: unknown option '" << option << "'.\n";
              return false;
            }
        }
      return true;
    }
  } // namespace


  void
  store(const std::string &content, const std::string &path)
  {
    std::ofstream(path, std::ios::binary) << content;
  }


  int
  run(const int argc, char **argv, const std::vector<Subject> &subjects)
  {
    Options options;
    options.what = subjects.front().name;
    if (!parse(argc, argv, options))
      return 2;
    const auto subject =
      std::find_if(subjects.begin(), subjects.end(), [&](const Subject &each) {
        return each.name == options.what;
      });
    if (subject == subjects.end())
      {
        std::cerr << "error: nothing is called '" << options.what << "'.\n";
        return 2;
      }
    watch();

    const std::vector<File> files = subject->files();
    const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      ("tessera_fuzz_" + std::to_string(getpid()));
    if (!options.once)
      std::filesystem::create_directories(folder);
    const std::string path =
      options.once ? std::filesystem::path(argv[0]).filename().string()
                   : (folder / "file").string();
    const auto start = std::chrono::steady_clock::now();
    const auto time  = [&start] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                           start)
        .count();
    };
    const itimerval one_minute{{0, 0}, {60, 0}};
    unsigned long long seed = options.seed, n = 0, n_refused = 0;
    for (;; ++seed, ++n)
      {
        set_seed(seed);
        setitimer(ITIMER_PROF, &one_minute, nullptr);
        Random random(seed);
        File file                 = files[below(random, files.size())];
        file.content              = mutate(file.content, random);
        const std::string target  = path + file.suffix;
        const std::string problem = complaint(
          [&] {
            if (options.once)
              store(file.content, target);
            subject->attempt(file, target, random);
          },
          n_refused);
        if (!problem.empty())
          {
            std::cerr << "failed: seed " << seed << ": " << problem
                      << std::endl;
            return 1;
          }
        if (options.once || time() > options.seconds)
          break;
      }
    if (!options.once)
      std::filesystem::remove_all(folder);
    std::cout << n + 1 << " damaged files up to seed " << seed << ", "
              << n_refused << " of them refused" << std::endl;
    return n_refused > 0 || options.once ? 0 : 1;
  }
} // namespace tessera::fuzz
