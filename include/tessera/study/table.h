#pragma once

#include <string>
#include <vector>

namespace tessera::study
{
  /// A text table with aligned columns for the screen: names above, units
  /// below them, a rule, rows. Texts are aligned left, numbers right.
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

    /// Cells from the left; missing ones are empty. Throws std::length_error
    /// for more cells than columns.
    void
    add_row(const std::vector<std::string> &cells);

    /// A rule between groups of rows; not drawn at the end.
    void
    add_rule();

    int
    n_rows() const
    {
      return static_cast<int>(rows.size());
    }

    /// Lines end with a newline and without blanks.
    std::string
    str() const;

  private:
    struct Column
    {
      std::string name, unit;
      Align align;
    };

    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows; ///< no cells: a rule
  };

  /// `value` with `digits` significant ones, without an exponent from 1e-3 to
  /// 1e6; "-" where it is not finite.
  std::string
  format(double value, int digits = 3);

  /// With separators between thousands: 16 000 000.
  std::string
  format_count(long long value);
} // namespace tessera::study
