#pragma once

#include "vtu_file.h"

#include <tessera/base/collect_bytes.h>

#include <ostream>
#include <string>
#include <vector>

namespace tessera
{
  /// A grid of which each process has a piece, in one file of VTKHDF: the
  /// format that VTK keeps in files of HDF5. Points and fields have double
  /// precision if `in_double`, else single; points have it, too, if
  /// `points_in_double`. Only a reference to the grid is kept.
  class VtkHdf
  {
  public:
    /// How much a process has of the grid.
    struct Piece
    {
      std::size_t n_points, n_cells;
    };

    /// Returns true if this build has HDF5, which all below needs.
    static bool
    is_there();

    VtkHdf(const VtuGrid &grid, bool in_double, bool points_in_double);

    Piece
    piece() const;

    /// Hands one of the arrays of this process, numbered from 0 on, to `take`.
    void
    produce(int section, const TakeBytes &take) const;

    /// Writes the file of all pieces, whose arrays come from `collect`. They
    /// are compressed in chunks of HDF5's filter `deflate`, by all threads. The
    /// file is put together in memory, compressed, so that a disk that fails
    /// is the stream's matter.
    void
    write(const std::vector<Piece> &pieces, const CollectBytes &collect,
          std::ostream &out) const;

  private:
    /// An array of the file.
    struct Array
    {
      enum Type
      {
        numbers, ///< float or double
        integers,
        bytes
      } type;
      std::string path;
      const VtuGrid::Field *field = nullptr; ///< if it is one
      int n_components            = 1;
      bool in_double              = false;

      std::size_t
      entry_bytes() const
      {
        return type == bytes ? 1 : type == integers || in_double ? 8 : 4;
      }
    };

    const VtuGrid &grid;
    std::vector<Array> arrays;
  };
} // namespace tessera
