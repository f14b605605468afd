#include <tessera/base/profiled_range.h>

namespace tessera::runtime
{
  namespace
  {
    thread_local const ProfiledRange *innermost = nullptr;
  }

  ProfiledRange::ProfiledRange(const std::string &name)
    : name(name), outer(innermost)
  {
    begin_profiling(name);
    innermost = this;
  }

  ProfiledRange::~ProfiledRange()
  {
    innermost = outer;
    end_profiling();
  }

  std::string
  ProfiledRange::current()
  {
    return innermost == nullptr ? "" : innermost->name;
  }
} // namespace tessera::runtime
