#include "point_membrane.h"
#include <tessera/space/quadrature.h>
#include <tessera/space/reference_element.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "point_membrane.cuh"

namespace tessera
{
  namespace
  {
    /// phi_i(x_q) of the element of a space, [n_points][n].
    template <class Number>
    std::vector<Number>
    shape_values(const Space &space, const bool reduced)
    {
      std::vector<Number> values;
      if (reduced)
        values.assign(space.dofs_per_cell(), Number(1) / space.dofs_per_cell());
      else
        on_element(space.cell_type, space.degree, [&](auto e) {
          using E            = decltype(e);
          const auto element = reference_element<E, Number>();
          for (int q = 0; q < E::n_points; ++q)
            for (int i = 0; i < E::n; ++i)
              if constexpr (E::simplex)
                values.push_back(element.values[i][q]);
              else
                {
                  Number product(1);
                  for (int d = 0, place = i, point = q; d < E::dim; ++d)
                    {
                      product *= element.values[place % E::n1][point % E::n1];
                      place /= E::n1;
                      point /= E::n1;
                    }
                  values.push_back(product);
                }
        });
      return values;
    }

    /// Returns (G, 0) of every cell, which is what one point misses, as the
    /// comment of the class explains.
    std::vector<double>
    spread_of_cells(const Space &space)
    {
      const int dim = space.dim(), n = dim + 1;
      std::vector<double> result;
      for (int cell = 0; cell < space.n_cells(); ++cell)
        {
          const int *const corners = &space.cell_vertices[n * cell];
          const auto from_mean     = [&](const int k, const int a) {
            double mean = 0;
            for (int i = 0; i < n; ++i)
              mean += space.vertices[dim * corners[i] + a] / n;
            return space.vertices[dim * corners[k] + a] - mean;
          };
          for (int a = 0; a < dim; ++a)
            for (int b = a; b < dim; ++b)
              {
                double sum = 0;
                for (int k = 0; k < n; ++k)
                  sum += from_mean(k, a) * from_mean(k, b);
                result.push_back(sum / (n * (n + 1)));
              }
          result.push_back(0);
        }
      return result;
    }

    /// Returns the mean of a tensor in every cell, by the weights of its rule.
    Coefficient
    means(const Coefficient &D, const Space &space)
    {
      using Kind = Coefficient::Kind;
      const std::vector<double> weights =
        D.kind == Kind::per_quadrature_point
          ? cell_rule(space.cell_type, space.degree).weights
          : std::vector<double>(1, 1.);
      const double volume = std::accumulate(weights.begin(), weights.end(), 0.);
      const std::size_t n = D.n_components, n_q = weights.size();
      Coefficient result{Kind::per_cell, D.n_components, {}};
      for (std::size_t i = 0; i < space.n_cells() * n; ++i)
        {
          const std::size_t first =
            D.kind == Kind::uniform ? i % n : i / n * n_q * n + i % n;
          double sum = 0;
          for (std::size_t q = 0; q < n_q; ++q)
            sum += weights[q] / volume * D.values.at(first + q * n);
          result.values.push_back(sum);
        }
      return result;
    }
  } // namespace


  template <class Number>
  bool
  PointMembrane<Number>::can_reduce(const Space &space)
  {
    return is_simplex(space.cell_type) && space.degree == 1;
  }


  template <class Number>
  Coefficient
  PointMembrane<Number>::coefficient(const Coefficient &of_any_kind,
                                     const Space &space,
                                     const Integration integration)
  {
    using Kind         = Coefficient::Kind;
    const bool reduced = integration == Integration::reduced;
    if (reduced && !can_reduce(space))
      throw std::length_error(
        "PointMembrane: one point does not suit the cells");
    Coefficient D = of_any_kind.as_tensor(space.dim());
    if (reduced)
      D = means(D, space);
    const std::size_t n   = D.n_components;
    const std::size_t n_q = reduced ? 1 : space.points_per_cell();
    Coefficient result{reduced ? Kind::per_cell : Kind::per_quadrature_point,
                       D.n_components + 1,
                       {}};
    result.values.reserve(space.n_cells() * n_q * (n + 1));
    for (std::size_t i = 0; i < space.n_cells() * n_q; ++i)
      {
        const std::size_t place = D.kind == Kind::uniform    ? 0
                                  : D.kind == Kind::per_cell ? i / n_q
                                                             : i;
        for (std::size_t c = 0; c < n; ++c)
          result.values.push_back(D.values.at(place * n + c));
        result.values.push_back(0.);
      }
    return result;
  }


