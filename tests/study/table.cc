#include <tessera/study/table.h>

#include "test.h"

#include <limits>
#include <stdexcept>

using namespace tessera::study;

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

TEST(Table, Numbers)
{
  EXPECT_EQ(format(0), "0.00");
  EXPECT_EQ(format(9.996), "10.0");
  EXPECT_EQ(format(-123.4), "-123");
  EXPECT_EQ(format(0.012345), "0.0123");
  EXPECT_EQ(format(1.25e-7), "1.25e-07");
  EXPECT_EQ(format(4321., 2), "4321");
  EXPECT_EQ(format(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(format_count(16000000), "16 000 000");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(-1000), "-1 000");
}
