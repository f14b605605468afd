#include "market_text.h"

using namespace tessera;
using namespace tessera::test;

namespace
{
  const std::string banner = "%%MatrixMarket matrix array real general\n";

  class MarketVector : public MatrixFolder
  {
  protected:
    std::string
    refusal_of(const std::string &text)
    {
      store_bytes(path, text);
      return error_of<MatrixError>([&] { read_market_vector(path); });
    }

    void
    expect_refused(const std::string &text, const std::string &end)
    {
      EXPECT_EQ(refusal_of(text), "The matrix file '" + path + end) << text;
    }
  };
} // namespace

TEST_F(MarketVector, OneNumberOnALine)
{
  const auto read = [&](const std::string &text) {
    store_bytes(path, text);
    return read_market_vector(path);
  };
  EXPECT_EQ(read(banner + "% b\n\n3 1\n1.5\n%\n-2d-3\n 0\n"),
            (std::vector<double>{1.5, -2e-3, 0}));
  EXPECT_EQ(read("%%MatrixMarket MATRIX Array integer general\n2 1\n7\n-1"),
            (std::vector<double>{7, -1}));
  EXPECT_TRUE(read(banner + "0 1\n").empty());
}

TEST_F(MarketVector, WhatIsRefused)
{
  expect_refused("%%MatrixMarket matrix coordinate real general\n",
                 ":1' has the format 'coordinate'; legal is array.");
  expect_refused("%%MatrixMarket matrix array pattern general\n",
                 ":1' has the field 'pattern'; legal is real or integer.");
  expect_refused("%%MatrixMarket matrix array real symmetric\n",
                 ":1' has the symmetry 'symmetric'; legal is general.");
  expect_refused(banner,
                 ":1' ends where numbers of rows and columns are expected.");
  expect_refused(banner + "2 2\n1\n2\n3\n4\n",
                 ":2' has 2 columns, of which a vector has 1.");
  expect_refused(banner + "2 1\n1\n", ":3' ends after 1 of 2 entries.");
  expect_refused(banner + "1 1\n1\n2\n",
                 ":4' has more than the announced 1 entry.");
  expect_refused(banner + "1 1\n1 2\n",
                 ":3' has '2' where the end of the line is expected.");
  expect_refused(banner + "1 1\ninf\n",
                 ":3' has 'inf' where a finite number is expected.");
}
