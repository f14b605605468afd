#include <tessera/program/table.h>

#include "test.h"

#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace tessera::program;

TEST(Table, Aligned)
{
  Table table;
  table.add_column("operator", "", Table::Align::left);
  table.add_column("rate", "GDoF/s");
  table.add_column("±");
  table.add_row({"csr", "12.5", "1"});
  table.add_rule();
  table.add_rule();
  table.add_row({"matrix_free", "9"});
  table.add_rule();
  EXPECT_EQ(table.str(),
            "operator       rate  ±\n"
            "             GDoF/s\n"
            "-----------  ------  -\n"
            "csr            12.5  1\n"
            "-----------  ------  -\n"
            "matrix_free       9\n");
  EXPECT_THROW(table.add_row({"", "", "", ""}), std::length_error);
}

TEST(Table, WiderThanALine)
{
  Table table;
  table.add_column("p");
  table.add_column("operator", "", Table::Align::left);
  std::vector<std::string> row{"1", "matrix_free"};
  for (int c = 0; c < 12; ++c)
    {
      table.add_column("column " + std::to_string(c), c == 3 ? "GB/s" : "");
      row.push_back(std::string(15, static_cast<char>('a' + c)));
    }
  table.add_row(row);
  std::istringstream text(table.str());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);)
    lines.push_back(line);
  // Each of two parts has 6 columns of width 15 behind columns of widths 1 and
  // 11.
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_TRUE(lines[4].empty());
  for (const std::string &line : lines)
    EXPECT_LE(line.size(), 120u);
  const auto expected = [](const char first) {
    std::string line = "1  matrix_free";
    for (int c = 0; c < 6; ++c)
      line += "  " + std::string(15, static_cast<char>(first + c));
    return line;
  };
  EXPECT_EQ(lines[3], expected('a'));
  EXPECT_EQ(lines[7], expected('g'));
  EXPECT_EQ(lines[5].substr(0, 11), "p  operator");
}

TEST(Table, Numbers)
{
  EXPECT_EQ(format(0), "0.00");
  EXPECT_EQ(format(9.996), "10.0");
  EXPECT_EQ(format(-123.4), "-123");
  EXPECT_EQ(format(0.012345), "0.0123");
  EXPECT_EQ(format(1.25e-7), "1.25e-07");
  EXPECT_EQ(format(4321., 2), "4321");
  EXPECT_EQ(format(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(format_coordinate(1. / 3.), "0.333333");
  EXPECT_EQ(format_coordinate(-99.5), "-99.5");
  EXPECT_EQ(format_coordinate(5412345.875), "5412345.875");
  EXPECT_EQ(format_coordinate(-1e20), "-1e+20");
  const double point[] = {456789.25, 0.};
  EXPECT_EQ(format_point(point, 2), "456789.25, 0");
  EXPECT_EQ(format_count(16000000), "16 000 000");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(-1000), "-1 000");
}
