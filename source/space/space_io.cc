#include <tessera/base/binary_file.h>
#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>
#include <tessera/space/numbering.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

/// The file has a `Header` and then the arrays of the space in the order of its
/// members.
namespace tessera
{
  namespace
  {
    constexpr FileKind kind = {{"TSRSPAC"}, FileKind().byte_order, 4};

    using Reader = BinaryReader<MeshError>;

    struct Header
    {
      FileKind kind;
      std::array<char, 32> numbering{};
      std::array<char, 32> cell_order{};
      std::array<char, 32> cell_type{};
      std::array<char, 32> geometry{};
      std::int64_t block_side       = 0;
      std::int64_t degree           = 0;
      std::int64_t n_cells          = 0;
      std::int64_t n_vertices       = 0;
      std::int64_t n_interior_cells = 0;
      std::int64_t n_components     = 1;
      std::int64_t n_owned          = 0;
      std::int64_t n_ghosts         = 0;
      std::int64_t n_hanging        = 0;
      std::int64_t n_constrained    = 0;
      std::int64_t n_fixed          = 0; ///< entries
      std::int64_t n_follow         = 0; ///< entries that follow from others
      std::int64_t n_sources        = 0; ///< that these have
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

    /// Calls `piece(pointer, length)` for each array of a space.
    template <class SpaceType, class Piece>
    void
    for_each_array(SpaceType &space, const Piece &piece)
    {
      const auto array = [&](auto &values) {
        piece(values.data(), values.size());
      };
      array(space.cell_dofs);
      array(space.cell_vertices);
      array(space.vertices);
      array(space.mesh_cell);
      array(space.mesh_dof);
      array(space.fixed);
      array(space.hanging.entry);
      array(space.hanging.start);
      array(space.hanging.source);
      array(space.hanging.weight);
      array(space.jacobians);
      array(space.points);
    }

    bool
    in_range(const std::vector<int> &values, const std::int64_t end)
    {
      return std::all_of(values.begin(), values.end(),
                         [end](const int i) { return i >= 0 && i < end; });
    }

    /// Returns a space of the header's kind and counts; its arrays are empty.
    Space
    make_space(const Header &header, const Reader &file)
    {
      Space space;
      try
        {
          space.numbering =
            numbering_descriptor(from_field(header.numbering)).name;
          space.cell_order =
            cell_order_from_string(from_field(header.cell_order));
          space.cell_type = cell_type_from_string(from_field(header.cell_type));
          space.geometry  = geometry_from_string(from_field(header.geometry));
        }
      catch (const ParameterError &error)
        {
          file.require(false, std::string("cannot be used: ") + error.what());
        }
      const auto count = [](const std::int64_t n) {
        return n >= 0 && n < std::numeric_limits<int>::max();
      };
      file.require(
        header.block_side >= 1 && header.block_side <= max_block_side &&
          header.degree >= 1 && header.degree <= max_degree(space.cell_type) &&
          count(header.n_cells) && count(header.n_vertices) &&
          header.n_components >= 1 && header.n_components <= 3 &&
          count(header.n_owned) && count(header.n_ghosts) &&
          count(header.n_hanging) && count(header.n_constrained) &&
          count(header.n_components *
                (header.n_owned + header.n_ghosts + header.n_hanging +
                 header.n_constrained + 1)) &&
          count(header.n_fixed) && count(header.n_follow) &&
          count(header.n_sources) && header.n_interior_cells >= 0 &&
          header.n_interior_cells <= header.n_cells,
        "is damaged: its counts are out of range");
      space.block_side       = static_cast<int>(header.block_side);
      space.degree           = static_cast<int>(header.degree);
      space.n_interior_cells = static_cast<int>(header.n_interior_cells);
      space.n_components     = static_cast<int>(header.n_components);
      space.n_owned          = static_cast<int>(header.n_owned);
      space.n_ghosts         = static_cast<int>(header.n_ghosts);
      space.n_hanging        = static_cast<int>(header.n_hanging);
      space.n_constrained    = static_cast<int>(header.n_constrained);
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
      space.fixed.resize(header.n_fixed);
      space.hanging.entry.resize(header.n_follow);
      space.hanging.start.resize(header.n_follow == 0 ? 0
                                                      : header.n_follow + 1);
      space.hanging.source.resize(header.n_sources);
      space.hanging.weight.resize(header.n_sources);
      if (space.geometry == Geometry::quadrature)
        {
          space.points.resize(n_cells * space.points_per_cell() * space.dim());
          space.jacobians.resize(space.points.size() * space.dim());
        }
    }

    /// Returns the bytes of the whole file.
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
             header.n_cells * per_cell +
             sizeof(int) * (space.padding_index() + header.n_fixed +
                            header.n_follow + header.n_sources) +
             sizeof(std::int64_t) *
               (header.n_follow == 0 ? 0 : header.n_follow + 1) +
             sizeof(double) * header.n_sources;
    }
  } // namespace


  void
  write(const Space &space, const std::string &path)
  {
    Header header;
    header.kind             = kind;
    header.numbering        = to_field(space.numbering);
    header.cell_order       = to_field(to_string(space.cell_order));
    header.cell_type        = to_field(to_string(space.cell_type));
    header.geometry         = to_field(to_string(space.geometry));
    header.block_side       = space.block_side;
    header.degree           = space.degree;
    header.n_cells          = space.n_cells();
    header.n_vertices       = space.vertices.size() / space.dim();
    header.n_interior_cells = space.n_interior_cells;
    header.n_components     = space.n_components;
    header.n_owned          = space.n_owned;
    header.n_ghosts         = space.n_ghosts;
    header.n_hanging        = space.n_hanging;
    header.n_constrained    = space.n_constrained;
    header.n_fixed          = space.fixed.size();
    header.n_follow         = space.hanging.size();
    header.n_sources        = space.hanging.source.size();

    replace_file(path, "space file", [&](const std::string &temporary) {
      BinaryWriter file(temporary);
      file.put(&header, 1);
      for_each_array(space, [&](const auto *const values, const std::size_t n) {
        file.put(values, n);
      });
      return file.finish();
    });
  }


  Space
  read(const std::string &path)
  {
    Reader file(path, "space file");
    const Header header = file.header<Header>(kind, "space file");
    Space space         = make_space(header, file);
    file.check_size(file_size(space, header));
    resize_arrays(space, header);
    for_each_array(space, [&](auto *const values, const std::size_t n) {
      file.get(values, n);
    });
    file.finish();
    constexpr auto any  = std::numeric_limits<std::int64_t>::max();
    const auto &hanging = space.hanging;
    const int n_entries = space.n_stored() * space.n_components;
    file.require(
      std::is_sorted(hanging.start.begin(), hanging.start.end()) &&
        (hanging.start.empty() || (hanging.start.front() == 0 &&
                                   hanging.start.back() == header.n_sources)) &&
        std::is_sorted(space.fixed.begin(), space.fixed.end()) &&
        std::is_sorted(hanging.entry.begin(), hanging.entry.end()) &&
        in_range(space.fixed, n_entries) &&
        in_range(hanging.entry, n_entries) &&
        in_range(hanging.source, space.n_local() * space.n_components),
      "is damaged: a constraint is out of range");
    file.require(in_range(space.cell_dofs, space.padding_index()) &&
                   in_range(space.cell_vertices, header.n_vertices) &&
                   in_range(space.mesh_cell, any) &&
                   in_range(space.mesh_dof, any),
                 "is damaged: an index is out of range");
    return space;
  }
} // namespace tessera
