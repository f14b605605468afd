#include "predictions.h"

#include <tessera/matrices/matrix_suite.h>
#include <tessera/operators/format_choice.h>

#include <gtest/gtest.h>

#include <algorithm>

using namespace tessera;
using namespace tessera::spmv;

// Tests predicted formats for either backend; no device is needed.
namespace
{
  /// Returns predictions for the formats that the operator `auto` times.
  std::vector<Prediction>
  predictions_of(const SparseMatrix &A, const Backend backend)
  {
    std::vector<Variant> variants;
    for (const FormatCandidate &candidate : format_candidates(backend, 8))
      variants.push_back({candidate.name, candidate.name, candidate.options});
    const auto predictions = predict(A, variants, 8, backend);
    EXPECT_EQ(predictions.size(), variants.size());
    return predictions;
  }

  const Backend both[] = {Backend::host, Backend::cuda};

  TEST(Predictions, QuickestFirst)
  {
    for (const Backend backend : both)
      for (const std::string name : {"quad_2", "webbase", "empty_rows"})
        {
          const auto predictions =
            predictions_of(make_suite_matrix(name, 0.05), backend);
          EXPECT_TRUE(
            std::is_sorted(predictions.begin(), predictions.end(),
                           [](const Prediction &a, const Prediction &b) {
                             return a.seconds < b.seconds;
                           }));
          EXPECT_GT(predictions.front().seconds, 0);
          EXPECT_EQ(chosen_of(predictions, backend, 8),
                    predictions.front().variant);
        }
  }

  /// If one row is full, ELLPACK has as many places in all rows.
  TEST(Predictions, NotEllpackForADenseRow)
  {
    for (const Backend backend : both)
      {
        const auto predictions =
          predictions_of(make_suite_matrix("one_dense_row", 0.02), backend);
        const Prediction &chosen = predictions.front();
        EXPECT_NE(chosen.variant.operator_name, "ell");
        if (backend == Backend::cuda)
          {
            EXPECT_LE(chosen.work.longest, 100000 * 0.02 / 2)
              << "a thread goes through most of the row";
          }
      }
  }

  /// One block of csr_mgpu stores all of many empty rows.
  TEST(Predictions, NotByEntriesBeforeAMillionEmptyRows)
  {
    SparseMatrix A;
    A.pattern.row_start.assign(1000001, 10000);
    for (int row = 0; row < 10000; ++row)
      {
        A.pattern.row_start[row] = row;
        A.pattern.columns.push_back(row);
      }
    A.n_columns = A.n_rows();
    A.values.assign(10000, 1.);
    for (const Backend backend : both)
      {
        const auto predictions = predictions_of(A, backend);
        EXPECT_NE(predictions.front().variant.operator_name, "csr_mgpu");
        for (const Prediction &p : predictions)
          if (p.variant.operator_name == "csr_mgpu")
            {
              EXPECT_EQ(p.work.longest, (990000 + 127) / 128 - 2);
            }
      }
  }
} // namespace
