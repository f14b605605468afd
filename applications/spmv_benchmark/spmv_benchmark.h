#pragma once

#include <tessera/base/error.h>
#include <tessera/study/options.h>
#include <tessera/study/record.h>

// Products of any sparse matrix in every format (WongKuhlDarve2015); needs no
// deal.II.
namespace tessera::spmv
{
  study::Options
  make_options();

  /// All matrices in all formats, into the record and a table on the screen.
  ExitCode
  run(const study::Options &options, study::Record &record);
} // namespace tessera::spmv
