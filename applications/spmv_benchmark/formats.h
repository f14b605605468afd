#pragma once

#include <tessera/assembly/options.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/csr_mgpu.h>
#include <tessera/operators/sell.h>

#include <string>
#include <vector>

namespace tessera::spmv
{
  std::vector<std::string>
  format_names();

  /// A line a format, for a table.
  std::string
  format_table();

  /// In which order rows stand, and vectors with them.
  enum class Ordering
  {
    given,
    by_length,        ///< longer ones first; entries of a row as they were
    by_length_sorted, ///< and by column
  };

  /// What is varied of the formats that have it.
  struct Choices
  {
    std::vector<int> lanes;           ///< of a slice, C
    std::vector<int> windows;         ///< sigma
    std::vector<int> threads_per_row; ///< T
    std::vector<int> thresholds;      ///< of ELL-WARP K2
    std::vector<ThreadsPerRow> csr_threads;
    std::vector<SellLaunch> launches; ///< of sliced ELLPACK on the device
    std::vector<ValuesPerThread> values_per_thread; ///< of csr_mgpu
  };

  /// A way to store a matrix: an operator of rows with its options.
  struct Variant
  {
    std::string format;
    std::string operator_name;
    StorageOptions options = {};
    Ordering ordering      = Ordering::given;
    /// Whether each product ends with y in the order given.
    bool brings_back = false;

    bool
    operator==(const Variant &other) const
    {
      return format == other.format && options == other.options;
    }
  };

  /// All that the choices make of a format.
  std::vector<Variant>
  variants(const std::string &format, const Choices &choices);

  /// Of a matrix whose rows have `least` to `most` entries: all from `least`,
  /// or 1, to `most` where these are at most 65, else 32 in equal ratios with
  /// both ends (WongKuhlDarve2015, section 6, where the threshold goes from the
  /// shortest to the longest row).
  std::vector<int>
  sweep_thresholds(int least, int most);
} // namespace tessera::spmv
