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
    constexpr std::uint32_t version     = 3;
    constexpr std::uint32_t byte_order  = 0x01020304;

    struct Header
    {
      std::array<char, 8> magic{};
      std::uint32_t byte_order = 0;
      std::uint32_t version    = 0;
      std::array<char, 32> numbering{};
      std::array<char, 32> cell_order{};
      std::array<char, 32> cell_type{};
      std::array<char, 32> geometry{};
      std::int64_t block_side       = 0;
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
      array(space.jacobians);
      array(space.points);
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
    }

    /// A space of the header's kind and counts, its arrays of their sizes.
    Space
    make_space(const Header &header, const std::string &path)
    {
      Space space;
      try
        {
          space.numbering = numbering_from_string(from_field(header.numbering));
          space.cell_order =
            cell_order_from_string(from_field(header.cell_order));
          space.cell_type = cell_type_from_string(from_field(header.cell_type));
          space.geometry  = geometry_from_string(from_field(header.geometry));
        }
      catch (const ParameterError &error)
        {
          require(false, path, std::string("cannot be used: ") + error.what());
        }
      const auto count = [](const std::int64_t n) {
        return n >= 0 && n < std::numeric_limits<int>::max();
      };
      require(
        header.block_side >= 1 && header.block_side <= max_block_side &&
          header.degree >= 1 && header.degree <= max_degree(space.cell_type) &&
          count(header.n_cells) && count(header.n_vertices) &&
          count(header.n_owned) && count(header.n_constrained) &&
          count(header.n_ghosts) &&
          count(header.n_owned + header.n_constrained + header.n_ghosts + 1) &&
          header.n_interior_cells >= 0 &&
          header.n_interior_cells <= header.n_cells,
        path, "is damaged: its counts are out of range");
      space.block_side       = static_cast<int>(header.block_side);
      space.degree           = static_cast<int>(header.degree);
      space.n_interior_cells = static_cast<int>(header.n_interior_cells);
      space.n_owned          = static_cast<int>(header.n_owned);
      space.n_constrained    = static_cast<int>(header.n_constrained);
      space.n_ghosts         = static_cast<int>(header.n_ghosts);
      return space;
    }

    /// Gives the arrays the sizes that the header asks for.
    void
    resize_arrays(Space &space, const Header &header)
    {
      const std::size_t n_cells = header.n_cells;
      space.cell_dofs.resize(n_cells * space.dofs_per_cell());
      space.cell_vertices.resize(n_cells * space.vertices_per_cell());
      space.vertices.resize(header.n_vertices * space.dim());
      space.mesh_cell.resize(n_cells);
      space.mesh_dof.resize(space.padding_index());
      if (space.geometry == Geometry::quadrature)
        {
          space.points.resize(n_cells * space.points_per_cell() * space.dim());
          space.jacobians.resize(space.points.size() * space.dim());
        }
    }

    /// Bytes of the whole file.
    std::int64_t
    file_size(const Space &space, const Header &header)
    {
      const std::int64_t dim = space.dim();
      std::int64_t per_cell =
        sizeof(int) * (space.dofs_per_cell() + space.vertices_per_cell() + 1);
      if (space.geometry == Geometry::quadrature)
        per_cell += sizeof(double) * space.points_per_cell() * dim * (dim + 1);
      return sizeof(Header) + sizeof(std::uint64_t) +
             sizeof(double) * dim * header.n_vertices +
             header.n_cells * per_cell + sizeof(int) * space.padding_index();
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
    header.cell_type        = to_field(to_string(space.cell_type));
    header.geometry         = to_field(to_string(space.geometry));
    header.block_side       = space.block_side;
    header.degree           = space.degree;
    header.n_cells          = space.n_cells();
    header.n_vertices       = space.vertices.size() / space.dim();
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
    Space space                      = make_space(header, path);
    const std::int64_t expected_size = file_size(space, header);
    require(size == expected_size, path,
            "has " + std::to_string(size) + " bytes, but its header asks for " +
              std::to_string(expected_size));
    resize_arrays(space, header);
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
    return space;
  }
} // namespace tessera
