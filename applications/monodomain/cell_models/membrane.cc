#include "membrane.h"
#include <tessera/base/for_each.h>

#include "membrane.cuh"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tessera
{
  namespace
  {
    /// Arrays of states begin at multiples of so many numbers.
    constexpr int alignment = 32;

    template <class Number>
    std::vector<Number>
    flat(const std::vector<std::vector<double>> &lists, const std::size_t n)
    {
      std::vector<Number> result;
      for (const auto &list : lists)
        {
          if (list.size() != n)
            throw std::length_error("Membrane: parameters are missing");
          result.insert(result.end(), list.begin(), list.end());
        }
      return result;
    }

    /// Sets the limits and the decays in a step of length dt of all gates that
    /// have tables, [2 n_tabulated], at a potential.
    template <class Model>
    void
    sample_gates(const CellModel &model, const double *parameters,
                 const double potential, const double dt, double *values)
    {
      double y[Model::n_states], p[Model::n_parameters];
      for (int k = 0; k < Model::n_states; ++k)
        y[k] = model.states[k].value;
      y[0] = potential;
      std::copy_n(parameters, Model::n_parameters, p);
      CellRates<double, Model::n_states> rates;
      Model::rates(y, p, 0., rates);
      for (int i = 1; i <= Model::n_tabulated; ++i)
        {
          values[2 * i - 2] = rates.limit[i];
          values[2 * i - 1] = std::exp(-dt * rates.rate[i]);
        }
    }

    /// Makes a table for one list of parameters.
    template <class Model, class Number>
    void
    make_table(const CellModel &model, const double *parameters,
               const double dt, Number *table)
    {
      constexpr int n       = RateTable::n_coefficients;
      constexpr int n_pairs = 2 * Model::n_tabulated;
      const double turn     = std::acos(-1.) / n;
      for (int k = 0; k < RateTable::n_intervals; ++k)
        {
          std::vector<double> values(n * n_pairs);
          for (int q = 0; q < n; ++q)
            sample_gates<Model>(model, parameters,
                                RateTable::first +
                                  (k + 0.5 + 0.5 * std::cos((q + 0.5) * turn)) /
                                    RateTable::per_unit,
                                dt, values.data() + q * n_pairs);
          for (int f = 0; f < n_pairs; ++f, table += n)
            {
              double a[n] = {}; // of Chebyshev's polynomials
              for (int j = 0; j < n; ++j)
                for (int q = 0; q < n; ++q)
                  a[j] += (j == 0 ? 1. : 2.) / n * values[q * n_pairs + f] *
                          std::cos(j * (q + 0.5) * turn);
              table[0] = static_cast<Number>(a[0] - a[2]);
              table[1] = static_cast<Number>(a[1] - 3 * a[3]);
              table[2] = static_cast<Number>(2 * a[2]);
              table[3] = static_cast<Number>(4 * a[3]);
            }
        }
    }

    /// Calls f with a null pointer to the class of a model.
    template <class F>
    void
    with_model(const CellModelName which, const F &f)
    {
      switch (which)
        {
#define TESSERA_CELL_MODEL(name, sentence, source, Class) \
  case CellModelName::name:                               \
    return f(static_cast<const Class *>(nullptr));
#include "cell_models.def"
#undef TESSERA_CELL_MODEL
        }
    }
  } // namespace


  template <class Number>
  Membrane<Number>::Membrane(const CellModel &model, const Backend backend,
                             const std::vector<unsigned char> &of_nodes,
                             const std::vector<std::vector<double>> &lists)
    : cell_model(model),
      stride((static_cast<int>(of_nodes.size()) + alignment - 1) / alignment *
             alignment),
      regions(backend, of_nodes),
      parameters(backend, flat<Number>(lists, model.parameters.size()))
  {
    for (const unsigned char region : of_nodes)
      if (region >= lists.size())
        throw std::length_error("Membrane: a region without parameters");
    const std::size_t n = model.states.size() - 1;
    std::vector<Number> initial(n * stride);
    for (std::size_t k = 0; k < n; ++k)
      std::fill_n(initial.begin() + k * stride, stride,
                  static_cast<Number>(model.states[k + 1].value));
    values = Array<Number>(backend, initial);
  }


  template <class Number>
  void
  Membrane<Number>::advance(Vector<Number> &potential, const Number *stimulus,
                            const double step, const int n_steps,
                            const int order, const Stream stream)
  {
    if (potential.n_owned() < n_nodes())
      throw std::length_error("Membrane: the potential has fewer nodes");
    const auto length = static_cast<Number>(step / n_steps);
    const auto table  = [&](const Number dt) -> const Number  *{
      const auto found = tables.find(dt);
      return found == tables.end() ? nullptr : found->second.data();
    };
    const MembraneView<Number> view{n_nodes(),
                                    stride,
                                    potential.data(),
                                    values.data(),
                                    regions.data(),
                                    parameters.data(),
                                    stimulus,
                                    length,
                                    n_steps,
                                    order,
                                    table(order == 2 ? length / 2 : length),
                                    table(length)};
    const auto run = [&](const auto &functor) {
      using Advance = std::decay_t<decltype(functor)>;
      if (regions.backend() == Backend::cuda)
        return for_each_on_device(n_nodes(), functor, stream);
      on_target(Backend::host, [&](auto target) {
        if constexpr (!std::is_same_v<decltype(target), Cuda>)
          advance_membrane<typename Advance::CellModel, Advance::is_tabulated,
                           Number>(target, view);
      });
    };
    with_model(cell_model.which, [&](const auto *const model) {
      using Model = std::decay_t<decltype(*model)>;
      if (view.whole != nullptr && view.half != nullptr)
        run(AdvanceCell<Model, Number, true>{view});
      else
        run(AdvanceCell<Model, Number, false>{view});
    });
  }


  template <class Number>
  void
  Membrane<Number>::tabulate(const double step, const int n_steps,
                             const int order)
  {
    if (cell_model.n_tabulated == 0)
      return;
    const std::size_t n    = cell_model.parameters.size();
    const auto lists       = parameters.to_vector();
    const std::size_t size = RateTable::size(cell_model.n_tabulated);
    const auto length      = static_cast<Number>(step / n_steps);
    for (const Number dt : {length, length / 2})
      if (dt == length || order == 2)
        with_model(cell_model.which, [&](const auto *const model) {
          std::vector<Number> table(lists.size() / n * size);
          for (std::size_t region = 0; region < lists.size() / n; ++region)
            make_table<std::decay_t<decltype(*model)>>(
              cell_model, lists.data() + region * n, dt,
              table.data() + region * size);
          tables[dt] = Array<Number>(regions.backend(), table);
        });
  }


  template <class Number>
  std::vector<Number>
  Membrane<Number>::states() const
  {
    const std::vector<Number> all = values.to_vector();
    std::vector<Number> result;
    for (std::size_t first = 0; first < all.size(); first += stride)
      result.insert(result.end(), all.begin() + first,
                    all.begin() + first + n_nodes());
    return result;
  }


  template <class Number>
  void
  Membrane<Number>::set_states(const std::vector<Number> &from)
  {
    const std::size_t n = cell_model.states.size() - 1;
    if (from.size() != n * n_nodes())
      throw std::length_error("Membrane: another number of states");
    std::vector<Number> all = values.to_vector();
    for (std::size_t k = 0; k < n; ++k)
      std::copy_n(from.begin() + k * n_nodes(), n_nodes(),
                  all.begin() + k * stride);
    values.copy_from(all);
  }


  template class Membrane<double>;
} // namespace tessera
