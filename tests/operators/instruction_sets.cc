#include "cases.h"

#include <tessera/assembly/load_vector.h>
#include <tessera/base/target.h>
#include <tessera/forms/laplace.h>

#include <cstdio>
#include <cstdlib>

// Host kernels are compiled once for each instruction set, and a process
// chooses one of them, so the others are tested in processes of their own.
namespace tessera
{
  using namespace test;

  bool
  is_close(const char *what, const double units)
  {
    if (!(units < rounding_limit))
      std::fprintf(stderr, "%s is off by %g\n", what, units);
    return units < rounding_limit;
  }

  template <class Number>
  bool
  agrees(const std::shared_ptr<const Space> &space, const Oracle &oracle)
  {
    const auto cells =
      std::make_shared<const CellData<Number>>(space, Backend::host);
    bool good = true;
    std::vector<double> reference, scale;
    auto x = random_values<Number>(space->n_owned, 3);
    x.resize(space->n_local(), Number(0));
    oracle.vmult(as_double(x), reference, scale);
    for (const std::string &name : operator_names())
      {
        const auto A =
          make_operator<Number>(name, cells, laplace(oracle.kappa));
        auto y = A->make_vector(), from = A->make_vector();
        from.copy_from(x);
        A->vmult(y, from);
        good = is_close(name.c_str(),
                        rounding_units(owned_values(y), reference, scale)) &&
               good;
      }
    auto b = cells->make_vector();
    add_load_vector(b, *cells, Coefficient::scalar(1.5), Conflict::coloring);
    oracle.load(Coefficient::scalar(1.5), reference, scale);
    return is_close("the load",
                    rounding_units(owned_values(b), reference, scale)) &&
           good;
  }

  /// Ends the process with 0 if everything agrees.
  void
  check_all(const InstructionSet set)
  {
    setenv("TESSERA_SIMD", to_string(set).c_str(), 1);
    bool good = host_instruction_set() == set;
    for (const int degree : test::degrees(CellType::quadrilateral))
      {
        const auto space = std::make_shared<const Space>(
          build_space(generated_mesh(degree, 3, 11)));
        const Oracle oracle(
          *space, varying(*space, Coefficient::Kind::per_quadrature_point));
        good = agrees<double>(space, oracle) && good;
        good = agrees<float>(space, oracle) && good;
      }
    std::exit(good ? 0 : 1);
  }

  TEST(InstructionSets, AgreeWithTheOracle)
  {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    for (const InstructionSet set : available_instruction_sets())
      {
        EXPECT_EXIT(check_all(set), testing::ExitedWithCode(0), "")
          << to_string(set);
      }
  }
} // namespace tessera
