#include "membrane.h"
#include <tessera/base/for_each.h>

#include "membrane.cuh"

#include <algorithm>
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
    const MembraneView<Number> view{
      n_nodes(),        stride,
      potential.data(), values.data(),
      regions.data(),   parameters.data(),
      stimulus,         static_cast<Number>(step / n_steps),
      n_steps,          order};
    const auto run = [&](const auto &functor) {
      using Model = typename std::decay_t<decltype(functor)>::CellModel;
      if (regions.backend() == Backend::cuda)
        return for_each_on_device(n_nodes(), functor, stream);
      on_target(Backend::host, [&](auto target) {
        if constexpr (!std::is_same_v<decltype(target), Cuda>)
          advance_membrane<Model, Number>(target, view);
      });
    };
    switch (cell_model.which)
      {
#define TESSERA_CELL_MODEL(name, sentence, source, Class) \
  case CellModelName::name:                               \
    return run(AdvanceCell<Class, Number>{view});
#include "cell_models.def"
#undef TESSERA_CELL_MODEL
      }
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
