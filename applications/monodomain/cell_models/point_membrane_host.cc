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
      T potential[max_nodes], history[max_nodes], stimulus[max_nodes];
      for (int k = 0; k < view.n_nodes; ++k)
        {
          const int *const dofs =
            view.dofs + (batch * view.n_nodes + k) * lanes;
          stimulus[k] = T(Number(0));
          for (int lane = 0; lane < lanes; ++lane)
            {
              potential[k].set(lane, view.potential[dofs[lane]]);
              history[k].set(lane, view.history[dofs[lane]]);
              if (stimulated && dofs[lane] < view.n_stimulated)
                stimulus[k].set(lane, view.stimulus[dofs[lane]]);
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
          T at_point[3] = {T(Number(0)), T(Number(0)), T(Number(0))};
          for (int k = 0; k < view.n_nodes; ++k)
            {
              const T shape(view.shapes[q * view.n_nodes + k]);
              at_point[0] += shape * potential[k];
              at_point[1] += shape * history[k];
              if (stimulated)
                at_point[2] += shape * stimulus[k];
            }
          const std::ptrdiff_t i = (batch * view.n_points + q) * lanes;
          T r = T(view.factor_before) * T::load(view.before + i);
          if (view.earlier != nullptr)
            r += T(view.factor_earlier) * T::load(view.earlier + i);
          const auto point =
            linearize_point<Model>(at_point[0], at_point[1], at_point[2], r,
                                   T::load(view.guess + i), p, T(view.tau));
          point.recovery.store(view.after + i);
          point.source.store(view.source + i);
          set_reaction_of_lanes(view.coefficients, i, point.coefficient);
        }
    }
  } // namespace

  template <class Model, class Number, class Target, IfHost<Target>>
  void
  linearize_points(Target, const PointMembraneView<Number> &view)
  {
    if constexpr (has_one_recovery<Model>)
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
