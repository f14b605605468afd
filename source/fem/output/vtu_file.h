#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace tessera
{
  /// An unstructured grid of one type of cells with fields, as files of VTK
  /// have it.
  struct VtuGrid
  {
    struct Field
    {
      std::string name;
      int n_components;           ///< 1 or 3
      std::vector<double> values; ///< [n][n_components]
    };

    std::uint8_t cell_type = 0;             ///< VTK's number
    int n_corners          = 1;             ///< of a cell
    std::vector<double> points;             ///< [n_points][3]
    std::vector<std::int32_t> connectivity; ///< [n_cells][n_corners]
    /// Parts a direction into which cells of the mesh are cut, one after the
    /// other. A file says so, because a reader then knows the polynomials.
    int subdivisions = 1;
    std::vector<Field> of_points, of_cells;
  };

  /// Writes VTK's XML format. Arrays are compressed in blocks, by all threads.
  /// Points and fields have double precision if `in_double`, else single;
  /// points have it, too, if `points_in_double`.
  void
  write_vtu(const VtuGrid &grid, std::ostream &out, bool in_double = false,
            bool points_in_double = false);

  /// Returns true if points are so far from the origin that single precision
  /// would move them by what is seen, as with coordinates of maps.
  bool
  is_far(const VtuGrid &grid);

  /// Writes the file that makes one grid of the .vtu files of several
  /// processes, `pieces`, which have the fields of `grid`.
  void
  write_pvtu(const VtuGrid &grid, const std::vector<std::string> &pieces,
             std::ostream &out, bool in_double = false,
             bool points_in_double = false);
} // namespace tessera
