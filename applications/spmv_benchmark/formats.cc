#include "formats.h"
#include "block_rows.h"

#include <tessera/base/names.h>
#include <tessera/operators/descriptor.h>

#include <algorithm>
#include <cmath>

namespace tessera::spmv
{
  namespace
  {
    enum class Extra
    {
      none,
      brings_back, ///< see Variant
      float_values
    };

    struct Format
    {
      const char *name, *operator_name;
      SellShape shape; ///< of slices, with 0 lanes if it has none
      Ordering ordering;
      Extra extra;
      const char *sentence, *source;
    };

    // Numbers of a shape that studies vary.
    constexpr int C = -101, sigma = -102, T = -103, K = -104;
    constexpr int all = SellShape::all_rows;

    const Format formats[] = {
#define TESSERA_FORMAT(name, op, lanes, window, threads, threshold, one_width, \
                       order, extra, sentence, source)                         \
  {#name,                                                                      \
   #op,                                                                        \
   {lanes, window, threads, threshold, one_width},                             \
   Ordering::order,                                                            \
   Extra::extra,                                                               \
   sentence,                                                                   \
   source},
#include "formats.def"
#undef TESSERA_FORMAT
    };

    /// Returns the options of all shapes that a format has.
    std::vector<StorageOptions>
    shapes(const SellShape &of, const Choices &choices)
    {
      if (of.lanes == 0)
        return {{}};
      const auto values = [](const int value, const int varied,
                             const std::vector<int> &list) {
        return value == varied ? list : std::vector<int>{value};
      };
      std::vector<StorageOptions> result;
      for (const int lanes : values(of.lanes, C, choices.lanes))
        for (const int window : values(of.window, sigma, choices.windows))
          for (const int n :
               values(of.threads_per_row, T, choices.threads_per_row))
            for (const int most : values(of.threshold, K, choices.thresholds))
              result.push_back(
                options_of({lanes, window, n, most, of.one_width}));
      return result;
    }

    bool
    can_store_blocks(const Variant &variant)
    {
      const auto &stores = descriptor(variant.operator_name).stores_blocks;
      return variant.ordering == Ordering::given && stores &&
             stores(variant.options);
    }

    /// Returns the variants in blocks of all sizes.
    std::vector<Variant>
    in_blocks(const std::vector<Variant> &variants,
              const std::vector<int> &sizes)
    {
      std::vector<Variant> result;
      for (Variant variant : variants)
        for (const int size :
             can_store_blocks(variant) ? sizes : std::vector<int>{1})
          {
            variant.block = size;
            result.push_back(variant);
          }
      return result;
    }
  } // namespace

  std::vector<std::string>
  format_names()
  {
    std::vector<std::string> names;
    for (const Format &format : formats)
      names.emplace_back(format.name);
    return names;
  }

  std::string
  format_table()
  {
    std::string text;
    for (const Format &format : formats)
      text += std::string(format.name) + ": " + format.sentence + " (" +
              format.source + ")\n";
    return text;
  }

  std::string
  Variant::name() const
  {
    return format + (block == 1 ? "" : "_blocks_" + std::to_string(block));
  }

  Choices
  choices_for(const Choices &choices, const SparsityPattern &pattern)
  {
    Choices result = choices;
    if (choices.all_thresholds)
      {
        const auto &start  = pattern.row_start;
        std::int64_t least = pattern.max_row_length();
        for (int row = 0; row < pattern.n_rows(); ++row)
          least = std::min(least, start[row + 1] - start[row]);
        result.thresholds =
          sweep_thresholds(static_cast<int>(least), pattern.max_row_length());
      }
    result.matrix_blocks.clear();
    for (const int asked : choices.matrix_blocks)
      {
        const int size =
          asked == found_blocks ? benchmarks::largest_blocks(pattern) : asked;
        if (std::count(result.matrix_blocks.begin(), result.matrix_blocks.end(),
                       size) == 0)
          result.matrix_blocks.push_back(size);
      }
    return result;
  }

  std::vector<Variant>
  variants(const std::string &format, const Choices &choices)
  {
    const Format &of = formats[index_of_name(format, format_names(), "format")];
    const auto of_operator = choices.options.find(of.operator_name);
    const auto more        = of_operator == choices.options.end()
                               ? std::vector<StorageOptions>(1)
                               : of_operator->second;
    std::vector<Variant> result;
    for (StorageOptions of_shape : shapes(of.shape, choices))
      {
        if (of.extra == Extra::float_values)
          of_shape["Slice values"] = "float";
        for (const StorageOptions &choice : more)
          {
            result.push_back({format, of.operator_name, of_shape, of.ordering,
                              of.extra == Extra::brings_back});
            result.back().options.insert(choice.begin(), choice.end());
          }
      }
    return in_blocks(result, choices.matrix_blocks);
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
} // namespace tessera::spmv
