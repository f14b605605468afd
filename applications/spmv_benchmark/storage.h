#pragma once

#include <tessera/operators/sell.h>

#include <string>

namespace tessera::spmv
{
  /// The order of rows, and of vectors with them.
  enum class Ordering
  {
    given,
    by_length,        ///< longer rows first; entries of a row keep their order
    by_length_sorted, ///< entries of a row are also sorted by column
  };

  /// A way to store a matrix: an operator of rows with its options.
  struct Storage
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
    name() const
    {
      return format + (block == 1 ? "" : "_blocks_" + std::to_string(block));
    }

    bool
    operator==(const Storage &other) const
    {
      return format == other.format && options == other.options &&
             block == other.block;
    }
  };
} // namespace tessera::spmv
