#include "elasticity.h"

#include <tessera/fem/driver/application.h>

using namespace tessera;

int
main(int argc, char **argv)
{
  return run_application(
    argc, argv, "elasticity",
    "Solves -div sigma(u) = f, linear elasticity in three dimensions, plane "
    "strain or plane stress, by continuous finite elements.",
    declare_elasticity, run_elasticity<2>, run_elasticity<3>, true);
}
