#include "formats.h"
#include "block_rows.h"

#include <tessera/operators/descriptor.h>

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

    bool
    ends(const std::string &text, const std::string &with)
    {
      return text.size() > with.size() &&
             text.compare(text.size() - with.size(), with.size(), with) == 0;
    }

    bool
    has_float_values(const std::string &format)
    {
      return ends(format, "_float_values");
    }

    Ordering
    ordering_of(const std::string &format)
    {
      if (!begins(format, "ell_warp"))
        return format == "pjds" ? Ordering::by_length : Ordering::given;
      if (ends(format, "1rs") || ends(format, "2rs"))
        return Ordering::by_length_sorted;
      return ends(format, "1r") || ends(format, "2r") ||
                 ends(format, "1r_remap")
               ? Ordering::by_length
               : Ordering::given;
    }

    std::string
    operator_of(const std::string &format)
    {
      if (format == "csr" || format == "ell" || format == "hybrid" ||
          format == "coo" || format == "csr_merge" || format == "csr_mgpu")
        return format;
      for (const char *name : {"sell_packed", "sell_short"})
        if (begins(format, name))
          return name;
      return "sell";
    }

    /// Returns shapes of slices for formats whose operators have them.
    std::vector<SellShape>
    shapes(const std::string &format, const Choices &choices)
    {
      std::vector<SellShape> result;
      if (format == "ell_row_major") // a slice per row, all of one width
        return {{1, 1, 1, 0, true}};
      if (format == "ell_warp_k1_row_major") // a slice per row
        return {{1, SellShape::all_rows}};
      if (begins(format, "ell_warp_k1"))
        return {{warp, SellShape::all_rows}};
      if (begins(format, "ell_warp_k2") || ends(format, "_k2"))
        for (const int threshold : choices.thresholds)
          result.push_back({warp, SellShape::all_rows, 1, threshold});
      if (format == "ellr_t")
        for (const int threads : choices.threads_per_row)
          result.push_back({warp, 1, threads, 0, true});
      for (const int lanes : choices.lanes)
        {
          if (format == "sliced_ell" || format == operator_of(format) ||
              has_float_values(format))
            result.push_back({lanes});
          if (format == "pjds")
            result.push_back({lanes, SellShape::all_rows});
          if (format == "sell_c_sigma" || ends(format, "_sorted"))
            for (const int window : choices.windows)
              result.push_back({lanes, window});
          if (format == "sliced_ellr_t")
            for (const int threads : choices.threads_per_row)
              result.push_back({lanes, 1, threads});
        }
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
    Variant variant{format,
                    operator_of(format),
                    {},
                    ordering_of(format),
                    format == "ell_warp_k1r_remap"};
    std::vector<Variant> result;
    const auto add = [&](const std::vector<StorageOptions> &choices) {
      for (const StorageOptions &options : choices)
        {
          result.push_back(variant);
          result.back().options.insert(options.begin(), options.end());
        }
    };
    if (format == "csr")
      add(choices.of_csr);
    else if (format == "csr_mgpu")
      add(choices.of_csr_mgpu);
    else if (begins(variant.operator_name, "sell"))
      for (const SellShape &shape : shapes(format, choices))
        {
          variant.options = options_of(shape);
          if (has_float_values(format))
            variant.options["Slice values"] = "float";
          if (variant.operator_name == "sell")
            add(choices.of_sell);
          else
            result.push_back(variant);
        }
    else
      result.push_back(variant);
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
