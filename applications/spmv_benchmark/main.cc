#include "spmv_benchmark.h"

#include <tessera/study/program.h>

int
main(int argc, char **argv)
{
  using namespace tessera;
  return study::run_program(argc, argv, spmv::make_options(), spmv::run);
}
