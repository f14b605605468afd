#pragma once

#include <string>

namespace tessera::runtime
{
  /// While an object of this class exists, all launches belong to an NVTX range
  /// of the given name, and a profiler that was told to wait collects data
  /// (`ncu --nvtx --profile-from-start off`). Without a profiler nothing
  /// happens.
  class ProfiledRange
  {
  public:
    explicit ProfiledRange(const std::string &name);
    ~ProfiledRange();
    ProfiledRange(const ProfiledRange &) = delete;
    ProfiledRange &
    operator=(const ProfiledRange &) = delete;

    /// Returns the name of the innermost range of this thread, or an empty
    /// string if there is none.
    static std::string
    current();

  private:
    const std::string name;
    const ProfiledRange *const outer;
  };

  /// Starts the range; the run-time library implements this.
  void
  begin_profiling(const std::string &range) noexcept;

  void
  end_profiling() noexcept;
} // namespace tessera::runtime
