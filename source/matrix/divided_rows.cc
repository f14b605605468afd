#include <tessera/base/error.h>
#include <tessera/matrix/divided_rows.h>

#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace tessera
{
  namespace
  {
    using Bytes = Messages::Bytes;

    /// A row within numbered rows.
    struct RowPlace
    {
      std::int64_t first, length, first_value, n_values;

      RowPlace(const NumberedRows &rows, const int row)
        : first(rows.row_start[row]),
          length(rows.row_start[row + 1] - rows.row_start[row]),
          first_value(first * rows.row_block * rows.column_block),
          n_values(length * rows.row_block * rows.column_block)
      {}
    };

    void
    append_row(Bytes &bytes, const NumberedRows &rows, const int row)
    {
      const RowPlace place(rows, row);
      append(bytes, &place.length, 1);
      append(bytes, rows.columns.data() + place.first, place.length);
      append(bytes, rows.values.data() + place.first_value, place.n_values);
    }

    void
    read_row(MessageReader &reader, NumberedRows &rows)
    {
      std::int64_t length = 0;
      reader.read(&length, 1);
      reader.append_to(rows.columns, length);
      reader.append_to(rows.values,
                       length * rows.row_block * rows.column_block);
      rows.row_start.push_back(rows.row_start.back() + length);
    }

    NumberedRows
    empty_like(const NumberedRows &rows)
    {
      NumberedRows result;
      result.row_block    = rows.row_block;
      result.column_block = rows.column_block;
      return result;
    }

    /// Adds up rows that have the same number, in the order in which they are
    /// given.
    class RowSum
    {
    public:
      explicit RowSum(NumberedRows &result)
        : result(result), rb(result.row_block), cb(result.column_block)
      {}

      void
      add(const NumberedRows &rows, const int row)
      {
        const RowPlace place(rows, row);
        for (std::int64_t k = 0; k < place.length; ++k)
          entries.push_back({rows.columns[place.first + k],
                             rows.values.data() + place.first_value + k * cb,
                             place.length * cb});
      }

      /// Appends the sum to the result.
      void
      finish()
      {
        std::stable_sort(
          entries.begin(), entries.end(),
          [](const Entry &a, const Entry &b) { return a.column < b.column; });
        const std::size_t begin = result.columns.size();
        for (const Entry &entry : entries)
          if (result.columns.size() == begin ||
              result.columns.back() != entry.column)
            result.columns.push_back(entry.column);
        const auto length =
          static_cast<std::int64_t>(result.columns.size() - begin);
        const std::size_t first_value = result.values.size();
        result.values.resize(first_value + length * rb * cb, 0.);
        std::int64_t k = -1, last = -1;
        for (const Entry &entry : entries)
          {
            k += entry.column != std::exchange(last, entry.column);
            for (int i = 0; i < rb; ++i)
              for (int j = 0; j < cb; ++j)
                result.values[first_value + (i * length + k) * cb + j] +=
                  entry.block[i * entry.stride + j];
          }
        result.row_start.push_back(result.row_start.back() + length);
        entries.clear();
      }

    private:
      struct Entry
      {
        std::int64_t column;
        const double *block;
        std::int64_t stride; ///< between the rows of the block
      };

      NumberedRows &result;
      const int rb, cb;
      std::vector<Entry> entries;
    };

    void
    sort_out(std::vector<std::int64_t> &numbers)
    {
      std::sort(numbers.begin(), numbers.end());
      numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    }

    /// Adds the columns that belong to other parts, in whole groups.
    void
    add_ghosts(std::vector<std::int64_t> &ghosts, const NumberedRows &rows,
               const DividedNodes &nodes, const int group)
    {
      for (const std::int64_t column : rows.columns)
        if (!nodes.owns(column))
          for (int i = 0; i < group; ++i)
            ghosts.push_back(column / group * group + i);
      sort_out(ghosts);
    }
  } // namespace


  std::vector<std::int64_t>
  number_nodes(const Messages &messages, const int n_owned)
  {
    std::vector<std::int64_t> first = {0};
    for (const int n : gather_values(messages, n_owned))
      first.push_back(first.back() + n);
    return first;
  }


  DividedNodes
  share_nodes(const Messages &messages, std::vector<std::int64_t> first,
              std::vector<std::int64_t> ghosts)
  {
    DividedNodes result{
      std::move(first), messages.part(), std::move(ghosts), {}};
    SharedNodes &shared = result.shared;
    shared.ghost.resize(result.ghosts.size());
    std::iota(shared.ghost.begin(), shared.ghost.end(), 0);
    shared.from.start = shared.to.start = {0};
    std::vector<Bytes> wanted(messages.n_parts());
    for (int p = 0, k = 0; p < messages.n_parts(); ++p)
      {
        const int begin = k;
        while (k < result.n_ghosts() && result.ghosts[k] < result.first[p + 1])
          ++k;
        if (k == begin)
          continue;
        append(wanted[p], result.ghosts.data() + begin, k - begin);
        shared.from.part.push_back(p);
        shared.from.start.push_back(k);
      }
    const auto asked = messages.exchange(std::move(wanted));
    for (int p = 0; p < messages.n_parts(); ++p)
      {
        if (asked[p].empty())
          continue;
        std::vector<std::int64_t> numbers;
        MessageReader(asked[p]).append_to(numbers, asked[p].size() /
                                                     sizeof(std::int64_t));
        for (const std::int64_t number : numbers)
          shared.owned.push_back(
            static_cast<int>(number - result.first[result.part]));
        shared.to.part.push_back(p);
        shared.to.start.push_back(static_cast<int>(shared.owned.size()));
      }
    return result;
  }


  NumberedRows
  number_columns(const RowsView &rows, const DividedNodes &columns)
  {
    NumberedRows result;
    result.row_block    = rows.row_block;
    result.column_block = rows.column_block;
    result.row_start.assign(rows.row_start, rows.row_start + rows.n_rows + 1);
    const std::int64_t n = result.row_start.back();
    result.columns.reserve(n);
    result.values.reserve(rows.n_values(n));
    std::vector<std::pair<std::int64_t, int>> order;
    for (int row = 0; row < rows.n_rows; ++row)
      {
        order.clear();
        for (int k = 0; k < rows.length(row); ++k)
          order.emplace_back(columns.number(rows.columns_of(row)[k]), k);
        std::sort(order.begin(), order.end());
        for (const auto &entry : order)
          result.columns.push_back(entry.first);
        for (int i = 0; i < rows.row_block; ++i)
          for (const auto &entry : order)
            for (int j = 0; j < rows.column_block; ++j)
              result.values.push_back(rows.values_of(
                row, i)[std::int64_t(entry.second) * rows.column_block + j]);
      }
    return result;
  }


  NumberedRows
  fetch_rows(const Messages &messages, const SharedNodes &shared,
             const NumberedRows &owned)
  {
    std::vector<Bytes> to(messages.n_parts());
    for (std::size_t k = 0; k < shared.to.part.size(); ++k)
      for (int i = shared.to.start[k]; i < shared.to.start[k + 1]; ++i)
        append_row(to[shared.to.part[k]], owned, shared.owned[i]);
    const auto from      = messages.exchange(std::move(to));
    NumberedRows arrived = empty_like(owned);
    std::vector<int> row_of_ghost(shared.ghost.size());
    for (std::size_t k = 0; k < shared.from.part.size(); ++k)
      {
        MessageReader reader(from[shared.from.part[k]]);
        for (int i = shared.from.start[k]; i < shared.from.start[k + 1]; ++i)
          {
            row_of_ghost[shared.ghost[i]] = arrived.n_rows();
            read_row(reader, arrived);
          }
      }
    NumberedRows result = empty_like(owned);
    RowSum row(result);
    for (const int place : row_of_ghost)
      {
        row.add(arrived, place);
        row.finish();
      }
    return result;
  }


  NumberedRows
  sum_rows(const Messages &messages, const SharedNodes &shared,
           const int n_owned, const NumberedRows &contributions)
  {
    std::vector<Bytes> to(messages.n_parts());
    for (std::size_t k = 0; k < shared.from.part.size(); ++k)
      for (int i = shared.from.start[k]; i < shared.from.start[k + 1]; ++i)
        append_row(to[shared.from.part[k]], contributions,
                   n_owned + shared.ghost[i]);
    const auto from      = messages.exchange(std::move(to));
    NumberedRows arrived = empty_like(contributions);
    std::vector<std::pair<int, int>> pieces; // owned row, row that arrived
    for (std::size_t k = 0; k < shared.to.part.size(); ++k)
      {
        MessageReader reader(from[shared.to.part[k]]);
        for (int i = shared.to.start[k]; i < shared.to.start[k + 1]; ++i)
          {
            pieces.emplace_back(shared.owned[i], arrived.n_rows());
            read_row(reader, arrived);
          }
      }
    std::sort(pieces.begin(), pieces.end());
    NumberedRows result = empty_like(contributions);
    RowSum sum(result);
    auto piece = pieces.begin();
    for (int row = 0; row < n_owned; ++row)
      {
        sum.add(contributions, row);
        for (; piece != pieces.end() && piece->first == row; ++piece)
          sum.add(arrived, piece->second);
        sum.finish();
      }
    return result;
  }


  SparseRows
  local_rows(const NumberedRows &rows, const DividedNodes &columns)
  {
    SparseRows result;
    result.n_rows       = rows.n_rows();
    result.n_columns    = columns.n_owned() + columns.n_ghosts();
    result.row_block    = rows.row_block;
    result.column_block = rows.column_block;
    result.row_start    = Array<std::int64_t>(Backend::host, rows.row_start);
    result.columns      = Array<int>(Backend::host, rows.columns.size());
    result.values       = Array<double>(Backend::host, rows.values.size());
    int *to_column      = result.columns.data();
    double *to_value    = result.values.data();
    std::vector<std::pair<int, std::int64_t>> order;
    for (int row = 0; row < rows.n_rows(); ++row)
      {
        const RowPlace place(rows, row);
        order.clear();
        for (std::int64_t k = 0; k < place.length; ++k)
          {
            const std::int64_t column = rows.columns[place.first + k];
            const auto ghost          = std::lower_bound(columns.ghosts.begin(),
                                                         columns.ghosts.end(), column);
            order.emplace_back(
              columns.owns(column)
                ? static_cast<int>(column - columns.first[columns.part])
                : columns.n_owned() +
                    static_cast<int>(ghost - columns.ghosts.begin()),
              k);
          }
        std::sort(order.begin(), order.end());
        for (const auto &entry : order)
          *to_column++ = entry.first;
        const int cb = rows.column_block;
        for (int i = 0; i < rows.row_block; ++i)
          for (const auto &entry : order)
            to_value = std::copy_n(rows.values.data() + place.first_value +
                                     (i * place.length + entry.second) * cb,
                                   cb, to_value);
      }
    return result;
  }


  DividedRows
  divide_rows(const Messages &messages, const NumberedRows &owned,
              std::vector<std::int64_t> first, const int group,
              const NumberedRows *const others)
  {
    const DividedNodes known{first, messages.part(), {}, {}};
    std::vector<std::int64_t> ghosts;
    add_ghosts(ghosts, owned, known, group);
    if (others != nullptr)
      add_ghosts(ghosts, *others, known, group);
    DividedRows result;
    result.nodes = share_nodes(messages, std::move(first), std::move(ghosts));
    result.rows  = local_rows(owned, result.nodes);
    return result;
  }


  SparseRows
  gather_rows(const Messages &messages, const NumberedRows &owned,
              const std::int64_t n_columns)
  {
    if (n_columns > std::numeric_limits<int>::max() - 1)
      throw MatrixError("A matrix of " + std::to_string(n_columns) +
                        " columns cannot be gathered in one process.");
    Bytes mine;
    const int n = owned.n_rows();
    append(mine, &n, 1);
    for (int row = 0; row < n; ++row)
      append_row(mine, owned, row);
    NumberedRows all = empty_like(owned);
    for (const Bytes &bytes : messages.gather(mine))
      {
        MessageReader reader(bytes);
        int n_of_part = 0;
        reader.read(&n_of_part, 1);
        for (int row = 0; row < n_of_part; ++row)
          read_row(reader, all);
      }
    return local_rows(all, {{0, n_columns}, 0, {}, {}});
  }
} // namespace tessera
