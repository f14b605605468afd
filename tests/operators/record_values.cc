#include "linked.h"
#include "matrix/rows.h"
#include "test.h"

#include <tessera/operators/csr.h>
#include <tessera/operators/csr_mgpu.h>
#include <tessera/operators/factory.h>

using namespace tessera;
using namespace tessera::test;

// Records say how a product with rows was made: with the option that was asked
// for, or otherwise with the one that was chosen.
namespace
{
  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_rows(const std::string &name, const Backend backend,
            const AssemblyOptions &options)
  {
    SparsityPattern pattern;
    pattern.row_start = {0};
    for (int row = 0; row < 33; ++row)
      {
        for (int k = 0; k < 1 + row % 3; ++k)
          pattern.columns.push_back(row - k < 0 ? row + 10 + k : row - k);
        std::sort(pattern.columns.begin() + pattern.row_start.back(),
                  pattern.columns.end());
        pattern.row_start.push_back(pattern.columns.size());
      }
    return make_row_operator<Number>(name, CsrPattern(pattern, backend), 0,
                                     options);
  }

  template <class Number>
  void
  check(const Backend backend)
  {
    const bool device = backend == Backend::cuda;
    const auto whole  = [](const int number) {
      return RecordValues::mapped_type(std::int64_t(number));
    };
    AssemblyOptions options;
    for (const std::string &threads : threads_per_row_options().words())
      {
        if (!device && threads != "auto")
          continue;
        options.storage = threads_per_row_options().read(threads);
        const auto csr  = make_rows<Number>("csr", backend, options);
        EXPECT_EQ(csr->layout_parameters(), RecordValues());
        const RecordValues said = csr->product_parameters();
        if (!device)
          EXPECT_EQ(said, RecordValues());
        else if (threads == "auto")
          {
            // 33 rows have 66 entries.
            ASSERT_EQ(said.size(), 1u);
            EXPECT_EQ(said.count("T"), 1u);
          }
        else if (const int n = std::atoi(threads.c_str()))
          EXPECT_EQ(said, RecordValues({{"T", whole(n)}}));
        else
          EXPECT_EQ(said, RecordValues({{"T", threads}}));
      }

    if (is_linked("hybrid"))
      {
        options.storage   = {{"Hybrid width", "2"}};
        const auto hybrid = make_rows<Number>("hybrid", backend, options);
        EXPECT_EQ(hybrid->layout_parameters(),
                  RecordValues({{"width", whole(2)}}));
        EXPECT_EQ(hybrid->product_parameters(), RecordValues());
      }

    options.storage   = {{"Slice window", "64"}};
    const auto sorted = make_rows<Number>("sell", backend, options);
    EXPECT_EQ(
      sorted->layout_parameters(),
      RecordValues({{"C", whole(32)}, {"sigma", whole(64)}, {"T", whole(1)}}));
    EXPECT_EQ(sorted->product_parameters().count("block"), std::size_t(device));
    options.storage["Slice threshold"] = "2";
    const auto split = make_rows<Number>("sell", backend, options);
    EXPECT_EQ(split->layout_parameters().count("T"), 0u);
    EXPECT_EQ(split->layout_parameters().at("threshold"), whole(2));

    options.storage.clear();
    if (device)
      options.storage["Values per thread"] = "8";
    const auto mgpu = make_rows<Number>("csr_mgpu", backend, options);
    EXPECT_EQ(mgpu->product_parameters(),
              device ? RecordValues({{"values_per_thread", whole(8)}})
                     : RecordValues());
    EXPECT_EQ(make_rows<Number>("ell", backend, {})->product_parameters(),
              RecordValues());
  }
} // namespace

TEST(RecordValues, SayWhatWasAskedForOrChosen)
{
  for (const Backend backend : test::backends())
    {
      check<double>(backend);
      check<float>(backend);
    }
}
