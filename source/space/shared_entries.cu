#include <tessera/base/global_thread.cuh>

#include "shared_entries_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128, warp = 32;

    /// Sets y[i] = 0 for the entries of all pieces, with one warp per piece.
    /// Bytes per piece: 8 read, and its entries written. The result is
    /// repeatable.
    template <class Number>
    TESSERA_KERNEL(threads, 16)
    void zero_shared(const SharedEntries::Piece *pieces, const int n_pieces,
                     Number *y)
    {
      const std::int64_t thread = global_thread<threads>();
      const std::int64_t k      = thread / warp;
      if (k >= n_pieces)
        return;
      const SharedEntries::Piece piece = pieces[k];
      TESSERA_UNROLL
      for (int j = 0; j < SharedEntries::longest_piece / warp; ++j)
        {
          const int i = j * warp + static_cast<int>(thread % warp);
          if (i < piece.count)
            y[piece.first + i] = Number(0);
        }
    }
  } // namespace

  template <class Number>
  void
  zero_pieces(const SharedEntries::Piece *pieces, const int n_pieces, Number *y,
              const Stream stream)
  {
    launch(
      zero_shared<Number>,
      shape_of_threads<threads>(static_cast<std::int64_t>(n_pieces) * warp),
      stream, pieces, n_pieces, y);
  }

  template void
  zero_pieces(const SharedEntries::Piece *, int, double *, Stream);
  template void
  zero_pieces(const SharedEntries::Piece *, int, float *, Stream);
} // namespace tessera
