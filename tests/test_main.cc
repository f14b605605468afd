#include "test.h"

#include <tessera/base/runtime.h>
#include <tessera/space/element.h>

#include <cstdio>
#include <cstring>

namespace
{
  std::vector<tessera::Backend> chosen = {tessera::Backend::host};
}

const std::vector<tessera::Backend> &
tessera::test::backends()
{
  return chosen;
}

bool
tessera::test::is_watched()
{
  return !has_kernels(CellType::hexahedron, 4);
}

std::vector<int>
tessera::test::degrees(const CellType type, const int first)
{
  std::vector<int> result;
  for (int degree = first; degree <= max_degree(type); ++degree)
    if (has_kernels(type, degree))
      result.push_back(degree);
  return result;
}

int
main(int argc, char **argv)
{
  using tessera::Backend;

  tessera::runtime::enable_shim();

  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], "--backend") == 0)
      {
        const std::string name = argv[i + 1];
        if (name == "cuda")
          chosen = {Backend::cuda};
        else if (name == "both")
          chosen = {Backend::host, Backend::cuda};
      }

  if (chosen.back() == Backend::cuda && tessera::runtime::n_devices() == 0)
    {
      std::puts("skipped: no CUDA device");
      return 77;
    }
  // Makes the spaces of tests that try each of them.
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
