#include "all_models.h"
#include <tessera/base/error.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "cell_models/make_tables.h"
#include "membrane_cells.h"

using namespace tessera;
using test::potential_of;
using test::random_states;

/// Compares a step with tables of a model and a step without them: gates may
/// differ by the bound.
static void
expect_tables(const CellModel &model, const double bound)
{
  constexpr int n                              = 4001;
  constexpr double step                        = 0.02;
  const std::vector<std::vector<double>> lists = {model.values("epi", {}),
                                                  model.values("endo", {})};
  std::vector<unsigned char> regions(n);
  auto states = random_states(model, n);
  for (int i = 0; i < n; ++i)
    {
      regions[i] = i > 100 && i % 3 != 0;
      states[i]  = -200 + 500. * i / (n - 1) * (1 - 1e-4);
    }
  states[7]          = -40; // where rates jump
  const auto advance = [&](const Backend backend, const int order,
                           const bool tabulated) {
    Membrane<double> membrane(model, backend, regions, lists);
    membrane.set_states(std::vector<double>(states.begin() + n, states.end()));
    auto potential = potential_of(states, backend, n);
    if (tabulated)
      membrane.tabulate(2 * step, 2, order);
    // One step alone: where a potential is far from all that cells have,
    // concentrations of the next one have no meaning.
    membrane.advance(potential, nullptr, step, 1, order);
    auto result = membrane.states();
    result.insert(result.begin(), n, 0.);
    std::copy_n(potential.to_vector().begin(), n, result.begin());
    return result;
  };
  for (const Backend backend : test::backends())
    {
      const auto exact = advance(backend, 1, false),
                 found = advance(backend, 1, true);
      double largest   = 0;
      for (int k = 0; k <= model.n_tabulated; ++k)
        for (int i = 0; i < n; ++i)
          largest =
            std::max(largest, std::abs(found[k * n + i] - exact[k * n + i]));
      EXPECT_LT(largest, bound);
      EXPECT_GT(largest, 0);
      // Other states change by currents, parts of which come from tables, too.
      const auto initial = [&](const int k) { return model.states[k].value; };
      for (std::size_t k = model.n_tabulated + 1; k < model.states.size(); ++k)
        for (int i = 0; i < n; ++i)
          if (states[i] > -100 && states[i] < 60)
            EXPECT_NEAR(found[k * n + i], exact[k * n + i],
                        bound * (1 + initial(k)))
              << model.states[k].name << " at " << states[i];
      // A step of order 2 has two tables, one for half of the step.
      const auto second = advance(backend, 2, true),
                 of_two = advance(backend, 2, false);
      for (int i = 0; i < n; ++i)
        if (states[i] > -100 && states[i] < 60)
          for (int k = 0; k <= model.n_tabulated; ++k)
            EXPECT_NEAR(second[k * n + i], of_two[k * n + i],
                        10 * bound * (k == 0 ? 100 : 1));
    }
}

TEST(RateTableTest, TablesAreWithinTheirError)
{
  expect_tables(cell_model("ten_tusscher_panfilov"), 1e-7);
  // Time constants of iFp and iSp double within a millivolt.
  expect_tables(cell_model("ohara_rudy"), 2e-6);
}

/// The potential after each step of 0.02 ms of a beat of 450 ms.
static std::vector<double>
beat(const Backend backend, const int order, const bool tabulated,
     const bool narrow)
{
  const CellModel model = cell_model("ten_tusscher_panfilov");
  Membrane<double> cell(model, backend, {0}, {model.values("M", {})});
  if (tabulated)
    cell.tabulate(0.02, 1, order);
  if (narrow)
    cell.narrow_gates();
  auto potential = potential_of({-85.23}, backend, 1);
  const Array<double> stimulus(backend, std::vector<double>{40.});
  std::vector<double> values;
  for (int step = 0; step < 22500; ++step)
    {
      cell.advance(potential, step < 75 ? stimulus.data() : nullptr, 0.02, 1,
                   order);
      values.push_back(potential.to_vector()[0]);
    }
  return values;
}

TEST(RateTableTest, ABeatWithTablesIsThatWithoutThem)
{
  for (const Backend backend : test::backends())
    for (const int order : {1, 2})
      {
        const auto exact = beat(backend, order, false, false);
        EXPECT_GT(*std::max_element(exact.begin(), exact.end()), 30);
        for (const bool narrow : {false, true})
          {
            const auto found = beat(backend, order, true, narrow);
            double largest   = 0;
            for (std::size_t i = 0; i < exact.size(); ++i)
              largest = std::max(largest, std::abs(exact[i] - found[i]));
            EXPECT_LT(largest, narrow ? 2e-5 : 1e-6);
            EXPECT_GT(largest, 0);
          }
      }
}

