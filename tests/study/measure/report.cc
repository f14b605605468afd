#include "report.h"
#include "matrix_oracle.h"
#include "verify.h"

#include <tessera/base/vector_operations.h>

#include <gtest/gtest.h>

// Tests the errors, the repeatability and the rates that are reported.
namespace
{
  using namespace tessera;
  using benchmarks::Report;

  /// y = x + `drift` for the first call, and twice that for the second one.
  class Drifting : public Operator<double>
  {
  public:
    Drifting(const double drift, const bool repeats)
      : drift(drift), repeats(repeats)
    {}

    Backend
    backend() const override
    {
      return Backend::host;
    }

    int
    n_owned() const override
    {
      return 3;
    }

    int
    n_tail() const override
    {
      return 0;
    }

    void
    vmult(Vector<double> &y, const Vector<double> &x, const Epilogue<double> &,
          Stream) const override
    {
      ++n_calls;
      for (int i = 0; i < 3; ++i)
        y.data()[i] = x.data()[i] + drift * n_calls;
    }

    void
    diagonal(Vector<double> &, Stream) const override
    {}

    Traffic
    traffic() const override
    {
      return {};
    }

    bool
    repeatable() const override
    {
      return repeats;
    }

    std::string
    name() const override
    {
      return "drifting";
    }

    mutable int n_calls = 0;

  private:
    const double drift;
    const bool repeats;
  };

  program::Row
  verified(const double drift, const bool repeats, bool &wrong)
  {
    program::Record record("bench", {});
    Report report(record, 1e9, 1.);
    program::Row row;
    row.backend = "host";
    row.number  = "double";
    report.measure(row, [&](program::Row &r) {
      const Drifting A(drift, repeats);
      auto x = A.make_vector(), y = A.make_vector();
      benchmarks::verify(r, report, A, y, x,
                         [](const std::vector<double> &values) {
                           return 1000 * values.front();
                         });
    });
    wrong = report.wrong();
    return record.rows().front();
  }

  TEST(Report, ComparesBitsOfWhatIsCalledRepeatable)
  {
    bool wrong       = false;
    program::Row row = verified(0, true, wrong);
    EXPECT_TRUE(*row.repeatable);
    EXPECT_FALSE(wrong);
    row = verified(1e-12, true, wrong);
    EXPECT_EQ(row.reason, "The second application gave other bits.");
    EXPECT_TRUE(wrong);
    row = verified(1e-12, false, wrong);
    EXPECT_FALSE(*row.repeatable);
    EXPECT_FALSE(wrong);
  }

  TEST(Report, KeepsTheErrorAndCallsItWrongAboveTheLimit)
  {
    bool wrong       = false;
    program::Row row = verified(5e-4, false, wrong);
    EXPECT_DOUBLE_EQ(row.error, 0.5);
    EXPECT_FALSE(wrong);
    row = verified(5e-3, false, wrong);
    EXPECT_DOUBLE_EQ(row.error, 5);
    EXPECT_TRUE(wrong);
  }

  TEST(Report, FailsWithoutASolveThatConverges)
  {
    program::Record record("bench", {});
    Report report(record, 1e9, 1.);
    const auto add = [&](const bool completed, const bool converged) {
      program::Row row;
      row.solve.emplace();
      row.solve->converged = converged;
      row.completed        = completed;
      report.measure(row, [](program::Row &r) { r.error = 0; });
    };
    add(true, false);
    add(false, true);
    EXPECT_TRUE(report.wrong());
    EXPECT_EQ(report.verdict(), "FAIL: no solve converged.\n");
    add(true, true);
    EXPECT_FALSE(report.wrong());
    EXPECT_EQ(report.verdict(), "PASS: no row is wrong.\n");
  }

  TEST(Report, RatesFollowFromSecondsAndCounts)
  {
    program::Record record("bench", {});
    const Report report(record, 8e9, 1.);
    program::Row row;
    row.dofs             = 3000000;
    row.cells            = 1000000;
    row.compulsory_bytes = 4000000;
    report.set_time(row, {1e-3, 2e-3, 1e-4, 7, 3}, 6e6, 1e7);
    EXPECT_DOUBLE_EQ(row.seconds_median, 2e-3);
    EXPECT_DOUBLE_EQ(row.gdofs_per_s, 1.5);
    EXPECT_DOUBLE_EQ(row.gcells_per_s, 0.5);
    EXPECT_DOUBLE_EQ(row.gflops, 5);
    EXPECT_DOUBLE_EQ(row.bandwidth, 2e9);
    EXPECT_DOUBLE_EQ(row.fraction_of_copy, 0.25);
    EXPECT_DOUBLE_EQ(row.fraction_of_model, 0.375);
    EXPECT_EQ(row.samples, 7);
  }

  TEST(Report, ErrorsOfProductsAreCountedInRoundings)
  {
    SparseMatrix A;
    A.pattern.row_start   = {0, 2, 3};
    A.pattern.columns     = {0, 1, 1};
    A.n_columns           = 2;
    A.values              = {1., -3., 0.5};
    const auto oracle     = spmv::make_matrix_oracle<double>(A, 7);
    const Precision one   = precision_of<double>();
    std::vector<double> y = oracle.y;
    EXPECT_EQ(spmv::error(oracle, y, one), 0);
    y[1] += 8 * one.eps * oracle.scale[1];
    EXPECT_NEAR(spmv::error(oracle, y, one), 8, 2);
    y[0] += 1;
    EXPECT_GT(spmv::error(oracle, y, one), 1e14);
    y[0] = std::nan("");
    EXPECT_TRUE(std::isinf(spmv::error(oracle, y, one)));
  }
} // namespace
