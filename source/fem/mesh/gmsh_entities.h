#pragma once

#include "mesh_scanner.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::mesh_files
{
  /// Reads the numbers of a file of gmsh. Text and binary files have the same
  /// numbers in the same order.
  struct GmshNumbers
  {
    GmshNumbers(const std::string_view text, const std::string &source)
      : in(text, source)
    {}

    Scanner in;
    bool is_4   = false; ///< version 4.0 or 4.1
    bool is_40  = false; ///< version 4.0
    bool binary = false;
    bool swap   = false;

    long long
    integer(const std::string_view expected)
    {
      return binary ? in.binary<std::int32_t>(swap) : in.integer(expected);
    }

    /// Reads a size_t of version 4.
    long long
    size(const std::string_view expected)
    {
      return binary ? in.binary<std::int64_t>(swap) : in.integer(expected);
    }

    double
    real(const std::string_view expected)
    {
      return binary ? in.binary<double>(swap) : in.real(expected);
    }

    /// Reads a number of things that take at least `binary_bytes` each.
    long long
    count(const std::string_view things, const std::size_t binary_bytes)
    {
      const long long n = size("the number of " + std::string(things));
      in.check_count(n, things, binary ? binary_bytes : 2);
      return n;
    }

    std::array<double, 3>
    point()
    {
      const double x = real("a coordinate"), y = real("a coordinate");
      return {{x, y, real("a coordinate")}};
    }
  };


  /// The points, curves, surfaces and volumes of a file of version 4. In a file
  /// that gmsh has divided into parts, elements belong to the parts of these
  /// entities, which have tags and physical groups of their own.
  class GmshEntities
  {
  public:
    /// An entity: its dimension and its tag.
    using Key = std::pair<int, long long>;

    /// Reads the section of entities or, if `parts`, the one of their parts.
    void
    read(GmshNumbers &from, bool parts);

    /// Returns the physical groups of an entity. There may be none, as where
    /// parts meet.
    const std::vector<int> &
    groups(const Key &entity) const;

    /// Throws MeshError if the file is one of several into which gmsh has
    /// divided a mesh.
    void
    check_complete(const Scanner &in) const;

  private:
    std::map<Key, std::vector<int>> ids;
    long long n_parts               = 0;  ///< that the file announces
    std::set<long long> known_parts = {}; ///< parts whose entities it has
  };
} // namespace tessera::mesh_files