TEST(RateTableTest, NarrowGatesAreTheNearestMultiples)
{
  constexpr double steps = 4294967295.; // 2^32 - 1
  for (const std::uint32_t bits : {0u, 1u, 7u, 0x80000000u, 0xffffffffu})
    {
      EXPECT_NEAR(NarrowGate::value(bits), bits / steps, 1e-16);
      EXPECT_EQ(NarrowGate::bits(bits / steps), bits);
      if (bits > 0)
        EXPECT_EQ(NarrowGate::bits((bits - 0.4) / steps), bits);
    }
  EXPECT_EQ(NarrowGate::bits(-1e-8), 0u);
  EXPECT_EQ(NarrowGate::bits(1 + 1e-8), 0xffffffffu);

  // On a backend gates are rounded when they are stored, and other states equal
  // the states that doubles lead to.
  const CellModel model = cell_model("ten_tusscher_panfilov");
  for (const Backend backend : test::backends())
    for (const int n : {1, 33, 300})
      {
        auto states = random_states(model, n);
        for (int k = 1; k <= model.n_tabulated; ++k)
          for (int i = 0; i < n; ++i)
            {
              double &gate = states[k * n + i];
              gate = NarrowGate::value(NarrowGate::bits(std::abs(gate)));
            }
        const auto advance = [&](const bool narrow) {
          Membrane<double> membrane(model, backend,
                                    std::vector<unsigned char>(n),
                                    {model.values("", {})});
          membrane.tabulate(0.02, 1, 1);
          if (narrow)
            membrane.narrow_gates();
          membrane.set_states(
            std::vector<double>(states.begin() + n, states.end()));
          EXPECT_EQ(membrane.states(),
                    std::vector<double>(states.begin() + n, states.end()));
          auto potential = potential_of(states, backend, n);
          membrane.advance(potential, nullptr, 0.02, 1, 1);
          return membrane.states();
        };
        const auto wide = advance(false), narrow = advance(true);
        for (std::size_t i = 0; i < wide.size(); ++i)
          if (i < std::size_t(model.n_tabulated) * n)
            ASSERT_EQ(narrow[i], NarrowGate::value(NarrowGate::bits(wide[i])));
          else
            ASSERT_NEAR(narrow[i], wide[i], 1e-14 * std::abs(wide[i]));
      }
  Membrane<double> without(model, Backend::host, {0}, {model.values("", {})});
  without.narrow_gates();
  Vector<double> potential(Backend::host, 1, 0);
  EXPECT_THROW(without.advance(potential, nullptr, 1, 1, 1), std::logic_error);
}

TEST(RateTableTest, ErrorsOfTablesAreSeen)
{
  const CellModel model = cell_model("ten_tusscher_panfilov");
  Membrane<double> cell(model, Backend::host, {0}, {model.values("", {})});
  cell.tabulate(0.02, 1, 1);
  EXPECT_GT(cell.table_error(), 1e-9);
  EXPECT_LT(cell.table_error(), 1e-5);
  // A step of s inside of an interval, and what is not a number.
  for (const std::map<std::string, double> &given :
       {std::map<std::string, double>{{"tau_s_width", 1e-4}},
        {{"tau_s_width", 1e-9}},
        {{"K_o", 0}},
        {{"temperature", 0}}})
    {
      Membrane<double> wrong(model, Backend::host, {0},
                             {model.values("", given)});
      EXPECT_THROW(wrong.tabulate(0.02, 1, 1), ParameterError)
        << given.begin()->first;
    }
}

TEST(RateTableTest, NarrowGatesOutsideOfTheUnitIntervalAreRefused)
{
  const CellModel model = cell_model("ten_tusscher_panfilov");
  Membrane<double> cell(model, Backend::host, {0, 0}, {model.values("", {})});
  auto states = cell.states();
  cell.narrow_gates();
  states[2 * 11 - 1] = 1 + 1e-7; // the last gate with a table, by an error
  cell.set_states(states);
  EXPECT_EQ(cell.states()[2 * 11 - 1], 1);
  states[2 * 11 - 1] = 1.5;
  EXPECT_THROW(cell.set_states(states), ParameterError);
  states[2 * 11 - 1] = std::nan("");
  EXPECT_THROW(cell.set_states(states), ParameterError);
}

namespace
{
  /// The layout of a table with two gates on two intervals.
  struct TwoGates
  {
    static constexpr int n_tabulated = 2, n_constants = 1, n_axes = 1;
    static constexpr TableAxis axes[] = {{0, 1, 2, 5, true}};
  };
} // namespace

TEST(RateTableTest, LimitsOutsideOfTheUnitIntervalAreSeen)
{
  std::vector<TableEntry> table(11, TableEntry(0.5, 0, 0));
  table[0] = table[5] = {7, 0, 0}; // a constant and another function
  EXPECT_EQ(gate_beyond_unit<TwoGates>(table.data()), 0);
  for (const double limit : {-0.1, 1.1, std::nan("")})
    {
      auto wrong = table;
      wrong[8]   = {limit, 0, 0}; // gate 2 in the second interval
      EXPECT_EQ(gate_beyond_unit<TwoGates>(wrong.data()), 2) << limit;
    }
}

TEST(RateTableTest, BeyondAnAxisThereAreNoValues)
{
  using Model            = TenTusscherPanfilov;
  constexpr TableAxis of = Model::axes[1];
  double u;
  EXPECT_EQ(of.interval(of.first, u), 0);
  EXPECT_EQ(u, -1);
  const double last = of.first + of.n_intervals / of.per_unit;
  EXPECT_EQ(of.interval(last, u), of.n_intervals - 1);
  EXPECT_EQ(u, 1);
  for (const double x : {of.first - 0.01, last + 0.01, std::nan("")})
    {
      const int k = of.interval(x, u);
      EXPECT_TRUE(std::isnan(u) && k >= 0 && k < of.n_intervals) << x;
    }
  // The potential has values at its ends.
  EXPECT_EQ(Model::axes[0].interval(1e9, u), Model::axes[0].n_intervals - 1);
  EXPECT_EQ(u, 1);
}
