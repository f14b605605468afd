#pragma once

#include <tessera/matrix/sparsity_pattern.h>
#include <tessera/operators/sell.h>

#include <map>
#include <string>
#include <vector>

namespace tessera::spmv
{
  std::vector<std::string>
  format_names();

  /// Returns a table with one line per format.
  std::string
  format_table();

  /// The order of rows, and of vectors with them.
  enum class Ordering
  {
    given,
    by_length,        ///< longer rows first; entries of a row keep their order
    by_length_sorted, ///< entries of a row are also sorted by column
  };

  /// Stands for the largest blocks of which a matrix consists.
  constexpr int found_blocks = 0;

  /// The options that are varied for formats that have them.
  struct Choices
  {
    std::vector<int> lanes;           ///< C, lanes per slice
    std::vector<int> windows;         ///< sigma, rows sorted together
    std::vector<int> threads_per_row; ///< T, for slices
    std::vector<int> thresholds;      ///< of ELL-WARP K2
    bool all_thresholds = false;      ///< take all of `sweep_thresholds`
    /// Rows and columns of the blocks of entries that share a column index, 1
    /// for single entries, or `found_blocks`.
    std::vector<int> matrix_blocks;
    /// Further options, by the operators that have them.
    std::map<std::string, std::vector<StorageOptions>> options;
  };

  /// A way to store a matrix: an operator of rows with its options.
  struct Variant
  {
    std::string format;
    std::string operator_name;
    StorageOptions options = {};
    Ordering ordering      = Ordering::given;
    /// If true, each product ends by bringing y to the order given.
    bool brings_back = false;
    /// b: b x b entries share a column index.
    int block = 1;

    /// Returns the format, and of blocks for example csr_blocks_3.
    std::string
    name() const;

    bool
    operator==(const Variant &other) const
    {
      return format == other.format && options == other.options &&
             block == other.block;
    }
  };

  /// Returns what the choices mean for a matrix, whose rows say which
  /// thresholds there are, and whose entries which blocks.
  Choices
  choices_for(const Choices &choices, const SparsityPattern &pattern);

  /// Returns all variants of a format that the choices give. Formats that
  /// cannot store blocks have single entries whatever is asked for.
  std::vector<Variant>
  variants(const std::string &format, const Choices &choices);

  /// Returns thresholds for rows with `least` to `most` entries: all from
  /// `least`, but at least 1, to `most` if these are at most 65; otherwise 32
  /// in equal ratios, both ends included (WongKuhlDarve2015, section 6: the
  /// threshold goes from the shortest to the longest row).
  std::vector<int>
  sweep_thresholds(int least, int most);
} // namespace tessera::spmv
