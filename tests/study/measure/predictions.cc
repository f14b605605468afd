#include "predictions.h"

#include <tessera/operators/csr.h>
#include <tessera/operators/format_choice.h>
#include <tessera/study/matrices/matrix_suite.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "product_costs.h"

using namespace tessera;
using namespace tessera::spmv;

// Tests predicted formats for either backend; no device is needed.
namespace
{
  /// Returns predictions for the formats that the operator `auto` times.
  std::vector<Prediction>
  predictions_of(const SparseMatrix &A, const Backend backend)
  {
    std::vector<Storage> variants;
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
                    predictions.front().storage);
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
        EXPECT_NE(chosen.storage.operator_name, "ell");
        if (backend == Backend::cuda)
          {
            EXPECT_LE(chosen.work.longest, 100000 * 0.02 / 2)
              << "a thread goes through most of the row";
          }
      }
  }

  struct Measured
  {
    const char *matrix, *name;
    int number_bytes, threads_per_row, threshold;
    double microseconds;
  };

  /// The quickest formats of matrices were measured on an H200 (the table of
  /// the page ell_warp, 2026-11-22), and predictions are as long.
  TEST(Predictions, AreWhatWasMeasuredOnTheDevice)
  {
    SparseMatrix A;
    std::string name_of_A;
    for (const Measured &m :
         {Measured{"heart_3k", "csr", 8, 8, 0, 2.04},
          Measured{"heart_30k", "ell", 4, 0, 0, 2.57},
          Measured{"heart_30k_shuffled", "csr", 8, 4, 0, 4.71},
          Measured{"epidemiology", "csr", 8, staged_rows, 0, 8.67},
          Measured{"fem_accelerator", "csr", 4, streamed_rows, 0, 8.88},
          Measured{"qcd", "ell", 8, 0, 0, 4.96},
          Measured{"fem_harbor", "sell_short", 8, 0, 16, 12.12},
          Measured{"protein", "sell_short", 4, 0, 64, 9.87},
          Measured{"protein", "sell_packed", 8, 0, 64, 14.77},
          Measured{"circuit", "csr_mgpu", 8, 0, 0, 7.57},
          Measured{"one_dense_row", "csr_mgpu", 8, 0, 0, 4.22}})
      {
        if (name_of_A != m.matrix)
          A = make_suite_matrix(name_of_A = m.matrix, 1);
        StorageOptions options;
        if (m.threshold > 0)
          options = options_of({32, SellShape::all_rows, 1, m.threshold});
        if (m.name == std::string("csr"))
          options["Threads per row"] =
            to_string(ThreadsPerRow(m.threads_per_row));
        const auto predictions = predict(A, {{m.name, m.name, options}},
                                         m.number_bytes, Backend::cuda);
        ASSERT_EQ(predictions.size(), 1u);
        EXPECT_NEAR(std::log(1e6 * predictions.front().seconds),
                    std::log(m.microseconds), std::log(1.3))
          << m.name << " of " << m.matrix;
      }
  }

  /// Formats that are not the quickest take up to a few times as long, and the
  /// host moves some gigabytes a second.
  TEST(Predictions, OfOtherFormatsAreOfThatSize)
  {
    struct Quickest
    {
      const char *matrix;
      double seconds, times;
    };
    for (const auto &[matrix, quickest, times] :
         {Quickest{"qcd", 4.96e-6, 3}, Quickest{"circuit", 7.57e-6, 5}})
      {
        const SparseMatrix A = make_suite_matrix(matrix, 1);
        const StorageOptions sorted =
          options_of({32, SellShape::all_rows, 1, 64});
        std::vector<Storage> variants = {{"coo", "coo", {}},
                                         {"csr_merge", "csr_merge", {}}};
        for (const char *name : {"sell", "sell_packed", "sell_short"})
          {
            variants.push_back({name, name, {}});
            variants.push_back({name, name, sorted});
          }
        for (const Prediction &p : predict(A, variants, 8, Backend::cuda))
          {
            EXPECT_GT(p.seconds, quickest / 1.3) << p.storage.operator_name;
            EXPECT_LT(p.seconds, quickest * times) << p.storage.operator_name;
          }
        variants = {{"csr", "csr", {}}, {"sell", "sell", {}}};
        for (const Prediction &p : predict(A, variants, 8, Backend::host))
          {
            const double rate = (p.work.stored + p.work.vectors) / p.seconds;
            EXPECT_GT(rate, 8e9) << p.storage.operator_name;
            EXPECT_LT(rate, 50e9) << p.storage.operator_name;
          }
      }
  }

  /// What is lost among other costs of these products must be possible.
  TEST(Predictions, CostsAreThoseOfAMachine)
  {
    using namespace costs;
    const auto within = [](const double value, const double least,
                           const double most) {
      EXPECT_GE(value, least);
      EXPECT_LE(value, most);
    };
    for (const Kernel &k :
         {rows_staged, rows_streamed, rows_by_threads, ellpack, slices_few,
          slices_many, sorted_slices_few, sorted_slices_many, packed_slices,
          sorted_packed_slices, short_slices_few, short_slices_many,
          sorted_short_slices_few, sorted_short_slices_many, coo, csr_merge,
          csr_mgpu})
      {
        within(k.launch, 3e-7, 1e-5);
        within(k.start, 0, 1e-5);
        within(k.step, 1e-8, 5e-7);
        within(k.entry, 0, 1e-6);
        within(k.request, 0, 1e-11);
      }
    for (const double byte :
         {cached_byte, stored_byte, gathered_byte, far_byte})
      within(byte, 2e-14, 5e-13); // 50 and 2 TB/s
    within(host_launch, 1e-9, 1e-6);
    for (const double byte :
         {host_byte_of_rows, host_byte_of_slices, host_vector_byte})
      within(byte, 5e-12, 2e-10); // 200 and 5 GB/s
    within(host_request, 1e-11, 5e-9);
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
        EXPECT_NE(predictions.front().storage.operator_name, "csr_mgpu");
        for (const Prediction &p : predictions)
          if (p.storage.operator_name == "csr_mgpu")
            {
              EXPECT_EQ(p.work.longest, (990000 + 127) / 128 - 2);
            }
      }
  }
} // namespace
