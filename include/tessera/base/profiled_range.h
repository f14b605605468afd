#pragma once

#include <string>

namespace tessera::runtime
{
  /// While it lives, what is launched stands in an NVTX range of that name, and
  /// a profiler that was told to wait looks at it (`ncu --nvtx
  /// --profile-from-start off`). Where there is no profiler, nothing happens.
  class ProfiledRange
  {
  public:
    explicit ProfiledRange(const std::string &name);
    ~ProfiledRange();
    ProfiledRange(const ProfiledRange &) = delete;
    ProfiledRange &
    operator=(const ProfiledRange &) = delete;

    /// The name of the innermost one of this thread; empty: there is none.
    static std::string
    current();

  private:
    const std::string name;
    const ProfiledRange *const outer;
  };

  /// Implemented with the run-time library.
  void
  begin_profiling(const std::string &range) noexcept;

  void
  end_profiling() noexcept;
} // namespace tessera::runtime
