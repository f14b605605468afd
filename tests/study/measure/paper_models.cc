#include "paper_models.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tessera::benchmarks;

/// Table 1 of RegulyGiles2015 has two digits, which are not always rounded.
TEST(PaperModels, TransferIsThatOfThePaper)
{
  const double ell[2][4] = {{1.0, 1.81, 2.25, 2.49}, {0.9, 1.58, 1.93, 2.12}};
  const double csr[2][4] = {{1.04, 1.85, 2.28, 2.51}, {0.92, 1.6, 1.95, 2.13}};
  for (const int s : {4, 8})
    for (int p = 1; p <= 4; ++p)
      {
        const double local = transfer("local_matrices", p, s);
        EXPECT_NEAR(transfer("ell", p, s) / local, ell[s / 8][p - 1], 0.01);
        EXPECT_NEAR(transfer("csr", p, s) / local, csr[s / 8][p - 1], 0.01);
      }
  EXPECT_TRUE(std::isnan(transfer("matrix_free", 1, 8)));

  // In units of four bytes: 8 + (p+1)^2 + (p+1)^4 + (p+1)^2, and (p+1)^4 more.
  EXPECT_DOUBLE_EQ(assembly_transfer("local_matrices", 2, 4),
                   4 * (8 + 9 + 81 + 9));
  EXPECT_DOUBLE_EQ(assembly_transfer("csr", 2, 4), 4 * (8 + 9 + 81 + 9 + 81));
  EXPECT_TRUE(std::isnan(assembly_transfer("matrix_free", 1, 8)));
  EXPECT_DOUBLE_EQ(paper_bytes("application", "csr", 2, 4, 10, 3),
                   10 * transfer("csr", 2, 4));
  EXPECT_DOUBLE_EQ(paper_bytes("assembly", "csr", 2, 4, 10, 3),
                   3 * assembly_transfer("csr", 2, 4));
  EXPECT_TRUE(std::isnan(paper_bytes("cg", "csr", 2, 4, 10, 3)));
}