  /// The form has its coefficient in memory that is not constant, and hands out
  /// views for reading alone; its c belongs to this object.
  template <class Number>
  PointMembrane<Number>::PointMembrane(
    const CellModel &model, std::shared_ptr<const CellData<Number>> of_cells,
    const std::vector<unsigned char> &of_regions,
    const std::vector<std::vector<double>> &lists,
    std::shared_ptr<FormData<Number>> of_tangent)
    : model(model), cells(std::move(of_cells)), form(std::move(of_tangent)),
      coefficients(const_cast<Number *>(form->view().coefficient.values)),
      n_coefficients(n_symmetric(cells->space().dim()) + 1),
      n_points(form->view().coefficient.n_entries / n_coefficients)
  {
    const CoefficientView<Number> view = form->view().coefficient;
    const Space &space                 = cells->space();
    const bool reduced                 = can_reduce(space) && n_points == 1;
    if (&form->cells() != cells.get() || view.is_uniform() ||
        view.n_entries != n_points * n_coefficients ||
        view.point_stride != (reduced ? 0 : n_coefficients))
      throw std::length_error("PointMembrane: not the tangent of these points");
    if (of_regions.size() != static_cast<std::size_t>(space.n_cells()))
      throw std::length_error("PointMembrane: not a region for every cell");
    std::vector<Number> flat;
    for (const auto &list : lists)
      {
        if (list.size() != model.parameters.size())
          throw std::length_error("PointMembrane: parameters are missing");
        flat.insert(flat.end(), list.begin(), list.end());
      }
    for (const unsigned char region : of_regions)
      if (region >= lists.size())
        throw std::length_error("PointMembrane: a region without parameters");

    const Backend backend = cells->backend();
    const std::size_t n_places =
      static_cast<std::size_t>(cells->n_batches()) * cells->lanes();
    std::vector<unsigned char> padded = of_regions;
    padded.resize(n_places, of_regions.back());
    regions    = Array<unsigned char>(backend, padded);
    parameters = Array<Number>(backend, flat);
    shapes     = Array<Number>(backend, shape_values<Number>(space, reduced));
    if (reduced)
      {
        spread    = cells->pack(spread_of_cells(space), n_coefficients);
        diffusion = Array<Number>(backend, spread.size());
        if (backend == Backend::host)
          std::copy_n(coefficients, diffusion.size(), diffusion.data());
        else
          runtime::copy(diffusion.data(), coefficients, diffusion.bytes(),
                        runtime::Copy::device_to_device);
      }
    sources = Array<Number>(backend, n_places * n_points);
    std::vector<Number> initial;
    for (std::size_t k = 1; k < model.states.size(); ++k)
      initial.insert(initial.end(), n_places * n_points,
                     static_cast<Number>(model.states[k].value));
    before = Array<Number>(backend, initial);
    after  = Array<Number>(backend, initial);
    if (solves_for_recovery(model))
      earlier = Array<Number>(backend, initial);
  }


  template <class Number>
  bool
  PointMembrane<Number>::solves_for_recovery(const CellModel &model)
  {
    return model.states.size() == 2 && model.n_gates == 0;
  }


  template <class Number>
  int
  PointMembrane<Number>::n_arrays(const CellModel &model)
  {
    // Sources, and the states of two or three times.
    const int n = static_cast<int>(model.states.size()) - 1;
    return 1 + (solves_for_recovery(model) ? 3 : 2) * n;
  }


  template <class Number>
  void
  PointMembrane<Number>::set_without_reactions(const double tau,
                                               const Stream stream)
  {
    for_each(
      cells->backend(), static_cast<std::int64_t>(sources.size()),
      SetReaction<Number>{to_coefficients(), static_cast<Number>(1 / tau)},
      stream);
  }


  template <class Number>
  PointCoefficients<Number>
  PointMembrane<Number>::to_coefficients()
  {
    return {coefficients, diffusion.data(), spread.data(), n_coefficients,
            cells->lanes()};
  }


