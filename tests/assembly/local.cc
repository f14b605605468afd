#include "local_entries.h"
#include "operators/each_case.h"

#include <tessera/assembly/assemble.h>
#include <tessera/forms/laplace.h>

// Tests every entry of stored cell matrices against the oracle.
namespace tessera
{
  using namespace test;

  TEST_P(EachCase, EntriesOfCellMatricesAreThoseOfTheOracle)
  {
    std::size_t turn = 7 * GetParam();
    const auto check = [&](const auto number, const Backend backend) {
      using Number = std::remove_const_t<decltype(number)>;
      const CellData<Number> cells(c.space, backend);
      for (const Oracle &oracle : c.oracles)
        {
          const FormData<Number> kappa(laplace(oracle.kappa), cells);
          for (const bool upper : {false, true})
            for (const std::string &strategy : strategies(*c.space))
              {
                if (!in_turn(++turn, 10))
                  continue;
                const int n_entries =
                  n_local_entries(upper, c.space->dofs_per_cell());
                // Values must be written and not added.
                Array<Number> values(backend, random_values<Number>(
                                                std::size_t(cells.n_batches()) *
                                                cells.lanes() * n_entries));
                assemble_local(values.data(), upper, kappa, strategy);
                EXPECT_LT(worst_entry(values, upper, cells, oracle),
                          rounding_limit)
                  << to_string(backend) << " " << strategy
                  << (upper ? " upper" : " full") << " kind "
                  << static_cast<int>(oracle.kappa.kind);
              }
        }
    };
    for (const Backend backend : backends())
      {
        check(double(), backend);
        check(float(), backend);
      }
  }
} // namespace tessera
