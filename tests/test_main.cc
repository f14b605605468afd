#include "test.h"

#include <tessera/base/runtime.h>
#include <tessera/space/element.h>

#include "turns.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace
{
  std::vector<tessera::Backend> chosen = {tessera::Backend::host};
  std::size_t seed                     = 0;
  bool all_are_tried = false, took_turns = false;
} // namespace

bool
tessera::test::read_seed()
{
  const char *const given = std::getenv("TESSERA_TEST_SEED");
  const std::string text  = given ? given : "0";
  all_are_tried           = text == "full";
  if (all_are_tried)
    return true;
  if (text.empty() || text.size() > 9 ||
      text.find_first_not_of("0123456789") != std::string::npos)
    {
      std::printf(
        "TESSERA_TEST_SEED is \"%s\"; legal are numbers of at most "
        "nine digits and full.\n",
        text.c_str());
      return false;
    }
  seed = std::stoul(text);
  return true;
}

bool
tessera::test::in_turn(const std::size_t index, const std::size_t n)
{
  if (n < 1 || n > 10)
    throw std::logic_error("ten seeds must try all combinations");
  took_turns = true;
  return all_are_tried || (index + seed) % n == 0;
}

std::size_t
tessera::test::n_turns(const std::size_t index, const std::size_t n)
{
  took_turns = true;
  return (index + seed) / n;
}

void
tessera::test::print_seed(const std::vector<char *> &command)
{
  if (!took_turns)
    return;
  std::printf(
    "Combinations took turns. To repeat this run: TESSERA_TEST_SEED=%s",
    all_are_tried ? "full" : std::to_string(seed).c_str());
  for (const char *const word : command)
    std::printf(" %s", word);
  std::puts("");
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
  if (!tessera::test::read_seed())
    return 2;
  const std::vector<char *> command(argv, argv + argc);
  // Makes the spaces of tests that try each of them.
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  if (result != 0)
    tessera::test::print_seed(command);
  return result;
}
