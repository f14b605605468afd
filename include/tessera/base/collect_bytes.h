#pragma once

#include <cstddef>
#include <functional>

// Files that several processes write together: every section of such a file
// consists of the bytes of all processes, one after another.
namespace tessera
{
  /// Takes the next bytes of a file.
  using TakeBytes = std::function<void(const char *bytes, std::size_t n)>;

  /// Hands the bytes of a section, from 0 on, to `take`, piece by piece: the
  /// bytes of one process or, in the process that writes, of all.
  using CollectBytes = std::function<void(int section, const TakeBytes &take)>;
} // namespace tessera
