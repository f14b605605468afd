#include "all_models.h"
#include <tessera/base/error.h>

#include <algorithm>
#include <cmath>

#include "membrane_cells.h"

using namespace tessera;
using test::potential_of;
using test::random_states;

namespace
{
  /// Compares the kernels with the equations on plain numbers.
  template <class Model>
  void
  expect_equations(const CellModel &model, const Backend backend, const int n,
                   const bool stimulated, const int order)
  {
    constexpr int n_states = Model::n_states;
    auto other             = model.values("", {});
    for (double &value : other)
      value *= 1.03;
    const std::vector<std::vector<double>> lists = {model.values("", {}),
                                                    other};
    std::vector<unsigned char> regions(n);
    for (int i = 0; i < n; ++i)
      regions[i] = i > 20 && i % 3 != 0;
    Membrane<double> membrane(model, backend, regions, lists);
    const auto before = random_states(model, n);
    auto potential    = potential_of(before, backend, n);
    membrane.set_states(std::vector<double>(before.begin() + n, before.end()));
    const auto currents = test::random_values<double>(n, 3);
    const Array<double> stimulus(backend, currents);
    const double step = model.name == "fitzhugh_nagumo" ? 0.1 : 0.01;
    membrane.advance(potential, stimulated ? stimulus.data() : nullptr, step, 2,
                     order);

    const auto phi   = potential.to_vector();
    const auto after = membrane.states();
    for (int i = 0; i < n; ++i)
      {
        double y[n_states], p[Model::n_parameters];
        for (int k = 0; k < n_states; ++k)
          y[k] = before[k * n + i];
        std::copy_n(lists[regions[i]].begin(), Model::n_parameters, p);
        advance_cell<Model>(y, p, stimulated ? currents[i] : 0., step / 2, 2,
                            order);
        ASSERT_NEAR(phi[i], y[0], 1e-10 * (1 + std::abs(y[0]))) << i;
        for (int k = 1; k < n_states; ++k)
          ASSERT_NEAR(after[(k - 1) * n + i], y[k],
                      1e-11 * std::abs(y[k]) + 1e-14)
            << model.states[k].name << " of node " << i;
      }
    for (std::size_t i = n; i < phi.size(); ++i)
      EXPECT_EQ(phi[i], 5.) << "tail";
  }

  /// The states of one cell after some time from initial states with another
  /// potential.
  std::vector<double>
  run(const Backend backend, const CellModel &model, const std::string &variant,
      std::vector<double> y, const double time, const int n_steps,
      const int order)
  {
    Membrane<double> membrane(model, backend, {0}, {model.values(variant, {})});
    auto potential = potential_of(y, backend, 1);
    y.erase(y.begin());
    membrane.set_states(y);
    membrane.advance(potential, nullptr, time, n_steps, order);
    std::vector<double> result = membrane.states();
    result.insert(result.begin(), potential.to_vector()[0]);
    return result;
  }

  /// Initial states at another potential.
  std::vector<double>
  states_at(const CellModel &model, const double potential)
  {
    std::vector<double> y;
    for (const CellQuantity &state : model.states)
      y.push_back(state.value);
    y[0] = potential;
    return y;
  }

  /// The largest distance of states relative to their size.
  double
  distance(const std::vector<double> &a, const std::vector<double> &b)
  {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      largest =
        std::max(largest, std::abs(a[i] - b[i]) / (std::abs(b[i]) + 1e-4));
    return largest;
  }

  struct Reference
  {
    std::string model, variant;
    std::vector<double> from;
    double time;
    int n_steps;
    double error; ///< of the second order with that many steps
    std::vector<double> to;
  };

  /// Computed by the method DOP853 of scipy with the tolerance 1e-13, for
  /// ten_tusscher_panfilov by LSODA with 1e-12 from the equations in the form
  /// of the paper; at the tolerance 1e-11 the digits differ by 3e-7 or less.
  std::vector<Reference>
  references()
  {
    const auto cell = states_at(cell_model("ten_tusscher_panfilov"), -40);
    return {
      {"aliev_panfilov",
       "",
       {-50., 0.05},
       20,
       2000,
       1e-7,
       {18.813673872, 0.0940851017591}},
      {"fitzhugh_nagumo",
       "",
       {0.3, 0.01},
       3,
       3000,
       1e-6,
       {0.928684271006, 0.0583094665045}},
      {"ten_tusscher_panfilov",
       "epi",
       cell,
       10,
       10000,
       1e-5,
       {13.89400871, 0.9992083434, 1.038560225e-10, 7.676483773e-09,
        0.2691978485, 0.02821508523, 0.01748546395, 0.3040770624, 0.1709697713,
        0.9484988439, 0.7375448027, 0.6001258137, 0.4263823027, 0.5106140687,
        0.0004411050857, 3.128751262, 1.389139349, 8.611514482, 136.8834634}},
      {"ten_tusscher_panfilov",
       "endo",
       cell,
       10,
       10000,
       1e-5,
       {20.23466346, 0.999609109, 1.825331568e-11, 1.755834548e-11,
        0.4494446405, 0.02217336974, 0.0191327294, 0.5833774716, 0.3057000614,
        0.977597681, 0.746792331, 0.6902361093, 0.440483583, 0.5516936567,
        0.0003904101655, 3.178432026, 1.489105831, 8.611352959, 136.8856278}},
      {"ten_tusscher_panfilov",
       "M",
       cell,
       10,
       10000,
       1e-5,
       {13.91454787, 0.9992101252, 1.033004624e-10, 7.619131626e-09,
        0.2693152014, 0.028205927, 0.01748645917, 0.3044842408, 0.1708977239,
        0.9486284563, 0.737560207, 0.600212442, 0.4263858834, 0.5106279475,
        0.0004410868617, 3.128763985, 1.389154368, 8.611514249, 136.8834674}}};
  }
} // namespace

