#include "monodomain.h"

#include <tessera/fem/driver/application.h>

using namespace tessera;

int
main(int argc, char **argv)
{
  return run_application(
    argc, argv, "monodomain",
    "Computes the electrical activity of heart tissue: the monodomain equation "
    "with a cell model at every node or point, by operator splitting or "
    "implicit steps.",
    declare_monodomain, run_monodomain<2>, run_monodomain<3>, true);
}
