#include <tessera/program/table.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <stdexcept>

namespace tessera::program
{
  namespace
  {
    /// Counts characters on the screen: bytes that start one in UTF-8.
    std::size_t
    width_of(const std::string &text)
    {
      return std::count_if(text.begin(), text.end(), [](const char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
      });
    }

    constexpr std::size_t line_width = 120;
    const std::string gap            = "  "; ///< between columns

    void
    strip_end(std::string &line)
    {
      line.erase(line.find_last_not_of(' ') + 1);
    }
  } // namespace

  void
  Table::add_column(const std::string &name, const std::string &unit,
                    const Align align)
  {
    columns.push_back({name, unit, align});
  }

  void
  Table::add_row(const std::vector<std::string> &cells)
  {
    if (cells.size() > columns.size())
      throw std::length_error("Table::add_row: more cells than columns");
    rows.push_back(cells);
    rows.back().resize(columns.size());
  }

  void
  Table::add_rule()
  {
    if (!rows.empty() && !rows.back().empty())
      rows.emplace_back();
  }

  std::string
  Table::str() const
  {
    std::vector<std::string> names, units;
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < columns.size(); ++c)
      {
        names.push_back(columns[c].name);
        units.push_back(columns[c].unit);
        widths.push_back(
          std::max(width_of(columns[c].name), width_of(columns[c].unit)));
        for (const auto &row : rows)
          if (!row.empty())
            widths[c] = std::max(widths[c], width_of(row[c]));
      }

    std::string text;
    for (const std::vector<std::size_t> &part : parts(widths))
      {
        std::string rule;
        for (const std::size_t c : part)
          rule += std::string(widths[c], '-') + gap;
        strip_end(rule);
        const auto append = [&](const std::vector<std::string> &cells) {
          std::string line;
          for (const std::size_t c : part)
            {
              const std::string blanks(widths[c] - width_of(cells[c]), ' ');
              line += (columns[c].align == Align::right ? blanks + cells[c]
                                                        : cells[c] + blanks) +
                      gap;
            }
          strip_end(line);
          text += line + "\n";
        };
        text += text.empty() ? "" : "\n";
        append(names);
        if (std::any_of(part.begin(), part.end(),
                        [&](const std::size_t c) { return !units[c].empty(); }))
          append(units);
        text += rule + "\n";
        for (std::size_t r = 0; r < rows.size(); ++r)
          if (!rows[r].empty())
            append(rows[r]);
          else if (r + 1 < rows.size())
            text += rule + "\n";
      }
    return text;
  }

  std::vector<std::vector<std::size_t>>
  Table::parts(const std::vector<std::size_t> &widths) const
  {
    const auto width = [&](const std::vector<std::size_t> &part) {
      std::size_t sum = 0;
      for (const std::size_t c : part)
        sum += widths[c] + gap.size();
      return sum - std::min(sum, gap.size());
    };
    std::vector<std::size_t> all(columns.size()), key;
    std::iota(all.begin(), all.end(), 0);
    if (width(all) <= line_width)
      return {all};
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c].align == Align::left)
        if (std::vector<std::size_t> longer(all.begin(), all.begin() + c + 1);
            width(longer) <= line_width / 2)
          key = longer;
    std::vector<std::vector<std::size_t>> result{key};
    for (std::size_t c = key.size(); c < columns.size(); ++c)
      {
        auto longer = result.back();
        longer.push_back(c);
        if (width(longer) > line_width && result.back().size() > key.size())
          {
            longer = key;
            longer.push_back(c);
            result.push_back(longer);
          }
        else
          result.back() = longer;
      }
    return result;
  }

  std::string
  format(const double value, const int digits)
  {
    if (!std::isfinite(value))
      return "-";
    char text[64];
    std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
    const double size = std::abs(value);
    if (size != 0 && (size < 1e-3 || size >= 1e6))
      return text;
    // Rounding may have added a digit in front: 9.996 becomes 10.0.
    const int exponent = std::atoi(std::strchr(text, 'e') + 1);
    std::snprintf(text, sizeof text, "%.*f", std::max(0, digits - 1 - exponent),
                  value);
    return text;
  }

  std::string
  format_coordinate(const double x)
  {
    int before = 1; // digits before the point
    for (double size = std::abs(x); size >= 10 && before < 12; size /= 10)
      ++before;
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", std::max(6, before + 3), x);
    return text;
  }

  std::string
  format_point(const double *const x, const int dim)
  {
    std::string text;
    for (int d = 0; d < dim; ++d)
      text += (d == 0 ? "" : ", ") + format_coordinate(x[d]);
    return text;
  }

  std::string
  format_count(const long long value)
  {
    std::string digits = std::to_string(std::abs(value));
    for (std::size_t i = digits.size(); i > 3; i -= 3)
      digits.insert(i - 3, " ");
    return value < 0 ? "-" + digits : digits;
  }
} // namespace tessera::program