  template <class Number>
  void
  PointMembrane<Number>::linearize(const Vector<Number> &potential,
                                   const Vector<Number> &former,
                                   const Vector<Number> &earlier_potential,
                                   const Number *stimulus,
                                   const BackwardDifference &difference,
                                   const bool from_last_call,
                                   const Stream stream)
  {
    const Space &space = cells->space();
    for (const auto *vector : {&potential, &former, &earlier_potential})
      if (vector->size() != space.n_local() ||
          vector->backend() != cells->backend())
        throw std::length_error("PointMembrane: a vector of another space");
    const bool two_steps = difference.earlier != 0;
    const PointMembraneView<Number> view{
      cells->n_batches(),
      cells->lanes(),
      n_points,
      space.dofs_per_cell(),
      space.n_owned + space.n_ghosts,
      cells->view(Conflict::none).dofs,
      shapes.data(),
      potential.data(),
      former.data(),
      two_steps ? earlier_potential.data() : nullptr,
      stimulus,
      regions.data(),
      parameters.data(),
      static_cast<Number>(difference.tau),
      static_cast<Number>(difference.former),
      static_cast<Number>(difference.earlier),
      before.data(),
      two_steps ? earlier.data() : nullptr,
      from_last_call ? after.data() : before.data(),
      after.data(),
      sources.data(),
      to_coefficients(),
      static_cast<Number>(difference.step),
      two_steps ? 2 : 1};
    const auto run = [&](const auto &functor) {
      using Model = typename std::decay_t<decltype(functor)>::CellModel;
      if (cells->backend() == Backend::cuda)
        return for_each_on_device(view.n_all_points(), functor, stream);
      on_target(Backend::host, [&](auto target) {
        if constexpr (!std::is_same_v<decltype(target), Cuda>)
          linearize_points<Model, Number>(target, view);
      });
    };
    switch (model.which)
      {
#define TESSERA_CELL_MODEL(name, sentence, source, Class) \
  case CellModelName::name:                               \
    return run(LinearizePoint<Class, Number>{view});
#include "cell_models.def"
#undef TESSERA_CELL_MODEL
      }
  }


  template <class Number>
  void
  PointMembrane<Number>::accept()
  {
    if (solves_for_recovery(model))
      std::swap(earlier, before);
    std::swap(before, after);
  }


  template <class Number>
  CoefficientView<Number>
  PointMembrane<Number>::source() const
  {
    return {{}, sources.data(), n_points, n_points == 1 ? 0 : 1};
  }


  template <class Number>
  int
  PointMembrane<Number>::n_fields() const
  {
    return solves_for_recovery(model)
             ? 2
             : static_cast<int>(model.states.size()) - 1;
  }


  template <class Number>
  template <class Visit>
  void
  PointMembrane<Number>::for_states(const Visit &visit) const
  {
    const std::size_t lanes   = cells->lanes(),
                      n_cells = cells->space().n_cells();
    const bool two_times      = solves_for_recovery(model);
    std::size_t i             = 0;
    for (int field = 0; field < n_fields(); ++field)
      for (std::size_t cell = 0; cell < n_cells; ++cell)
        for (int q = 0; q < n_points; ++q)
          visit(two_times && field == 1,
                (two_times ? 0 : field * sources.size()) +
                  (cell / lanes * n_points + q) * lanes + cell % lanes,
                i++);
  }


  template <class Number>
  std::vector<Number>
  PointMembrane<Number>::states() const
  {
    const std::vector<Number> values[2] = {before.to_vector(),
                                           earlier.to_vector()};
    std::vector<Number> result(n_fields() * cells->space().n_cells() *
                               std::size_t(n_points));
    for_states(
      [&](const bool is_earlier, const std::size_t from, const std::size_t to) {
        result[to] = values[is_earlier][from];
      });
    return result;
  }


  template <class Number>
  void
  PointMembrane<Number>::set_states(const std::vector<Number> &values)
  {
    if (values.size() !=
        n_fields() * cells->space().n_cells() * std::size_t(n_points))
      throw std::length_error("PointMembrane: another number of states");
    std::vector<Number> all[2] = {before.to_vector(), earlier.to_vector()};
    for_states(
      [&](const bool is_earlier, const std::size_t to, const std::size_t from) {
        all[is_earlier][to] = values[from];
      });
    before.copy_from(all[0]);
    earlier.copy_from(all[1]);
  }


  template <class Number>
  std::size_t
  PointMembrane<Number>::bytes() const
  {
    std::size_t sum = regions.bytes();
    for (const auto *array : {&shapes, &parameters, &sources, &after, &before,
                              &earlier, &diffusion, &spread})
      sum += array->bytes();
    return sum;
  }


  template class PointMembrane<double>;
} // namespace tessera
