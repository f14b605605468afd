#include <tessera/base/host_memory.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace tessera
{
  namespace
  {
    constexpr double unlimited = std::numeric_limits<double>::infinity();

    /// Returns the number behind a key in a file of keys and numbers, or
    /// `otherwise`.
    double
    number_in(const std::string &file, const std::string &key,
              const double otherwise)
    {
      std::ifstream in(file);
      double number = 0;
      for (std::string word; in >> word; in.ignore(1000, '\n'))
        if (word == key && in >> number)
          return number;
      return otherwise;
    }

    /// Returns the first number of a file, or `otherwise`.
    double
    number_of(const std::string &file, const double otherwise)
    {
      std::ifstream in(file);
      double number = 0;
      return in >> number ? number : otherwise;
    }

    /// Returns the bytes that a container may still take. Files that the system
    /// keeps in memory count as free, because they give way.
    double
    free_in_group()
    {
      const std::string group = "/sys/fs/cgroup/memory.";
      return number_of(group + "max", unlimited) -
             number_of(group + "current", 0) +
             number_in(group + "stat", "inactive_file", 0);
    }

    /// Returns the bytes that `ulimit -v` leaves.
    double
    free_in_limit()
    {
      rlimit limit{};
      if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return unlimited;
      return static_cast<double>(limit.rlim_cur) -
             number_of("/proc/self/statm", 0) *
               static_cast<double>(sysconf(_SC_PAGESIZE));
    }
  } // namespace


  double
  free_host_memory()
  {
    return std::max(0., std::min({1024. * number_in("/proc/meminfo",
                                                    "MemAvailable:", unlimited),
                                  free_in_group(), free_in_limit()}));
  }


  void
  ask_for_large_pages(void *const memory, const std::size_t bytes)
  {
    constexpr std::size_t large_page = std::size_t(2) << 20;
    const std::size_t skip =
      -reinterpret_cast<std::uintptr_t>(memory) & (large_page - 1);
    if (bytes >= 2 * large_page)
      madvise(static_cast<char *>(memory) + skip,
              (bytes - skip) / large_page * large_page, MADV_HUGEPAGE);
  }


  std::uint64_t
  host_memory_peak()
  {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::uint64_t(1024) * usage.ru_maxrss;
  }
} // namespace tessera
