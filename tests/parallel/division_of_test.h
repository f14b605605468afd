#pragma once

#include <tessera/fem/distributed/division.h>

namespace tessera
{
  /// Returns the division among all processes of a test.
  inline const Division &
  division()
  {
    static const Processes all;
    static const Division result(all, Backend::host, {});
    return result;
  }

  inline bool
  is_last()
  {
    return division().rank() + 1 == division().processes().size();
  }
} // namespace tessera
