#include <tessera/base/host_memory.h>

#include <fstream>
#include <limits>
#include <string>

namespace tessera
{
  double
  free_host_memory()
  {
    std::ifstream in("/proc/meminfo");
    for (std::string key; in >> key; in.ignore(1000, '\n'))
      if (key == "MemAvailable:")
        {
          double kibibytes = 0;
          if (in >> kibibytes)
            return 1024. * kibibytes;
        }
    return std::numeric_limits<double>::infinity();
  }
} // namespace tessera
