#include "matrix/rows.h"
#include "test.h"

#include <tessera/operators/csr.h>
#include <tessera/operators/csr_mgpu.h>
#include <tessera/operators/factory.h>
#include <tessera/study/kernel_counters.h>
#include <tessera/study/product_parameters.h>

using namespace tessera;
using namespace tessera::test;

// Records say how a product with rows was made: with the option that was asked
// for, or else with the one that was chosen.
namespace
{
  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  made(const std::string &name, const Backend backend,
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

  using Parameters = std::map<std::string, study::Value>;

  template <class Number>
  void
  check(const Backend backend)
  {
    const bool device = backend == Backend::cuda;
    const auto whole  = [](const int number) {
      return study::Value(std::int64_t(number));
    };
    AssemblyOptions options;
    for (const std::string &threads : threads_per_row_names())
      {
        if (!device && threads != "auto")
          continue;
        options.threads_per_row = threads_per_row_from_string(threads);
        const auto csr          = made<Number>("csr", backend, options);
        EXPECT_EQ(study::layout_parameters(*csr), Parameters());
        const Parameters said = study::product_parameters(*csr);
        if (!device)
          EXPECT_EQ(said, Parameters());
        else if (threads == "auto")
          {
            // 33 rows have 66 entries.
            ASSERT_EQ(said.size(), 1u);
            EXPECT_EQ(said.count("T"), 1u);
          }
        else if (const int n = std::atoi(threads.c_str()))
          EXPECT_EQ(said, Parameters({{"T", whole(n)}}));
        else
          EXPECT_EQ(said, Parameters({{"T", threads}}));
      }

    options              = {};
    options.hybrid_width = 2;
    const auto hybrid    = made<Number>("hybrid", backend, options);
    EXPECT_EQ(study::layout_parameters(*hybrid),
              Parameters({{"width", whole(2)}}));
    EXPECT_EQ(study::product_parameters(*hybrid), Parameters());

    options             = {};
    options.sell.window = 64;
    const auto sorted   = made<Number>("sell", backend, options);
    EXPECT_EQ(
      study::layout_parameters(*sorted),
      Parameters({{"C", whole(32)}, {"sigma", whole(64)}, {"T", whole(1)}}));
    EXPECT_EQ(study::product_parameters(*sorted).count("block"),
              std::size_t(device));
    options.sell.threshold = 2;
    const auto split       = made<Number>("sell", backend, options);
    EXPECT_EQ(study::layout_parameters(*split).count("T"), 0u);
    EXPECT_EQ(study::layout_parameters(*split).at("threshold"), whole(2));

    options                   = {};
    options.values_per_thread = device ? 8 : std::optional<int>();
    const auto mgpu           = made<Number>("csr_mgpu", backend, options);
    EXPECT_EQ(study::product_parameters(*mgpu),
              device ? Parameters({{"values_per_thread", whole(8)}})
                     : Parameters());
    EXPECT_EQ(study::product_parameters(*made<Number>("ell", backend, {})),
              Parameters());
  }
} // namespace

TEST(ProductParameters, SayWhatWasAskedForOrChosen)
{
  for (const Backend backend : test::backends())
    {
      check<double>(backend);
      check<float>(backend);
    }
}
