#pragma once

#include <tessera/operators/csr.h>
#include <tessera/operators/product_work.h>
#include <tessera/operators/row_operator.h>
#include <tessera/operators/sell.h>

#include <memory>
#include <optional>
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
    /// Of csr_mgpu on the device, see ValuesPerThread.
    std::vector<std::string> values_per_thread;
  };

  /// A way to store a matrix.
  struct Variant
  {
    std::string format;
    Ordering ordering = Ordering::given;
    std::optional<SellShape> shape; ///< of sliced ELLPACK
    ThreadsPerRow csr_threads            = {};
    std::optional<int> values_per_thread = {}; ///< of csr_mgpu
    SellLaunch launch                    = {}; ///< of sliced ELLPACK
    /// Whether each product ends with y in the order given.
    bool brings_back = false;

    bool
    operator==(const Variant &other) const
    {
      return format == other.format && ordering == other.ordering &&
             shape == other.shape && csr_threads == other.csr_threads &&
             values_per_thread == other.values_per_thread &&
             launch.block == other.launch.block &&
             launch.read_only == other.launch.read_only;
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

  /// How its kernel goes through it; nothing where no work is counted: of two
  /// kernels (hybrid), or of one that the matrix decides on.
  std::optional<Product>
  product_of(const Variant &variant, Backend backend);

  /// A matrix of zeros. Throws ParameterError for a shape that is not legal.
  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_format(const Variant &variant, CsrPattern pattern, int n_tail);
} // namespace tessera::spmv
