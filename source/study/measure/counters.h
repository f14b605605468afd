#pragma once

#include <tessera/program/kernel_counters.h>

namespace tessera::benchmarks
{
  using program::kernel_counters;

  /// Returns the NVTX range of the next row of the record. scripts/profile
  /// finds the row by its number, and compares kind and operator with it.
  inline std::string
  range_of(const program::Record &record, const program::Row &row)
  {
    return "tessera row " + std::to_string(record.rows().size()) + ' ' +
           row.kind + ' ' + row.op;
  }
} // namespace tessera::benchmarks
