#pragma once

#include <cstddef>
#include <functional>

// Files to which several contribute: every section of such a file consists of
// the bytes of all contributors, one behind the other.
namespace tessera
{
  /// Takes the next bytes of a file.
  using TakeBytes = std::function<void(const char *bytes, std::size_t n)>;

  /// Hands the bytes of a section, from 0 on, to `take`, piece by piece: the
  /// bytes of one contributor or, in the process that writes, of all.
  using CollectBytes = std::function<void(int section, const TakeBytes &take)>;
} // namespace tessera
