#include "membrane.h"
#include "all_models.h"
#include <tessera/base/error.h>

#include "make_tables.h"
#include "membrane_kernels.h"

#include <algorithm>
#include <cmath>
#include <iterator>
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
          if constexpr (Model::n_axes > 0)
            for (std::size_t first = 0; is_narrow && first < table.size();
                 first += TableLayout<Model>::size)
              if (const int gate = gate_beyond_unit<Model>(&table[first]))
                throw ParameterError(
                  "The gate '" + cell_model.states[gate].name + "' of '" +
                  cell_model.name +
                  "' has limits outside of [0, 1]; legal for 'Time/Rates' are "
                  "exact and tables.");
          tables[dt] = Array<TableEntry>(regions.backend(), table);
        });
    if (!std::isfinite(largest_error))
      throw ParameterError(
        "Tables of '" + cell_model.name +
        "' are not numbers everywhere with these parameters; legal for "
        "'Time/Rates' is exact.");
    if (largest_error > max_table_error)
      throw ParameterError(
        "Tables of '" + cell_model.name + "' are off by up to " +
        std::to_string(largest_error) +
        ", since something jumps or bends within one of their intervals; "
        "legal for 'Time/Rates' is exact.");
  }


  template <class Number>
  void
  Membrane<Number>::narrow_gates()
  {
    const auto before = states();
    for (int i = 1; i <= cell_model.n_tabulated; ++i)
      check_narrow(i, cell_model.states[i].value);
    is_narrow = true;
    gates     = Array<std::uint32_t>(regions.backend(),
                                 std::size_t(cell_model.n_tabulated) * stride);
    values    = Array<Number>(
      regions.backend(),
      (cell_model.states.size() - 1 - cell_model.n_tabulated) * stride);
    set_states(before);
  }


  template <class Number>
  double
  Membrane<Number>::table_bytes(const CellModel &model)
  {
    double bytes = 0;
    with_model(model.which, [&](const auto *const of) {
      using Model = std::decay_t<decltype(*of)>;
      bytes       = double(TableLayout<Model>::size) * sizeof(TableEntry);
    });
    return bytes;
  }


  template <class Number>
  void
  Membrane<Number>::check_narrow(const int gate, const double value) const
  {
    // The error of a table may leave a gate outside by so much.
    if (!(value >= -1e-5 && value <= 1 + 1e-5))
      throw ParameterError(
        "The gate '" + cell_model.states[gate].name + "' of '" +
        cell_model.name + "' is " + std::to_string(value) +
        ", and 'Time/Rates' = narrow has gates in [0, 1]; legal are exact and "
        "tables.");
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
      append(gates.to_vector(),
             [](const std::uint32_t bits) { return NarrowGate::value(bits); });
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
      {
        for (int k = 0; k < cell_model.n_tabulated; ++k)
          for (int i = 0; i < n_nodes(); ++i)
            check_narrow(k + 1, from[std::size_t(k) * n_nodes() + i]);
        take(gates, [](const Number value) { return NarrowGate::bits(value); });
      }
    take(values, [](const Number value) { return value; });
  }


  template class Membrane<double>;
} // namespace tessera
