#include "predictions.h"

#include <tessera/base/error.h>
#include <tessera/matrix/reordering.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/csr_mgpu.h>
#include <tessera/operators/format_choice.h>
#include <tessera/operators/sell_compressed.h>

#include <algorithm>
#include <map>

#include "product_model.h"

namespace tessera::spmv
{
  namespace
  {
    std::optional<Product>
    product_of_csr(const StorageOptions &options, const Backend backend)
    {
      if (backend == Backend::host)
        return Product{ProductKernel::rows_by_threads};
      const ThreadsPerRow threads = threads_per_row(options);
      if (!threads)
        return {};
      if (*threads > 0)
        return Product{ProductKernel::rows_by_threads, {}, *threads};
      return Product{*threads == staged_rows ? ProductKernel::rows_staged
                                             : ProductKernel::rows_streamed};
    }

    std::optional<Product>
    product_of_ell(const StorageOptions &, Backend)
    {
      return Product{ProductKernel::ellpack, {32, 1, 1, 0, true}};
    }

    /// There is no prediction for launches, values and entries per thread other
    /// than the default.
    template <ProductKernel kernel>
    std::optional<Product>
    product_of_slices(const StorageOptions &options, Backend)
    {
      for (const OptionSet *const set :
           {&sell_launch_options(), &slice_values_options(),
            &values_per_thread_options()})
        if (set->text(options) != set->text({}))
          return {};
      return Product{kernel, slice_shape(options)};
    }

    /// The operators whose products can be predicted.
    const std::map<std::string, decltype(&product_of_csr)> predicted = {
      {"csr", product_of_csr},
      {"ell", product_of_ell},
      {"sell", product_of_slices<ProductKernel::slices>},
      {"sell_packed", product_of_slices<ProductKernel::packed_slices>},
      {"sell_short", product_of_slices<ProductKernel::short_slices>},
      {"coo", product_of_slices<ProductKernel::coo>},
      {"csr_merge", product_of_slices<ProductKernel::csr_merge>},
      {"csr_mgpu", product_of_slices<ProductKernel::csr_mgpu>}};
  } // namespace

  std::optional<Product>
  product_of(const std::string &operator_name, const StorageOptions &options,
             const Backend backend)
  {
    const auto found = predicted.find(operator_name);
    if (found == predicted.end())
      return {};
    return found->second(options, backend);
  }

  std::vector<Prediction>
  predict(const SparseMatrix &A, const std::vector<Storage> &variants,
          const int number_bytes, const Backend backend)
  {
    std::vector<Prediction> predictions;
    const auto add = [&](const Ordering ordering, const SparseMatrix &ordered) {
      for (const Storage &variant : variants)
        if (const auto product =
              product_of(variant.operator_name, variant.options, backend);
            product && variant.ordering == ordering && !variant.brings_back &&
            variant.block == 1)
          try
            {
              const ProductWork work =
                count_work(ordered.pattern, *product, number_bytes);
              predictions.push_back(
                {variant, work, predict_seconds(work, *product, backend)});
            }
          catch (const ParameterError &)
            {} // where this variant is measured, its row gives the reason
    };
    add(Ordering::given, A);
    // Orderings follow one another, because each copy is as large as A.
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

  const Storage &
  chosen_of(const std::vector<Prediction> &predictions, const Backend backend,
            const int number_bytes)
  {
    const std::vector<FormatCandidate> looked_at =
      format_candidates(backend, number_bytes);
    for (const Prediction &prediction : predictions)
      {
        const Storage &variant = prediction.storage;
        if (variant.ordering == Ordering::given &&
            std::any_of(looked_at.begin(), looked_at.end(),
                        [&](const FormatCandidate &candidate) {
                          return variant.operator_name == candidate.name &&
                                 variant.options == candidate.options;
                        }))
          return variant;
      }
    return predictions.front().storage;
  }
} // namespace tessera::spmv
