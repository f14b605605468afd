#include <tessera/space/element.h>

#include "point_membrane.cuh"

namespace tessera
{
  namespace
  {
    /// Nodes of a hexahedron of degree 4.
    constexpr int max_nodes = 125;

    /// `set_reaction` for the lanes that begin with point i.
    template <class T, class Number>
    TESSERA_HOST void
    set_reaction_of_lanes(const PointCoefficients<Number> &to,
                          const std::ptrdiff_t i, const T c)
    {
      const std::ptrdiff_t first = i * to.n;
      const std::ptrdiff_t last  = first + (to.n - 1) * to.lanes;
      c.store(to.values + last);
      if (to.spread != nullptr)
        for (std::ptrdiff_t k = first; k < last; k += to.lanes)
          (T::load(to.diffusion + k) - c * T::load(to.spread + k))
            .store(to.values + k);
    }

    /// A lane has a cell, whose points follow one another.
    template <class Model, class Target, class Number>
    TESSERA_HOST void
    linearize_batch(const PointMembraneView<Number> &view,
                    const std::ptrdiff_t batch)
    {
      constexpr int lanes        = Target::template lanes<Number>;
      using T                    = Simd<Number, lanes>;
      constexpr int n_parameters = Model::n_parameters;
      const bool stimulated      = view.stimulus != nullptr;
      const T zero(Number(0));
      const AtPoint<T> none{zero, zero, zero, zero};
      AtPoint<T> nodes[max_nodes];
      for (int k = 0; k < view.n_nodes; ++k)
        {
          const int *const dofs =
            view.dofs + (batch * view.n_nodes + k) * lanes;
          nodes[k] = none;
          for (int lane = 0; lane < lanes; ++lane)
            {
              nodes[k].potential.set(lane, view.potential[dofs[lane]]);
              nodes[k].former.set(lane, view.former[dofs[lane]]);
              if (view.earlier != nullptr)
                nodes[k].earlier.set(lane, view.earlier[dofs[lane]]);
              if (stimulated && dofs[lane] < view.n_stimulated)
                nodes[k].stimulus.set(lane, view.stimulus[dofs[lane]]);
            }
        }
      T p[n_parameters];
      for (int k = 0; k < n_parameters; ++k)
        for (int lane = 0; lane < lanes; ++lane)
          p[k].set(
            lane,
            view.parameters[view.regions[batch * lanes + lane] * n_parameters +
                            k]);
      for (int q = 0; q < view.n_points; ++q)
        {
          AtPoint<T> at = none;
          for (int k = 0; k < view.n_nodes; ++k)
            {
              const T shape(view.shapes[q * view.n_nodes + k]);
              at.potential += shape * nodes[k].potential;
              at.former += shape * nodes[k].former;
              at.earlier += shape * nodes[k].earlier;
              at.stimulus += shape * nodes[k].stimulus;
            }
          const std::ptrdiff_t i = (batch * view.n_points + q) * lanes;
          linearize_point<Model>(
            view, at, p,
            [i](const Number *const from) { return T::load(from + i); },
            [i](Number *const to, const T value) { value.store(to + i); },
            [&](const T c) { set_reaction_of_lanes(view.coefficients, i, c); });
        }
    }
  } // namespace

  template <class Model, class Number, class Target, IfHost<Target>>
  void
  linearize_points(Target, const PointMembraneView<Number> &view)
  {
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t batch = 0; batch < view.n_batches; ++batch)
      linearize_batch<Model, Target>(view, batch);
  }


#define TESSERA_CELL_MODEL(name, sentence, source, Class) \
  template void linearize_points<Class, double>(          \
    TESSERA_ISA, const PointMembraneView<double> &);
#include "cell_models.def"
#undef TESSERA_CELL_MODEL
} // namespace tessera
