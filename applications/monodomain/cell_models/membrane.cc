#include "membrane.h"
#include "all_models.h"
#include <tessera/base/error.h>

#include "membrane_kernels.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

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

    /// Sets all functions of an axis, [n_functions], in a step of length dt.
    template <class Model, int axis>
    void
    sample(const CellModel &model, const double (&p)[Model::n_parameters],
           const double x, const double dt, double *values)
    {
      Model::template functions<axis>(x, p, values);
      if (axis > 0)
        return;
      double y[Model::n_states];
      for (int k = 0; k < Model::n_states; ++k)
        y[k] = model.states[k].value;
      y[0] = x;
      CellRates<double, Model::n_states> rates;
      Model::rates(y, p, 0., rates);
      for (int i = 1; i <= Model::n_tabulated; ++i)
        {
          values[2 * i - 2] = rates.limit[i];
          values[2 * i - 1] = std::exp(-dt * rates.rate[i]);
        }
    }

    /// Makes the part of a table for axes from this one on, and raises `error`
    /// to the largest one.
    template <class Model, int axis>
    void
    make_axes(const CellModel &model, const double (&p)[Model::n_parameters],
              const double dt, TableEntry *entry, double &error)
    {
      if constexpr (axis < Model::n_axes)
        {
          constexpr TableAxis of = Model::axes[axis];
          constexpr int n = of.n_functions, n_gates = 2 * Model::n_tabulated;
          const auto at = [&](const double interval, const double u) {
            std::vector<double> values(n);
            sample<Model, axis>(
              model, p, of.first + (interval + 0.5 + 0.5 * u) / of.per_unit, dt,
              values.data());
            return values;
          };
          const double point = std::sqrt(0.75);
          const double ends  = 1 - 1e-9; // where an interval has no jump
          for (int k = 0; k < of.n_intervals; ++k)
            {
              const auto left = at(k, -point), middle = at(k, 0),
                         right = at(k, point), start = at(k, -ends),
                         end = at(k, ends), behind = at(k + of.per_unit, -ends);
              for (int f = 0; f < n; ++f, ++entry)
                {
                  const double even =
                    (left[f] + right[f] - 2 * middle[f]) / (2 * 0.75);
                  const double odd = (right[f] - left[f]) / (2 * point);
                  *entry           = {middle[f], odd, even};
                  const double scale =
                    axis == 0 && f < n_gates
                      ? 1
                      : std::max(std::abs(start[f]) +
                                   std::abs(behind[f] - start[f]),
                                 1e-300);
                  const double off =
                    std::max(std::abs(middle[f] - odd + even - start[f]),
                             std::abs(middle[f] + odd + even - end[f]));
                  // A table that is not a number has an infinite error.
                  error = off <= error * scale ? error
                          : off < 1e300 * scale
                            ? off / scale
                            : std::numeric_limits<double>::infinity();
                }
            }
          make_axes<Model, axis + 1>(model, p, dt, entry, error);
        }
    }

    /// Makes a table for one list of parameters.
    template <class Model, class Number>
    void
    make_table(const CellModel &model, const Number *parameters,
               const double dt, TableEntry *entry, double &error)
    {
      double p[Model::n_parameters], constants[Model::n_constants + 1];
      std::copy_n(parameters, Model::n_parameters, p);
      Model::constants(p, constants);
      for (int k = 0; k < Model::n_constants; ++k, ++entry)
        *entry = {constants[k], 0, 0};
      make_axes<Model, 0>(model, p, dt, entry, error);
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
    const auto table  = [&](const Number dt) {
      const auto found = tables.find(dt);
      return found == tables.end() ? nullptr : found->second.data();
    };
    const MembraneView<Number> view{
      n_nodes(),         stride,        potential.data(),
      gates.data(),      values.data(), regions.data(),
      parameters.data(), stimulus,      length,
      n_steps,           order,         table(order == 2 ? length / 2 : length),
      table(length)};
    const bool tabulated = view.whole != nullptr && view.half != nullptr;
    if (is_narrow && !tabulated)
      throw std::logic_error("Membrane: narrow gates without tables");
    const auto run = [&](const auto *const model, auto which) {
      using Model           = std::decay_t<decltype(*model)>;
      constexpr CellWay way = decltype(which)::value;
      on_target(regions.backend(), [&](auto target) {
        if constexpr (std::is_same_v<decltype(target), Cuda>)
          advance_membrane<Model, way>(target, view, stream);
        else
          advance_membrane<Model, way>(target, view);
      });
    };
    with_model(cell_model.which, [&](const auto *const model) {
      if (is_narrow)
        run(model, std::integral_constant<CellWay, CellWay::narrow_gates>());
      else if (tabulated)
        run(model, std::integral_constant<CellWay, CellWay::by_tables>());
      else
        run(model, std::integral_constant<CellWay, CellWay::exact>());
    });
  }


  template <class Number>
  void
  Membrane<Number>::tabulate(const double step, const int n_steps,
                             const int order)
  {
    if (cell_model.n_tabulated == 0)
      return;
    const std::size_t n = cell_model.parameters.size();
    const auto lists    = parameters.to_vector();
    const auto length   = static_cast<Number>(step / n_steps);
    for (const Number dt : {length, length / 2})
      if (dt == length || order == 2)
        with_model(cell_model.which, [&](const auto *const model) {
          using Model = std::decay_t<decltype(*model)>;
          std::vector<TableEntry> table(lists.size() / n *
                                        TableLayout<Model>::size);
          for (std::size_t region = 0; region < lists.size() / n; ++region)
            make_table<Model>(cell_model, lists.data() + region * n, dt,
                              table.data() + region * TableLayout<Model>::size,
                              largest_error);
          tables[dt] = Array<TableEntry>(regions.backend(), table);
        });
    if (largest_error > max_table_error)
      throw ParameterError("Tables of '" + cell_model.name +
                           "' are off by up to " +
                           std::to_string(largest_error) +
                           ", since something jumps or bends between the ends "
                           "of their intervals; take exact rates.");
  }


  template <class Number>
  void
  Membrane<Number>::narrow_gates()
  {
    const auto before   = states();
    const std::size_t n = cell_model.parameters.size();
    const auto lists    = parameters.to_vector();
    with_model(cell_model.which, [&](const auto *const model) {
      using Model = std::decay_t<decltype(*model)>;
      double p[Model::n_parameters];
      if constexpr (Model::n_axes > 0)
        for (std::size_t first = 0; first < lists.size(); first += n)
          {
            std::copy_n(lists.data() + first, n, p);
            std::vector<double> values(Model::axes[0].n_functions);
            for (int k = 0; k <= Model::axes[0].n_intervals; ++k)
              {
                sample<Model, 0>(cell_model, p,
                                 Model::axes[0].first +
                                   k / Model::axes[0].per_unit,
                                 0, values.data());
                for (int i = 1; i <= Model::n_tabulated; ++i)
                  if (!(values[2 * i - 2] >= 0 && values[2 * i - 2] <= 1))
                    throw ParameterError(
                      "The gate '" + cell_model.states[i].name + "' of '" +
                      cell_model.name +
                      "' has limits outside of [0, 1], so that 'Time/Rates' = "
                      "narrow has no place for it; legal are exact and "
                      "tables.");
              }
          }
    });
    is_narrow = true;
    gates     = Array<std::uint32_t>(regions.backend(),
                                 std::size_t(cell_model.n_tabulated) * stride);
    values    = Array<Number>(
      regions.backend(),
      (cell_model.states.size() - 1 - cell_model.n_tabulated) * stride);
    set_states(before);
  }


  template <class Number>
  std::vector<Number>
  Membrane<Number>::states() const
  {
    std::vector<Number> result;
    const auto append = [&](const auto &all, const auto &number) {
      for (std::size_t first = 0; first < all.size(); first += stride)
        std::transform(all.begin() + first, all.begin() + first + n_nodes(),
                       std::back_inserter(result), number);
    };
    if (is_narrow)
      append(gates.to_vector(), NarrowGate::value);
    append(values.to_vector(), [](const Number value) { return value; });
    return result;
  }


  template <class Number>
  void
  Membrane<Number>::set_states(const std::vector<Number> &from)
  {
    if (from.size() != (cell_model.states.size() - 1) * n_nodes())
      throw std::length_error("Membrane: another number of states");
    const Number *next = from.data();
    const auto take    = [&](auto &to, const auto &number) {
      auto all = to.to_vector();
      for (std::size_t first = 0; first < all.size();
           first += stride, next += n_nodes())
        std::transform(next, next + n_nodes(), all.begin() + first, number);
      to.copy_from(all);
    };
    if (is_narrow)
      take(gates, NarrowGate::bits);
    take(values, [](const Number value) { return value; });
  }


  template class Membrane<double>;
} // namespace tessera
