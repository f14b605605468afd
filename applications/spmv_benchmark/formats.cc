#include "formats.h"
#include "block_rows.h"

#include <tessera/base/names.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/format_choice.h>

#include <algorithm>
#include <cmath>

namespace tessera::spmv
{
  using benchmarks::contains;
  using benchmarks::factor_of_names;
  using benchmarks::factor_of_values;
  using benchmarks::FactorEntry;
  using benchmarks::Factors;

  namespace
  {
    enum class Extra
    {
      none,
      brings_back, ///< see Storage
      float_values
    };

    struct Format
    {
      std::string name, operator_name;
      SellShape shape; ///< of slices, with 0 lanes if it has none
      Ordering ordering;
      Extra extra;
      std::string sentence, source;
    };

    // Numbers of a shape that studies vary, and their factors.
    constexpr int C = -101, sigma = -102, T = -103, K = -104;
    constexpr int all           = SellShape::all_rows;
    constexpr const char *lanes = "Slice lanes", *windows = "Slice windows",
                         *threads    = "Slice threads per row",
                         *thresholds = "Slice thresholds",
                         *blocks = "Matrix blocks", *sizes = "Block sizes",
                         *loads = "Loads of x";

    std::vector<Format>
    make_formats()
    {
      std::vector<Format> formats;
      for (const OperatorDescriptor &d : descriptors())
        if (d.has_pattern() && d.model && !d.has(slice_options()))
          formats.push_back({d.name, d.name, SellShape{0}, Ordering::given,
                             Extra::none, d.sentence, d.source});
#define TESSERA_FORMAT(name, op, lanes, window, threads, threshold, one_width, \
                       order, extra, sentence, source)                         \
  formats.push_back({#name,                                                    \
                     #op,                                                      \
                     {lanes, window, threads, threshold, one_width},           \
                     Ordering::order,                                          \
                     Extra::extra,                                             \
                     sentence,                                                 \
                     source});
#include "formats.def"
#undef TESSERA_FORMAT
      return formats;
    }

    const std::vector<Format> &
    formats()
    {
      static const std::vector<Format> result = make_formats();
      return result;
    }

    bool
    can_store_blocks(const Storage &storage)
    {
      const auto &stores = descriptor(storage.operator_name).stores_blocks;
      return storage.ordering == Ordering::given && stores &&
             stores(storage.options);
    }

    /// Adds values to a factor, each once.
    void
    add_values(Study &study, const std::string &factor, const Names &values)
    {
      Names &list = study.values[place_of(study.factors, factor)];
      for (const std::string &value : values)
        if (!contains(list, value))
          list.push_back(value);
    }

    /// Adds the ways to store a matrix in a format.
    void
    add_storages(std::vector<Storage> &to, const Study &study, const Format &of)
    {
      const OperatorDescriptor &d = descriptor(of.operator_name);
      const bool is_launched      = d.has(sell_launch_options());
      Names some                  = {blocks};
      const auto add = [&](const bool depends, const std::string &factor) {
        if (depends)
          some.push_back(factor);
      };
      add(of.shape.lanes == C, lanes);
      add(of.shape.window == sigma, windows);
      add(of.shape.threads_per_row == T, threads);
      add(of.shape.threshold == K, thresholds);
      add(is_launched, sizes);
      add(is_launched, loads);
      for (const FactorEntry &factor : study.factors)
        add(factor.set != nullptr && d.has(*factor.set), factor.name);
      for (const benchmarks::Variant &v : study.variants_of(some))
        {
          Storage storage{of.name, of.operator_name, v.options(), of.ordering,
                          of.extra == Extra::brings_back};
          const auto number = [&](const int value, const char *const factor) {
            return v[factor].empty() ? value : std::stoi(v[factor]);
          };
          if (of.shape.lanes != 0)
            storage.options.merge(options_of(
              {number(of.shape.lanes, lanes), number(of.shape.window, windows),
               number(of.shape.threads_per_row, threads),
               number(of.shape.threshold, thresholds), of.shape.one_width}));
          const auto choose = [&](const Option &option, const char *factor) {
            if (!v[factor].empty() && v[factor] != option.default_value)
              storage.options[option.name] = v[factor];
          };
          choose(sell_launch_options().options[0], sizes);
          choose(sell_launch_options().options[1], loads);
          if (of.extra == Extra::float_values)
            storage.options["Slice values"] = "float";
          if (can_store_blocks(storage))
            storage.block = number(1, blocks);
          if (std::count(to.begin(), to.end(), storage) == 0)
            to.push_back(std::move(storage));
        }
    }

    /// Returns a list of integers; the words stand for what a matrix suggests.
    FactorEntry
    of_integers(const std::string &name, const std::string &default_value,
                const int least, const int greatest,
                const std::string &documentation, const Names &words = {})
    {
      return factor_of_values(
        name, default_value,
        option_value({name, "", "", words, least, greatest}), documentation);
    }

