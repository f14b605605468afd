#include <tessera/operators/models.h>

#include "test.h"

using namespace tessera;

// Tests the models of bytes that operators of the study bring with them against
// formulas by hand.
TEST(StudyModels, OfProducts)
{
  // p = 2: a row has 16 entries, and a cell 9 nodes.
  EXPECT_DOUBLE_EQ(models::application("coo", 2, 8), 16 * 16 + 16);
  EXPECT_DOUBLE_EQ(models::application("coo", 1, 4), 12 * 9 + 8);
  EXPECT_DOUBLE_EQ(models::application("lazy_ell", 2, 8), 12 * 81 / 4. + 20);
  EXPECT_DOUBLE_EQ(models::application("lazy_ell", 1, 4), 8 * 16 + 12);
  for (const std::string name :
       {"csr_merge", "csr_padded", "hybrid", "lazy_ell_consolidated"})
    EXPECT_EQ(models::application(name, 3, 4), models::csr(3, 4)) << name;
  EXPECT_EQ(models::application("matrix_free_local", 3, 4),
            models::matrix_free(3, 4));
}

TEST(StudyModels, OfAssembly)
{
  EXPECT_EQ(models::assembly("hybrid", 2, 8), models::assembly("csr", 2, 8));
  // p = 1: degrees of freedom (also vertex indices), a vertex and 16 entries.
  EXPECT_DOUBLE_EQ(models::assembly("lazy_ell", 1, 8), 16 + 16 + 12 * 16 + 8);
}
