#include "formats.h"

#include <tessera/operators/csr_mgpu.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/sell_packed.h>

#include <algorithm>
#include <cmath>

namespace tessera::spmv
{
  std::vector<std::string>
  format_names()
  {
    return {
#define TESSERA_FORMAT(name, sentence, paper) #name,
#include "formats.def"
#undef TESSERA_FORMAT
    };
  }

  std::string
  format_table()
  {
    std::string text;
#define TESSERA_FORMAT(name, sentence, paper) \
  text += std::string(#name) + ": " + sentence + " (" + paper + ")\n";
#include "formats.def"
#undef TESSERA_FORMAT
    return text;
  }

  namespace
  {
    constexpr int warp = 32;

    bool
    begins(const std::string &text, const std::string &with)
    {
      return text.rfind(with, 0) == 0;
    }

    Ordering
    ordering_of(const std::string &format)
    {
      const auto ends = [&](const std::string &with) {
        return format.size() > with.size() &&
               format.compare(format.size() - with.size(), with.size(), with) ==
                 0;
      };
      if (!begins(format, "ell_warp"))
        return format == "pjds" ? Ordering::by_length : Ordering::given;
      if (ends("1rs") || ends("2rs"))
        return Ordering::by_length_sorted;
      return ends("1r") || ends("2r") || ends("1r_remap") ? Ordering::by_length
                                                          : Ordering::given;
    }

    /// Shapes of sliced ELLPACK; none where the format is another.
    std::vector<SellShape>
    shapes(const std::string &format, const Choices &choices)
    {
      std::vector<SellShape> result;
      if (format == "ell_warp_k1_row_major") // a row a slice, 32 a warp
        return {{1, SellShape::all_rows}};
      if (begins(format, "ell_warp_k1"))
        return {{warp, SellShape::all_rows}};
      if (begins(format, "ell_warp_k2") || format == "sell_packed_k2")
        for (const int threshold : choices.thresholds)
          result.push_back({warp, SellShape::all_rows, 1, threshold});
      if (format == "ellr_t")
        for (const int threads : choices.threads_per_row)
          result.push_back({warp, 1, threads, 0, true});
      for (const int lanes : choices.lanes)
        {
          if (format == "sliced_ell" || format == "sell_packed" ||
              format == "sell_packed_float_values")
            result.push_back({lanes});
          if (format == "pjds")
            result.push_back({lanes, SellShape::all_rows});
          if (format == "sell_c_sigma" || format == "sell_packed_sorted")
            for (const int window : choices.windows)
              result.push_back({lanes, window});
          if (format == "sliced_ellr_t")
            for (const int threads : choices.threads_per_row)
              result.push_back({lanes, 1, threads});
        }
      return result;
    }
  } // namespace

  std::vector<Variant>
  variants(const std::string &format, const Choices &choices)
  {
    if (format == "ell" || format == "hybrid" || format == "coo" ||
        format == "csr_merge")
      return {{format, Ordering::given, {}}};
    std::vector<Variant> result;
    if (format == "csr")
      for (const ThreadsPerRow &threads : choices.csr_threads)
        result.push_back({format, Ordering::given, {}, threads});
    if (format == "csr_mgpu")
      for (const std::string &values : choices.values_per_thread)
        result.push_back({format,
                          Ordering::given,
                          {},
                          {},
                          values_per_thread_from_string(values)});
    const bool packed = begins(format, "sell_packed");
    for (const SellShape &shape : shapes(format, choices))
      for (const SellLaunch &launch :
           packed ? std::vector<SellLaunch>{{}} : choices.launches)
        {
          Variant variant{format, ordering_of(format), shape};
          variant.launch      = launch;
          variant.brings_back = format == "ell_warp_k1r_remap";
          result.push_back(variant);
        }
    return result;
  }

  std::vector<int>
  sweep_thresholds(int least, const int most)
  {
    least = std::max(least, 1);
    std::vector<int> result;
    if (most - least <= 64)
      for (int threshold = least; threshold <= most; ++threshold)
        result.push_back(threshold);
    else
      for (int i = 0; i < 32; ++i)
        {
          const double ratio = static_cast<double>(most) / least;
          const int threshold =
            static_cast<int>(std::lround(least * std::pow(ratio, i / 31.)));
          if (result.empty() || threshold > result.back())
            result.push_back(threshold);
        }
    return result;
  }

  std::optional<Product>
  product_of(const Variant &variant, const Backend backend)
  {
    // What is measured to be compared alone is no candidate.
    if (variant.brings_back || !variant.launch.read_only ||
        variant.launch.block || variant.format == "sell_packed_float_values")
      return {};
    if (variant.shape)
      return Product{begins(variant.format, "sell_packed")
                       ? ProductKernel::packed_slices
                       : ProductKernel::slices,
                     *variant.shape};
    if (variant.format == "coo")
      return Product{ProductKernel::coo};
    if (variant.format == "csr_merge")
      return Product{ProductKernel::csr_merge};
    if (variant.format == "csr_mgpu" && !variant.values_per_thread)
      return Product{ProductKernel::csr_mgpu};
    if (variant.format == "ell")
      return Product{ProductKernel::ellpack, {warp, 1, 1, 0, true}};
    if (variant.format == "csr" && backend == Backend::host)
      return Product{ProductKernel::rows_by_threads, {}, 1};
    if (!variant.csr_threads)
      return {};
    const int threads = *variant.csr_threads;
    if (threads > 0)
      return Product{ProductKernel::rows_by_threads, {}, threads};
    return Product{threads == staged_rows ? ProductKernel::rows_staged
                                          : ProductKernel::rows_streamed};
  }

  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_format(const Variant &variant, CsrPattern pattern, const int n_tail)
  {
    if (!variant.shape)
      {
        AssemblyOptions options;
        options.threads_per_row   = variant.csr_threads;
        options.values_per_thread = variant.values_per_thread;
        return make_row_operator<Number>(variant.format, std::move(pattern),
                                         n_tail, options);
      }
    SellMatrix<Number> matrix(pattern, *variant.shape);
    if (begins(variant.format, "sell_packed"))
      return std::make_unique<SellPacked<Number>>(
        std::move(matrix), n_tail,
        variant.format == "sell_packed_float_values" ? SliceValues::single_float
                                                     : SliceValues::number);
    return std::make_unique<Sell<Number>>(std::move(matrix), n_tail,
                                          variant.launch);
  }

  template std::unique_ptr<RowOperator<double>>
  make_format<double>(const Variant &, CsrPattern, int);
  template std::unique_ptr<RowOperator<float>>
  make_format<float>(const Variant &, CsrPattern, int);
} // namespace tessera::spmv
