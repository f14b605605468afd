#pragma once

#include <tessera/base/error.h>
#include <tessera/study/options.h>
#include <tessera/study/record.h>

// Measures products of any sparse matrix in every format (WongKuhlDarve2015),
// without deal.II.
namespace tessera::spmv
{
  study::Options
  make_options();

  /// Runs all matrices in all formats; fills the record and prints a table.
  ExitCode
  run(const study::Options &options, study::Record &record);
} // namespace tessera::spmv
