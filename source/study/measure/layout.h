#pragma once

#include <tessera/program/record.h>
#include <tessera/program/table.h>

#include <functional>
#include <string>
#include <vector>

namespace tessera::benchmarks
{
  using Cells = std::vector<std::string>; ///< of a line, one for each column

  struct Column
  {
    std::string name, unit = "";
    program::Table::Align align = program::Table::Align::right;
  };

  using Columns = std::vector<Column>;

  /// A column of words.
  Column
  words(const std::string &name);

  /// How a program shows its rows on the screen.
  struct Layout
  {
    Columns columns;
    /// Returns the line of a row. The verdict is added to the last cell.
    std::function<Cells(const program::Row &)> line;
    /// Returns what progress says of a row that was completed.
    std::function<std::string(const program::Row &)> result;
    std::string legend; ///< below the table
    /// True if lines and progress are grouped by the name of the case, false
    /// if by the degree.
    bool by_case = true;
    /// True if errors are in roundings, so that the legend says their limit.
    bool errors_in_roundings = true;
  };

  /// Adds the rates, the median with its spread, the model, bytes, the paper's
  /// count, set-up and error of products.
  void
  add_product_columns(Columns &columns);
  void
  add_product_cells(Cells &line, const program::Row &row);

  /// Operators of finite element spaces.
  const Layout &
  operator_layout();

  /// Returns "-" for what is not known.
  std::string
  percent(double fraction);

  /// Returns the operator with its library and the number of processes, if
  /// there are several.
  std::string
  operator_of(const program::Row &row);

  /// Returns the operator with the options that distinguish rows.
  std::string
  what(const program::Row &row);
} // namespace tessera::benchmarks
