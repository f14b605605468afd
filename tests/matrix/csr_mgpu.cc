#include "tiles.h"
#include "turns.h"

#include <tessera/base/error.h>
#include <tessera/operators/csr_mgpu.h>

using namespace tessera;

// Tests compressed rows by segmented scans: products with rows that no mesh
// has, and the number of entries of a thread.
namespace
{
  int
  chosen(const Backend backend, const std::vector<int> &lengths)
  {
    return CsrMgpu<double>(CsrMatrix<double>(CsrPattern(
                             test::make_pattern({"", 100, lengths}), backend)),
                           100)
      .values_per_thread();
  }
} // namespace

TEST(CsrMgpu, AgreesWithASerialLoop)
{
  int turn = 0;
  for (const Backend backend : test::backends())
    for (const test::Rows &rows : test::tile_rows())
      for (const std::string &name :
           values_per_thread_options().options[0].words)
        {
          if (backend == Backend::host && name != "auto")
            continue;
          SCOPED_TRACE(to_string(backend) + ", " + rows.name + ", " + name);
          const auto values = values_per_thread_options().options[0].number(
            {{"Values per thread", name}});
          // Under sanitizers the number types take turns.
          const bool wide = test::n_turns(++turn, 2) % 2 == 0;
          if (test::in_turn(turn, 2) || !test::is_watched())
            test::check_tiles<CsrMgpu, CsrMatrix, double>(backend, rows, wide,
                                                          values);
          if (test::in_turn(turn + 1, 2) || !test::is_watched())
            test::check_tiles<CsrMgpu, CsrMatrix, float>(backend, rows, wide,
                                                         values);
        }
}

TEST(CsrMgpu, ValuesAreChosenByTheMeanLength)
{
  for (const Backend backend : test::backends())
    {
      const bool host = backend == Backend::host;
      EXPECT_EQ(chosen(backend, {}), host ? 0 : 6);
      EXPECT_EQ(chosen(backend, {8, 7, 9, 8}), host ? 0 : 6);
      EXPECT_EQ(chosen(backend, {8, 8, 9, 8}), host ? 0 : 10);
      EXPECT_EQ(chosen(backend, std::vector<int>(40, 90)), host ? 0 : 10);
    }
}

TEST(CsrMgpu, ValuesThatAreNotThereAreRefused)
{
  const SparsityPattern pattern = test::make_pattern(test::all_rows()[4]);
  for (const Backend backend : test::backends())
    for (const int values : {0, 4, 5, 6, 8, 10, 12, 16, 18, -4})
      {
        const auto make = [&]() {
          return CsrMgpu<double>(
                   CsrMatrix<double>(CsrPattern(pattern, backend)), 0, values)
            .values_per_thread();
        };
        const bool legal = values >= 4 && values <= 16 && values % 2 == 0;
        if (legal && backend == Backend::cuda)
          EXPECT_EQ(make(), values);
        else
          EXPECT_THROW(make(), ParameterError) << values;
      }
}
