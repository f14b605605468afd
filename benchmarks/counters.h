#pragma once

#include <tessera/study/kernel_counters.h>

namespace tessera::benchmarks
{
  using study::kernel_counters;

  /// Returns the NVTX range of the next row of the record. scripts/profile
  /// finds the row by its number, and compares kind and operator with it.
  inline std::string
  range_of(const study::Record &record, const study::Row &row)
  {
    return "tessera row " + std::to_string(record.rows().size()) + ' ' +
           row.kind + ' ' + row.op;
  }
} // namespace tessera::benchmarks
