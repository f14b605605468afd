#include "predictions.h"

#include <tessera/base/error.h>
#include <tessera/matrix/reordering.h>
#include <tessera/operators/format_choice.h>
#include <tessera/operators/product_model.h>

#include <algorithm>

namespace tessera::spmv
{
  std::vector<Prediction>
  predict(const SparseMatrix &A, const std::vector<Variant> &variants,
          const int number_bytes, const Backend backend)
  {
    std::vector<Prediction> predictions;
    const auto add = [&](const Ordering ordering, const SparseMatrix &ordered) {
      for (const Variant &variant : variants)
        if (const auto product =
              product_of(variant.operator_name, variant.options, backend);
            product && variant.ordering == ordering && !variant.brings_back)
          try
            {
              const ProductWork work =
                count_work(ordered.pattern, *product, number_bytes);
              predictions.push_back(
                {variant, work, predict_seconds(work, *product, backend)});
            }
          catch (const ParameterError &)
            {} // its row says why there is no such shape
    };
    add(Ordering::given, A);
    // One at a time: each is as large as A.
    if (A.n_columns == A.n_rows())
      {
        const std::vector<int> order = order_by_row_length(A.pattern.row_start);
        for (const Ordering ordering :
             {Ordering::by_length, Ordering::by_length_sorted})
          if (std::any_of(variants.begin(), variants.end(), [&](const auto &v) {
                return v.ordering == ordering;
              }))
            add(ordering,
                reorder(A, order, ordering == Ordering::by_length_sorted));
      }
    std::stable_sort(
      predictions.begin(), predictions.end(),
      [](const auto &a, const auto &b) { return a.seconds < b.seconds; });
    return predictions;
  }

  const Variant &
  chosen_of(const std::vector<Prediction> &predictions, const Backend backend,
            const int number_bytes)
  {
    const std::vector<FormatCandidate> looked_at =
      format_candidates(backend, number_bytes);
    for (const Prediction &prediction : predictions)
      {
        const Variant &variant = prediction.variant;
        if (variant.ordering == Ordering::given &&
            std::any_of(looked_at.begin(), looked_at.end(),
                        [&](const FormatCandidate &candidate) {
                          return variant.operator_name == candidate.name &&
                                 variant.options == candidate.options;
                        }))
          return variant;
      }
    return predictions.front().variant;
  }

  void
  add_thresholds_looked_at(std::vector<int> &thresholds, const Backend backend,
                           const int number_bytes)
  {
    for (const FormatCandidate &candidate :
         format_candidates(backend, number_bytes))
      if (const int threshold = candidate.options.sell.threshold;
          threshold > 0 &&
          std::count(thresholds.begin(), thresholds.end(), threshold) == 0)
        thresholds.push_back(threshold);
  }
} // namespace tessera::spmv
