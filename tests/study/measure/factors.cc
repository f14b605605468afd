#include "factors.h"

#include <tessera/base/error.h>
#include <tessera/operators/factory.h>

#include <gtest/gtest.h>

#include <set>

namespace
{
  using namespace tessera;
  using namespace tessera::benchmarks;

  struct FactorsTest : testing::Test
  {
    const std::vector<FactorEntry> factors = {
      factor("Degrees", "1, 2"), factor("Degrees of freedom"),
      factor("Operators", "csr"),
      factor_of_names("Colours", "red", {"red", "blue"}, "of rows")};
    Parameters parameters;

    FactorsTest()
    {
      declare_study(parameters, factors, "7");
      declare_sweep(parameters, factors, "full");
    }
  };

  TEST_F(FactorsTest, ListsHaveEachValueOnceInOneWayOfWriting)
  {
    EXPECT_EQ(parameters.get_integer("Study/Samples"), 7);
    parameters.set("Factors/Degrees of freedom", "1e3, 1000, 20");
    parameters.set("Factors/Operators", "all");
    parameters.set("Factors/Colours", "blue, red, blue");
    const Lists values = read_factors(parameters, factors);
    EXPECT_EQ(values[0], (Names{"1", "2"}));
    EXPECT_EQ(values[1], (Names{"1000", "20"}));
    EXPECT_EQ(values[2], operator_names());
    EXPECT_EQ(values[place_of(factors, "Colours")], (Names{"blue", "red"}));
    EXPECT_FALSE(has(factors, "Colors"));
    EXPECT_THROW(place_of(factors, "Colors"), std::logic_error);
    for (const char *list : {"Factors/Colours", "Factors/Degrees"})
      for (const char *value : {"", "green", "all, all", "5"})
        EXPECT_THROW(parameters.set(list, value), ParameterError)
          << list << " = " << value;
  }

  TEST_F(FactorsTest, SweepsAreFullOrAroundTheFirstValues)
  {
    parameters.set("Factors/Degrees of freedom", "10, 20");
    parameters.set("Factors/Colours", "red, blue");
    const Lists values = read_factors(parameters, factors);
    EXPECT_EQ(combine(parameters, factors, values).size(), 8u);
    const auto n_different = [&]() {
      const Lists all = combine(parameters, factors, values);
      return std::set<Names>(all.begin(), all.end()).size();
    };
    parameters.set("Study/Sweep", "one_factor");
    EXPECT_EQ(n_different(), 4u);
    parameters.set("Study/Crossed", "Colours");
    EXPECT_EQ(n_different(), 6u);
    parameters.set("Study/Crossed", "all");
    EXPECT_EQ(n_different(), 8u);
  }

  TEST_F(FactorsTest, OptionsOfOperatorsAreLists)
  {
    std::vector<FactorEntry> lists;
    add_operator_options(lists);
    declare_study(parameters, lists, "1");
    parameters.set("Factors/Slices", "32, 32:1");
    EXPECT_EQ(read_factors(parameters, lists)[place_of(lists, "Slices")],
              Names{"32:1:1:0"});
    parameters.set("Factors/Slices", "32:x");
    EXPECT_THROW(read_factors(parameters, lists), ParameterError);
  }
} // namespace