TEST(MembraneTest, KernelsComputeTheEquations)
{
  for (const Backend backend : test::backends())
    for (const int n : {1, 31, 33, 300})
      for (const int order : {1, 2})
        {
          SCOPED_TRACE(to_string(backend) + ", " + std::to_string(n));
          expect_equations<AlievPanfilov>(cell_model("aliev_panfilov"), backend,
                                          n, true, order);
          expect_equations<FitzhughNagumo>(cell_model("fitzhugh_nagumo"),
                                           backend, n, false, order);
          expect_equations<TenTusscherPanfilov>(
            cell_model("ten_tusscher_panfilov"), backend, n, true, order);
          expect_equations<OharaRudy>(cell_model("ohara_rudy"), backend, n,
                                      true, order);
        }
}

TEST(MembraneTest, StatesConvergeToThoseOfAReferenceIntegrator)
{
  for (const Backend backend : test::backends())
    for (const Reference &reference : references())
      {
        SCOPED_TRACE(to_string(backend) + ", " + reference.model + ' ' +
                     reference.variant);
        const auto error = [&](const int n_steps, const int order) {
          return distance(run(backend, cell_model(reference.model),
                              reference.variant, reference.from, reference.time,
                              n_steps, order),
                          reference.to);
        };
        EXPECT_LT(error(reference.n_steps, 2), reference.error);
        const int n = reference.n_steps / 4;
        EXPECT_NEAR(std::log2(error(n, 1) / error(2 * n, 1)), 1, 0.2);
        EXPECT_NEAR(std::log2(error(n / 2, 2) / error(n, 2)), 2, 0.3);
      }
}

TEST(MembraneTest, ABeatHasTheDurationOfTheReference)
{
  const CellModel model = cell_model("ten_tusscher_panfilov");
  for (const Backend backend : test::backends())
    {
      Membrane<double> cell(model, backend, {0}, {model.values("epi", {})});
      auto potential = potential_of({-85.23}, backend, 1);
      const Array<double> stimulus(backend, std::vector<double>{50. / 1.4});
      const auto advance = [&](const double time, const double *current) {
        cell.advance(potential, current, time, int(std::lround(time / 0.02)),
                     2);
        return potential.to_vector()[0];
      };
      // The reference: LSODA of scipy with the tolerance 1e-11.
      EXPECT_NEAR(advance(100, nullptr), -85.37465, 1e-4) << "rest";
      const double peak = advance(2, stimulus.data());
      EXPECT_NEAR(peak, 55.371, 0.1);
      double before = peak, after = peak, time = 2;
      const double threshold = peak - 0.9 * (peak + 85.23);
      while (after > threshold && time < 600)
        {
          before = after;
          after  = advance(1, nullptr);
          time += 1;
        }
      const double end = time - (threshold - after) / (before - after);
      EXPECT_NEAR(end, 298.98, 0.05) << "after the onset";
    }
}

TEST(CellModelTest, ValuesAreNamed)
{
  const CellModel model = cell_model("ten_tusscher_panfilov");
  EXPECT_EQ(model.values("", {}), model.values("epi", {}));
  const auto value = [&](const std::string &name, const std::string &variant,
                         const std::map<std::string, double> &given = {}) {
    for (std::size_t k = 0; k < model.parameters.size(); ++k)
      if (model.parameters[k].name == name)
        return model.values(variant, given)[k];
    return std::nan("");
  };
  EXPECT_EQ(value("g_to", "endo"), 0.073);
  EXPECT_EQ(value("g_to", "endo", {{"g_to", 0.5}}), 0.5);
  EXPECT_EQ(value("g_Ks", "M"), 0.098);
  EXPECT_EQ(value("tau_s_least", "epi"), 3);
  EXPECT_EQ(model.states[12].name, "fcass");
  EXPECT_EQ(model.states[18].name, "K");
  EXPECT_THROW(cell_model("hodgkin"), ParameterError);
  EXPECT_THROW(model.values("epic", {}), ParameterError);
  EXPECT_THROW(model.values("", {{"g", 1}}), ParameterError);
  EXPECT_THROW(cell_model("aliev_panfilov").values("epi", {}), ParameterError);
}

TEST(MembraneTest, WrongSizesAreRefused)
{
  const CellModel model = cell_model("aliev_panfilov");
  EXPECT_THROW(Membrane<double>(model, Backend::host, {0}, {{1., 2.}}),
               std::length_error);
  EXPECT_THROW(
    Membrane<double>(model, Backend::host, {1}, {model.values("", {})}),
    std::length_error);
  Membrane<double> membrane(model, Backend::host, {0, 0},
                            {model.values("", {})});
  EXPECT_THROW(membrane.set_states({1.}), std::length_error);
  Vector<double> potential(Backend::host, 1, 1);
  EXPECT_THROW(membrane.advance(potential, nullptr, 1, 1, 1),
               std::length_error);
}
