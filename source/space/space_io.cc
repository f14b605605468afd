#include <tessera/base/error.h>
#include <tessera/space/space.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>

/// The file: a `Header`, the arrays of the space in the order of its members,
/// and a checksum of all before it; in the byte order of the machine, which
/// the number `byte_order` tells.
namespace tessera
{
  namespace
  {
    constexpr std::array<char, 8> magic = {"TSRSPAC"};
    constexpr std::uint32_t version     = 1;
    constexpr std::uint32_t byte_order  = 0x01020304;

    struct Header
    {
      std::array<char, 8> magic{};
      std::uint32_t byte_order = 0;
      std::uint32_t version    = 0;
      std::array<char, 32> numbering{};
      std::array<char, 32> cell_order{};
      std::int64_t degree           = 0;
      std::int64_t n_cells          = 0;
      std::int64_t n_vertices       = 0;
      std::int64_t n_interior_cells = 0;
      std::int64_t n_owned          = 0;
      std::int64_t n_constrained    = 0;
      std::int64_t n_ghosts         = 0;
    };

    /// FNV-1a over 64-bit words, the last one of each piece filled up with
    /// zeros. Every step is one-to-one, so any single changed word shows.
    class Checksum
    {
    public:
      void
      add(const void *const data, const std::size_t bytes)
      {
        const char *const bytes_of = static_cast<const char *>(data);
        for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t))
          {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes_of + i, std::min(sizeof(word), bytes - i));
            value = (value ^ word) * 0x100000001b3u;
          }
      }

      std::uint64_t value = 0xcbf29ce484222325u;
    };

    std::array<char, 32>
    to_field(const std::string &name)
    {
      std::array<char, 32> field{};
      name.copy(field.data(), field.size() - 1);
      return field;
    }

    std::string
    from_field(const std::array<char, 32> &field)
    {
      return {field.begin(), std::find(field.begin(), field.end(), '\0')};
    }

    /// Calls `piece(pointer, bytes)` for each array of a space.
    template <class SpaceType, class Piece>
    void
    for_each_array(SpaceType &space, const Piece &piece)
    {
      const auto array = [&](auto &values) {
        piece(values.data(), values.size() * sizeof(values[0]));
      };
      array(space.cell_dofs);
      array(space.cell_vertices);
      array(space.vertices);
      array(space.mesh_cell);
      array(space.mesh_dof);
    }

    bool
    in_range(const std::vector<int> &values, const std::int64_t end)
    {
      return std::all_of(values.begin(), values.end(),
                         [end](const int i) { return i >= 0 && i < end; });
    }

    void
    require(const bool condition, const std::string &path,
            const std::string &problem)
    {
      if (!condition)
        throw MeshError("The space file '" + path + "' " + problem + ".");
    }

    void
    check_header(const Header &header, const std::string &path)
    {
      require(header.magic == magic, path, "is not a space file");
      require(header.byte_order == byte_order, path,
              "was written on a machine of another byte order");
      require(header.version == version, path,
              "is of version " + std::to_string(header.version) +
                ", legal is " + std::to_string(version));
      const auto count = [](const std::int64_t n) {
        return n >= 0 && n < std::numeric_limits<int>::max();
      };
      require(
        header.degree >= 1 && header.degree <= 4 && count(header.n_cells) &&
          count(header.n_vertices) && count(header.n_owned) &&
          count(header.n_constrained) && count(header.n_ghosts) &&
          count(header.n_owned + header.n_constrained + header.n_ghosts + 1) &&
          header.n_interior_cells >= 0 &&
          header.n_interior_cells <= header.n_cells,
        path, "is damaged: its counts are out of range");
    }

    /// Bytes of the whole file.
    std::int64_t
    file_size(const Header &header)
    {
      const std::int64_t n = (header.degree + 1) * (header.degree + 1);
      const std::int64_t n_dofs =
        header.n_owned + header.n_constrained + header.n_ghosts;
      return sizeof(Header) + sizeof(std::uint64_t) +
             sizeof(double) * 2 * header.n_vertices +
             sizeof(int) * (header.n_cells * (n + 4 + 1) + n_dofs);
    }
  } // namespace


  void
  write(const Space &space, const std::string &path)
  {
    Header header;
    header.magic            = magic;
    header.byte_order       = byte_order;
    header.version          = version;
    header.numbering        = to_field(to_string(space.numbering));
    header.cell_order       = to_field(to_string(space.cell_order));
    header.degree           = space.degree;
    header.n_cells          = space.n_cells();
    header.n_vertices       = space.vertices.size() / 2;
    header.n_interior_cells = space.n_interior_cells;
    header.n_owned          = space.n_owned;
    header.n_constrained    = space.n_constrained;
    header.n_ghosts         = space.n_ghosts;

    const std::string temporary = path + ".part";
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    Checksum checksum;
    const auto put = [&](const void *data, const std::size_t bytes) {
      file.write(static_cast<const char *>(data), bytes);
      checksum.add(data, bytes);
    };
    put(&header, sizeof(header));
    for_each_array(space, put);
    file.write(reinterpret_cast<const char *>(&checksum.value),
               sizeof(checksum.value));
    file.close();
    if (!file || std::rename(temporary.c_str(), path.c_str()) != 0)
      {
        std::remove(temporary.c_str());
        throw Error(ExitCode::other,
                    "The space file '" + path + "' cannot be written.");
      }
  }


  Space
  read(const std::string &path)
  {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    require(file.is_open(), path, "cannot be opened");
    const std::int64_t size = file.tellg();
    require(size >= std::int64_t(sizeof(Header)), path, "is truncated");
    file.seekg(0);
    Checksum checksum;
    const auto get = [&](void *data, const std::size_t bytes) {
      file.read(static_cast<char *>(data), bytes);
      checksum.add(data, bytes);
    };
    Header header;
    get(&header, sizeof(header));
    check_header(header, path);
    require(size == file_size(header), path,
            "has " + std::to_string(size) + " bytes, but its header asks for " +
              std::to_string(file_size(header)));

    Space space;
    space.degree           = static_cast<int>(header.degree);
    space.n_interior_cells = static_cast<int>(header.n_interior_cells);
    space.n_owned          = static_cast<int>(header.n_owned);
    space.n_constrained    = static_cast<int>(header.n_constrained);
    space.n_ghosts         = static_cast<int>(header.n_ghosts);
    space.cell_dofs.resize(header.n_cells * space.dofs_per_cell());
    space.cell_vertices.resize(header.n_cells * 4);
    space.vertices.resize(header.n_vertices * 2);
    space.mesh_cell.resize(header.n_cells);
    space.mesh_dof.resize(space.padding_index());
    for_each_array(space, get);
    std::uint64_t expected = 0;
    file.read(reinterpret_cast<char *>(&expected), sizeof(expected));
    require(file.good() && expected == checksum.value, path,
            "is damaged: its checksum is wrong");
    constexpr auto any = std::numeric_limits<std::int64_t>::max();
    require(in_range(space.cell_dofs, space.padding_index()) &&
              in_range(space.cell_vertices, header.n_vertices) &&
              in_range(space.mesh_cell, any) && in_range(space.mesh_dof, any),
            path, "is damaged: an index is out of range");
    try
      {
        space.numbering = numbering_from_string(from_field(header.numbering));
        space.cell_order =
          cell_order_from_string(from_field(header.cell_order));
      }
    catch (const ParameterError &error)
      {
        require(false, path, std::string("cannot be used: ") + error.what());
      }
    return space;
  }
} // namespace tessera
