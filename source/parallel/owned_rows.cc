#include <tessera/matrix/divided_rows.h>
#include <tessera/parallel/messages.h>
#include <tessera/parallel/owned_rows.h>

#include <utility>

namespace tessera
{
  Share
  share(const Processes &processes, const std::int64_t n_own)
  {
    Share result;
    const std::vector<double> rows_of_process =
      processes.gather(static_cast<double>(n_own));
    for (int process = 0; process < processes.size(); ++process)
      {
        const auto count = static_cast<std::int64_t>(rows_of_process[process]);
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
    const auto messages       = make_messages(processes);
    const SharedNodes entries = entries_of_nodes(shared, n);
    DividedNodes nodes{
      number_nodes(*messages, n_owned * n), messages->part(), {}, {}};
    std::vector<std::int64_t> numbers(n_owned * n + entries.ghost.size());
    for (int i = 0; i < n_owned * n; ++i)
      numbers[i] = nodes.first[nodes.part] + i;
    import_values(*messages, entries, n_owned * n, numbers.data());
    nodes.ghosts.assign(numbers.begin() + n_owned * n, numbers.end());
    NumberedRows rows = sum_rows(*messages, entries, n_owned * n,
                                 number_columns(view(local), nodes));
    SparseMatrix result;
    result.n_columns         = static_cast<int>(nodes.n_all());
    result.pattern.row_start = std::move(rows.row_start);
    result.pattern.columns.assign(rows.columns.begin(), rows.columns.end());
    result.values = std::move(rows.values);
    return result;
  }
} // namespace tessera
