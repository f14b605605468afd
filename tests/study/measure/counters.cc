#include "counters.h"

#include "test.h"

#include <tessera/base/array.h>
#include <tessera/matrix/csr_pattern.h>
#include <tessera/operators/ell.h>

using namespace tessera;

// Tests a row's counters, and the range in which profilers see its kernels.
TEST(Counters, TheRangeHasTheNumberOfTheRowInTheRecord)
{
  program::Record record("test", {});
  program::Row row;
  row.kind = "assembly";
  row.op   = "ell";
  for (int n = 0; n < 3; ++n)
    {
      EXPECT_EQ(benchmarks::range_of(record, row),
                "tessera row " + std::to_string(n) + " assembly ell");
      record.add(row);
    }
}

TEST(Counters, AreOfWhatWasLaunchedInTheRange)
{
  if (runtime::is_shim())
    runtime::enable_shim();
  if (runtime::n_devices() == 0)
    GTEST_SKIP() << "There is no device.";
  EXPECT_FALSE(benchmarks::kernel_counters([]() {}, "nothing"));

  SparsityPattern pattern;
  pattern.row_start = {0, 1, 1, 2};
  pattern.columns   = {0, 2};
  EllMatrix<double> matrix(CsrPattern(pattern, Backend::cuda));
  matrix.values().copy_from(std::vector<double>(matrix.values().size(), 2.));
  const Ell<double> A(std::move(matrix), 0);
  Vector<double> x = A.make_vector(), y = A.make_vector();
  std::string seen;
  const auto found = benchmarks::kernel_counters(
    [&]() {
      seen = runtime::ProfiledRange::current();
      A.vmult(y, x);
    },
    "this range");
  EXPECT_EQ(seen, "this range");
  EXPECT_EQ(runtime::ProfiledRange::current(), "");
  ASSERT_TRUE(found);
  EXPECT_GE(found->at("launches"), 1);
  EXPECT_GE(found->at("block_size") * found->at("blocks"), 3);
}
