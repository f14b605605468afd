#include "poisson.h"

#include <tessera/fem/driver/application.h>

using namespace tessera;

int
main(int argc, char **argv)
{
  return run_application(
    argc, argv, "poisson",
    "Solves -div(kappa grad u) = f in two and three dimensions by continuous "
    "finite elements of degree 1 to 4.",
    declare_poisson, run_poisson<2>, run_poisson<3>, true);
}
