#include <tessera/program/started_processes.h>

#include <cstdlib>
#include <set>
#include <utility>

namespace tessera::program
{
  StartedProcesses
  started_processes()
  {
    constexpr std::pair<const char *, const char *> names[] = {
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
      {"PMI_RANK", "PMI_SIZE"},
      {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};
    for (const auto &[number, count] : names)
      {
        const char *const of_this = std::getenv(number);
        const char *const all     = std::getenv(count);
        if (of_this != nullptr && all != nullptr)
          return {std::atoi(of_this), std::atoi(all)};
      }
    return {};
  }

  bool
  is_first_said(const std::string &text)
  {
    static std::set<std::string> said;
    return started_processes().number == 0 && said.insert(text).second;
  }
} // namespace tessera::program
