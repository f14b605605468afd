#include <tessera/base/error.h>
#include <tessera/base/launch_log.h>

#include <algorithm>
#include <atomic>

namespace tessera::runtime
{
  namespace
  {
    thread_local LaunchLog *current = nullptr;

    constexpr int driver_chooses = -1, never_asked = -2;
    std::atomic<int> shared_percent{never_asked};
  } // namespace

  LaunchLog::LaunchLog() : outer(current)
  {
    current = this;
  }

  LaunchLog::~LaunchLog()
  {
    current = outer;
  }

  std::optional<KernelLaunch>
  LaunchLog::largest() const
  {
    const auto registers = [](const KernelLaunch &of) {
      return double(of.n_blocks) * of.n_threads *
             std::max(1, attributes(of).registers);
    };
    const auto found = std::max_element(
      list.begin(), list.end(),
      [&registers](const KernelLaunch &a, const KernelLaunch &b) {
        return registers(a) < registers(b);
      });
    if (found == list.end())
      return {};
    return *found;
  }

  void
  prefer_shared_memory(const std::optional<int> &percent)
  {
    if (percent && (*percent < 0 || *percent > 100))
      throw ParameterError("The share of shared memory was given as " +
                           std::to_string(*percent) +
                           " per cent; legal are 0 to 100.");
    if (percent || shared_percent != never_asked)
      shared_percent = percent.value_or(driver_chooses);
  }

  void
  note_launch(const void *const kernel, const std::int64_t n_blocks,
              const int n_threads, const int shared_bytes)
  {
    if (current != nullptr)
      current->list.push_back({kernel, n_blocks, n_threads, shared_bytes});
    if (shared_percent != never_asked)
      set_shared_percent(kernel, shared_percent);
  }
} // namespace tessera::runtime
