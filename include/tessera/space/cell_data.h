#pragma once

#include <tessera/base/array.h>
#include <tessera/space/coloring.h>
#include <tessera/space/space.h>

namespace tessera
{
  /// How threads that add to the same entry are kept apart; see
  /// `conflicts.def`.
  enum class Conflict
  {
#define TESSERA_CONFLICT(name, sentence, paper) name,
#include <tessera/assembly/conflicts.def>
#undef TESSERA_CONFLICT
  };

  std::string
  to_string(Conflict conflict);

  Conflict
  conflict_from_string(const std::string &name);

  /// The cells of a `Space` in the memory of one backend, as kernels read
  /// them: [batch][entry][lane]. Lanes are 32 on the device and the width of
  /// the host's SIMD type for `Number`. The last batch is filled up with cells
  /// whose degrees of freedom are the padding entry and whose vertices are
  /// those of the last cell; on the device batches are added so that every
  /// thread block is full.
  template <class Number>
  class CellData
  {
  public:
    /// Plain pointers for kernels; see the members of the same names.
    struct View
    {
      int degree;
      int n_owned;
      int n_cells;
      int n_batches;
      int n_dofs_per_cell;

      const int    *dofs;        /// [n_batches][n][lanes]
      const int    *vertices;    /// [n_batches][4][lanes]
      const Number *coordinates; /// [n_vertices][2]

      const int           *blocks;      /// [n_blocks], by colour
      const unsigned char *cell_color;  /// [n_batches][lanes]
      int                  n_cell_colors;
      int                  batches_per_block;
    };

    CellData(const Space &space, Backend backend);

    const Space &
    space() const
    {
      return *host_space;
    }

    Backend
    backend() const
    {
      return where;
    }

    int
    lanes() const
    {
      return n_lanes;
    }

    int
    n_batches() const
    {
      return batches;
    }

    /// Batches below this one hold interior cells alone.
    int
    n_interior_batches() const
    {
      return interior_batches;
    }

    /// First entries in `blocks` of every block colour, and their end.
    const std::vector<int> &
    block_start() const
    {
      return starts;
    }

    View
    view() const;

    std::size_t
    bytes() const;

    /// A vector of the space's sizes, zero.
    Vector<Number>
    make_vector() const;

  private:
    const Space                *host_space;
    Backend                     where;
    int                         n_lanes;
    int                         batches;
    int                         interior_batches;
    std::vector<int>            starts;
  };
} // namespace tessera
