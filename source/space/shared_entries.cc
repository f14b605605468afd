#include <tessera/base/parallel_vector.h>
#include <tessera/space/cell_interior.h>
#include <tessera/space/element.h>
#include <tessera/space/shared_entries.h>

#include "shared_entries_kernels.h"

#include <algorithm>

namespace tessera
{
  namespace
  {
    std::vector<int>
    inner_nodes(const Space &space)
    {
      return on_element(space.cell_type, space.degree, [](const auto element) {
        using E = std::decay_t<decltype(element)>;
        std::vector<int> nodes;
        for (int i = 0; i < E::n; ++i)
          if (is_cell_interior<E>(i))
            nodes.push_back(i);
        return nodes;
      });
    }

    using Pieces = std::vector<SharedEntries::Piece>;

    /// Returns the lines of [begin, n) that have entries that are not `inner`,
    /// in pieces.
    Pieces
    shared_pieces(const std::vector<char> &inner, const std::int64_t begin,
                  const std::int64_t n)
    {
      constexpr int line = SharedEntries::line;
      Pieces pieces;
      for (std::int64_t start = begin; start < n; start += line)
        {
          const int first = static_cast<int>(start);
          const int end   = static_cast<int>(std::min(n, start + line));
          if (std::find(inner.begin() + first, inner.begin() + end, 0) ==
              inner.begin() + end)
            continue;
          if (pieces.empty() ||
              pieces.back().first + pieces.back().count < first ||
              pieces.back().count == SharedEntries::longest_piece)
            pieces.push_back({first, 0});
          pieces.back().count += end - first;
        }
      return pieces;
    }

    /// Returns the pieces of all entries. Threads share stretches of them, at
    /// whose ends pieces end.
    Pieces
    shared_pieces(const std::vector<char> &inner)
    {
      constexpr std::int64_t stretch = 1 << 16;
      const auto n                   = static_cast<std::int64_t>(inner.size());
      std::vector<Pieces> found(n / stretch + 1);
#pragma omp parallel for schedule(static)
      for (std::size_t s = 0; s < found.size(); ++s)
        found[s] = shared_pieces(
          inner, s * stretch,
          std::min(n, static_cast<std::int64_t>(s + 1) * stretch));
      Pieces pieces;
      for (const Pieces &some : found)
        pieces.insert(pieces.end(), some.begin(), some.end());
      return pieces;
    }
  } // namespace

  SharedEntries::SharedEntries(const Space &space, const Backend backend)
  {
    if (backend != Backend::cuda || space.n_device_cells > 0)
      return;
    const std::vector<int> nodes = inner_nodes(space);
    if (nodes.empty())
      return;
    auto inner = parallel_vector<char>(space.n_local());
#pragma omp parallel for
    for (int cell = 0; cell < space.n_cells(); ++cell)
      for (const int i : nodes)
        inner[space.cell_dofs
                [static_cast<std::size_t>(cell) * space.dofs_per_cell() + i]] =
          1;
    const Pieces shared   = shared_pieces(inner);
    std::int64_t n_shared = 0;
    for (const Piece &piece : shared)
      n_shared += piece.count;
    if (static_cast<double>(n_shared) <= largest_part * space.n_local())
      pieces = Array<Piece>(backend, shared);
  }

  template <class Number>
  void
  SharedEntries::zero(Vector<Number> &y, const Stream stream) const
  {
    if (n_pieces() == 0)
      y.zero(stream);
    else
      zero_pieces(pieces.data(), n_pieces(), y.data(), stream);
  }

  template void
  SharedEntries::zero(Vector<double> &, Stream) const;
  template void
  SharedEntries::zero(Vector<float> &, Stream) const;
} // namespace tessera
