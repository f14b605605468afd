#include "send_values.h"

#include <tessera/parallel/owned_rows.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera
{
  using internal::send_values;

  namespace
  {
    struct NumberedEntry
    {
      int column; ///< of the whole matrix
      double value;
    };

    /// The entries of some rows, one row behind the other.
    struct RowList
    {
      std::vector<int> length;            ///< [n_rows]
      std::vector<NumberedEntry> entries; ///< of all rows
    };

    /// Returns the numbers of the owned nodes and ghosts of this part.
    std::vector<int>
    numbers_of_nodes(const Processes &processes, const Transport &transport,
                     const SharedNodes &shared, const int n_owned)
    {
      std::vector<int> result(n_owned), of_shared;
      std::iota(result.begin(), result.end(),
                static_cast<int>(share(processes, n_owned).before));
      for (const int node : shared.owned)
        of_shared.push_back(result[node]);
      const std::vector<int> of_ghosts =
        send_values(transport, of_shared, shared.to, shared.from);
      result.resize(n_owned + of_ghosts.size());
      for (std::size_t k = 0; k < of_ghosts.size(); ++k)
        result[n_owned + shared.ghost[k]] = of_ghosts[k];
      return result;
    }

    /// Returns how many entries go to or come from each neighbour, if `length`
    /// says how many each row has, of which a shared node has n.
    Envelopes
    envelopes_of(const Envelopes &nodes, const std::vector<int> &length,
                 const int n)
    {
      Envelopes result{nodes.part, {0}};
      for (std::size_t k = 0; k < nodes.part.size(); ++k)
        {
          int sum = result.start.back();
          for (int row = nodes.start[k] * n; row < nodes.start[k + 1] * n;
               ++row)
            sum += length[row];
          result.start.push_back(sum);
        }
      return result;
    }

    /// Sends the rows of ghosts to their owners, and returns those that arrive
    /// for nodes of this part, [shared.owned][n].
    RowList
    send_rows(const Transport &transport, const SharedNodes &shared,
              const RowList &rows, const int n)
    {
      RowList result;
      result.length =
        send_values(transport, rows.length, shared.from, shared.to, n);
      result.entries = send_values(transport, rows.entries,
                                   envelopes_of(shared.from, rows.length, n),
                                   envelopes_of(shared.to, result.length, n));
      return result;
    }
  } // namespace


  Share
  share(const Processes &processes, const std::int64_t n_here)
  {
    Share result;
    const std::vector<double> counts =
      processes.gather(static_cast<double>(n_here));
    for (int process = 0; process < processes.size(); ++process)
      {
        const auto count = static_cast<std::int64_t>(counts[process]);
        result.all += count;
        if (process < processes.rank())
          result.before += count;
      }
    return result;
  }


  SparseMatrix
  owned_rows(const Processes &processes, const SparseMatrix &local,
             const SharedNodes &shared, const int n_owned, const int n)
  {
    const auto transport = make_mpi_transport(processes, Backend::host);
    const std::vector<int> number_of =
      numbers_of_nodes(processes, *transport, shared, n_owned);
    const auto put = [&](std::vector<NumberedEntry> &entries, const int row) {
      const auto &start = local.pattern.row_start;
      for (auto k = start[row]; k < start[row + 1]; ++k)
        {
          const int column = local.pattern.columns[k];
          entries.push_back(
            {number_of[column / n] * n + column % n, local.values[k]});
        }
      return static_cast<int>(start[row + 1] - start[row]);
    };

    RowList of_ghosts;
    for (const int ghost : shared.ghost)
      for (int c = 0; c < n; ++c)
        of_ghosts.length.push_back(
          put(of_ghosts.entries, (n_owned + ghost) * n + c));
    const RowList arrived = send_rows(*transport, shared, of_ghosts, n);
    // What arrives for each row, as the places of its pieces.
    std::vector<std::vector<std::pair<std::size_t, int>>> pieces(
      std::size_t(n_owned) * n);
    std::size_t place = 0;
    for (std::size_t k = 0; k < arrived.length.size(); ++k)
      {
        pieces[std::size_t(shared.owned[k / n]) * n + k % n].emplace_back(
          place, arrived.length[k]);
        place += arrived.length[k];
      }

    SparseMatrix result;
    result.n_columns = static_cast<int>(share(processes, n_owned).all * n);
    result.pattern.row_start.push_back(0);
    std::vector<NumberedEntry> row;
    for (int i = 0; i < n_owned * n; ++i)
      {
        row.clear();
        put(row, i);
        for (const auto &[first, length] : pieces[i])
          row.insert(row.end(), arrived.entries.begin() + first,
                     arrived.entries.begin() + first + length);
        std::stable_sort(row.begin(), row.end(),
                         [](const NumberedEntry &a, const NumberedEntry &b) {
                           return a.column < b.column;
                         });
        int last = -1;
        for (const NumberedEntry &entry : row)
          if (entry.column == std::exchange(last, entry.column))
            result.values.back() += entry.value;
          else
            {
              result.pattern.columns.push_back(entry.column);
              result.values.push_back(entry.value);
            }
        result.pattern.row_start.push_back(
          static_cast<std::int64_t>(result.values.size()));
      }
    return result;
  }
} // namespace tessera
