#include <tessera/fem/bridge/active_cells.h>

#include <tessera/base/symmetric.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/fields/coefficients.h>
#include <tessera/fem/fields/integrals.h>
#include <tessera/space/cell_evaluator.h>

#include <deal.II/fe/fe_values.h>

#include <vector>

namespace tessera
{
  namespace
  {
    /// Returns (K grad u) . grad u + c u^2. K may be one number; c is 0 if no
    /// value follows K.
    template <int dim>
    double
    energy_density(const double *k, const int n_components, const double u,
                   const dealii::Tensor<1, dim> &gradient)
    {
      if (n_components == 1)
        return k[0] * (gradient * gradient);
      constexpr int n = n_symmetric(dim);
      double sum      = n_components > n ? k[n] * u * u : 0.;
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          sum += k[symmetric_entry(dim, i, j)] * gradient[i] * gradient[j];
      return sum;
    }

    /// Returns the integrals over the cells, [n_active_cells], and adds the
    /// energy.
    template <int dim>
    std::vector<Integral>
    cell_integrals(SolutionIntegrals &sums, const IntegralProblem<dim> &problem)
    {
      const CellEvaluator evaluator(problem.space, 1);
      const int nq = evaluator.n_points();
      std::vector<Integral> result(
        problem.dof_handler.get_triangulation().n_active_cells());
      sums.energy = evaluator.sum<1>(
        local_values(problem.space, problem.u).data(),
        [&](const CellEvaluator::Batch &batch, auto &energy) {
          for (int lane = 0; lane < batch.n_cells; ++lane)
            {
              const int cell = batch.first + lane;
              Integral &sum  = result[problem.space.mesh_cell[cell]];
              for (int q = 0; q < nq; ++q)
                {
                  const double u  = batch.value(0, q, lane),
                               dx = batch.dx(q, lane);
                  dealii::Point<dim> p;
                  dealii::Tensor<1, dim> gradient;
                  for (int d = 0; d < dim; ++d)
                    {
                      p[d]        = batch.x(d, q, lane);
                      gradient[d] = batch.gradient(0, d, q, lane);
                    }
                  const double w =
                    dx * (problem.weight ? problem.weight(p) : 1.);
                  sum.measure += w;
                  sum.of_u += w * u;
                  energy[0] += dx / 2 *
                               energy_density<dim>(
                                 values_at(problem.k_and_c, cell, q, nq),
                                 problem.k_and_c.n_components, u, gradient);
                }
            }
        })[0];
      return result;
    }

    /// Returns true if the cell beyond a face is of a material with a higher
    /// id.
    template <class Cell>
    bool
    borders_on_higher(const Cell &cell, const unsigned int f)
    {
      return lies_between_materials(cell, f) &&
             cell->neighbor(f)->material_id() > cell->material_id();
    }

    template <int dim>
    void
    add_faces(SolutionIntegrals &sums, const IntegralProblem<dim> &problem)
    {
      const auto &fe  = problem.dof_handler.get_fe();
      const auto rule = cell_quadrature<dim - 1>(
        face_type(problem.space.cell_type), static_cast<int>(fe.degree));
      dealii::FEFaceValues<dim> values(problem.mapping, fe, rule,
                                       dealii::update_values |
                                         dealii::update_quadrature_points |
                                         dealii::update_JxW_values);
      std::vector<double> u(rule.size());
      const auto cells =
        active_cells(problem.dof_handler, [](const auto &cell) {
          for (const unsigned int f : cell->face_indices())
            if (is_of_boundary(cell->face(f)) || borders_on_higher(cell, f))
              return true;
          return false;
        });
      for (const auto &cell : cells)
        for (const unsigned int f : cell->face_indices())
          {
            const bool at_boundary = is_of_boundary(cell->face(f));
            if (!at_boundary && !borders_on_higher(cell, f))
              continue;
            Integral &sum =
              at_boundary ? sums.boundaries[cell->face(f)->boundary_id()]
                          : sums.interfaces[{cell->material_id(),
                                             cell->neighbor(f)->material_id()}];
            if (!is_here(problem.division, cell))
              continue; // that process adds to this sum
            values.reinit(cell, f);
            values.get_function_values(problem.u, u);
            for (unsigned int q = 0; q < u.size(); ++q)
              {
                const double w =
                  values.JxW(q) *
                  (problem.weight ? problem.weight(values.quadrature_point(q))
                                  : 1.);
                sum.measure += w;
                sum.of_u += w * u[q];
              }
          }
    }

    /// Adds up the integrals of all processes, which have the same places.
    void
    add_up(SolutionIntegrals &sums, const Division *const division)
    {
      std::vector<double *> places{&sums.energy};
      const auto add = [&places](auto &integrals) {
        for (auto &[id, integral] : integrals)
          {
            places.push_back(&integral.measure);
            places.push_back(&integral.of_u);
          }
      };
      add(sums.materials);
      add(sums.boundaries);
      add(sums.interfaces);
      std::vector<double> values;
      for (const double *const place : places)
        values.push_back(*place);
      sum_up(division, values);
      for (std::size_t i = 0; i < places.size(); ++i)
        *places[i] = values[i];
    }
  } // namespace


  template <int dim>
  SolutionIntegrals
  integrate_solution(const IntegralProblem<dim> &problem)
  {
    SolutionIntegrals sums;
    const auto cells = cell_integrals(sums, problem);
    for (const auto &cell :
         problem.dof_handler.get_triangulation().active_cell_iterators())
      {
        const Integral &of_cell = cells[cell->active_cell_index()];
        Integral &sum           = sums.materials[cell->material_id()];
        sum.measure += of_cell.measure;
        sum.of_u += of_cell.of_u;
      }
    add_faces(sums, problem);
    add_up(sums, problem.division);
    return sums;
  }


  template SolutionIntegrals
  integrate_solution(const IntegralProblem<2> &);
  template SolutionIntegrals
  integrate_solution(const IntegralProblem<3> &);
} // namespace tessera
