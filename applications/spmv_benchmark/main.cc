#include "spmv_benchmark.h"

#include <tessera/program/program.h>

int
main(int argc, char **argv)
{
  using namespace tessera;
  return program::run_program(argc, argv, spmv::make_options(), spmv::run);
}
