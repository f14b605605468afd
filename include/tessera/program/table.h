#pragma once

#include <string>
#include <vector>

namespace tessera::program
{
  /// A text table with aligned columns for the screen. It has the names of the
  /// columns on top, their units below, a rule, and then the rows. Text is
  /// usually aligned to the left and numbers to the right.
  class Table
  {
  public:
    enum class Align
    {
      left,
      right
    };

    void
    add_column(const std::string &name, const std::string &unit = "",
               Align align = Align::right);

    /// Adds a row. Cells are filled from the left; missing ones are empty.
    /// Throws std::length_error for more cells than columns.
    void
    add_row(const std::vector<std::string> &cells);

    /// Adds a rule between groups of rows. It is not drawn at the end of the
    /// table.
    void
    add_rule();

    int
    n_rows() const
    {
      return static_cast<int>(rows.size());
    }

    /// Returns the table. Lines end with a newline and without trailing blanks.
    /// Columns that do not fit into 120 characters follow below, after a blank
    /// line; there the first columns are repeated, up to the last column of
    /// text with which they fit into half a line.
    std::string
    str() const;

  private:
    struct Column
    {
      std::string name, unit;
      Align align;
    };

    /// Returns the columns of every part.
    std::vector<std::vector<std::size_t>>
    parts(const std::vector<std::size_t> &widths) const;

    std::vector<Column> columns;
    /// A row without cells is a rule.
    std::vector<std::vector<std::string>> rows;
  };

  /// Returns `value` with `digits` significant digits, without an exponent from
  /// 1e-3 to 1e6; "-" if it is not finite.
  std::string
  format(double value, int digits = 3);

  /// Returns a coordinate with six significant digits, or more if these leave
  /// less than three after the point, as for coordinates of maps.
  std::string
  format_coordinate(double x);

  /// Returns the coordinates of a point with commas between them.
  std::string
  format_point(const double *x, int dim);

  /// Returns `value` with blanks between groups of three digits: 16 000 000.
  std::string
  format_count(long long value);
} // namespace tessera::program
