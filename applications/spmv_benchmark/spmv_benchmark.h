#pragma once

#include <tessera/base/error.h>
#include <tessera/program/options.h>
#include <tessera/program/record.h>

// Measures products of any sparse matrix in every format (WongKuhlDarve2015),
// without deal.II.
namespace tessera::spmv
{
  program::Options
  make_options();

  /// Runs all matrices in all formats; fills the record and prints a table.
  ExitCode
  run(const program::Options &options, program::Record &record);
} // namespace tessera::spmv