    Factors
    make_factors()
    {
      constexpr int most = 1 << 30;
      FactorEntry formats =
        factor_of_names("Formats", "all", format_names(),
                        "see --list; auto: the one that is predicted quickest");
      const Pattern names = formats.pattern;
      formats.pattern     = {[names](const std::string &value) {
                           return value == "auto" || names.match(value);
                         },
                             "auto, " + names.legal};

      Factors lists = {
        factor_of_values(
          "Matrices", "table_2", Patterns::Anything(),
          "names of the suite (--list), table_2 for its stand-ins for the "
          "paper's, or files: Matrix Market, also compressed, or a copy in "
          "binary"),
        formats,
        benchmarks::factor("Numbers", "all"),
        factor_of_names(lanes, "32",
                        {"1", "2", "4", "8", "16", "32", "64", "128", "256"},
                        "C of sliced formats"),
        of_integers(windows, "256", 0, most,
                    "sigma of sell_c_sigma: rows that are sorted; 0: all"),
        factor_of_names(threads, "2, 4, 8", {"1", "2", "4", "8", "16", "32"},
                        "T of ellr_t and sliced_ellr_t, C at most"),
        of_integers(thresholds, "16", 1, most,
                    "entries of a thread of ell_warp_k2; all: every one where "
                    "rows are of up to 65 lengths, else 32 in equal ratios",
                    {"all"}),
        factor_of_names(
          sizes, "auto",
          {"auto", "32", "64", "96", "128", "160", "192", "224", "256"},
          "threads a block of sliced formats on a device"),
        factor_of_names(loads, "read_only", {"read_only", "plain"},
                        "how sliced formats load x on a device: plain in "
                        "blocks of auto alone"),
        of_integers(blocks, "1", 1, 3,
                    "blocks of entries that share a column index in csr, ell "
                    "and sliced formats: 1: none; 2 or 3: of 2 x 2 or 3 x 3, "
                    "filled up with zeros; auto: the largest of which a matrix "
                    "consists",
                    {"auto"}),
        of_integers("Applications", "0", 0, 1000000,
                    "one after the other, timed together; 0: as many as "
                    "suit")};
      // Shapes of slices are the formats themselves.
      for (const OptionSet *const set : option_sets())
        if (!set->varied_as.empty() && set != &slice_options())
          for (const Format &of : spmv::formats())
            if (descriptor(of.operator_name).has(*set))
              {
                benchmarks::add_options(lists, *set, owners_of(*set));
                break;
              }
      return lists;
    }
  } // namespace

  const Names &
  format_names()
  {
    static const Names names = []() {
      Names result;
      for (const Format &format : formats())
        result.push_back(format.name);
      return result;
    }();
    return names;
  }

  std::string
  format_table()
  {
    std::string text;
    for (const Format &format : formats())
      text +=
        format.name + ": " + format.sentence + " (" + format.source + ")\n";
    return text;
  }

  const Factors &
  factors()
  {
    static const Factors result = make_factors();
    return result;
  }

  Study
  study_of(Study study, const SparsityPattern &pattern)
  {
    Names found;
    if (contains(study[thresholds], "all"))
      {
        const auto &start  = pattern.row_start;
        std::int64_t least = pattern.max_row_length();
        for (int row = 0; row < pattern.n_rows(); ++row)
          least = std::min(least, start[row + 1] - start[row]);
        for (const int threshold : sweep_thresholds(static_cast<int>(least),
                                                    pattern.max_row_length()))
          found.push_back(std::to_string(threshold));
        study.values[place_of(study.factors, thresholds)] = found;
      }
    Names &of_blocks = study.values[place_of(study.factors, blocks)];
    found.clear();
    std::swap(found, of_blocks);
    for (const std::string &asked : found)
      add_values(study, blocks,
                 {asked == "auto"
                    ? std::to_string(benchmarks::largest_blocks(pattern))
                    : asked});
    return study;
  }

  std::vector<Storage>
  storages(const Study &study, const Names &names)
  {
    std::vector<Storage> result;
    for (const std::string &name : names)
      add_storages(result, study,
                   formats()[index_of_name(name, format_names(), "format")]);
    return result;
  }

  Study
  candidates_of(Study study, const Backend backend, const int number_bytes)
  {
    study.values[place_of(study.factors, blocks)] = {"1"};
    if (backend == Backend::cuda)
      add_values(study, threads_per_row_options().varied_as,
                 threads_per_row_options().words());
    for (const FormatCandidate &candidate :
         format_candidates(backend, number_bytes))
      if (const int threshold = slice_shape(candidate.options).threshold;
          threshold > 0)
        add_values(study, thresholds, {std::to_string(threshold)});
    return study;
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
