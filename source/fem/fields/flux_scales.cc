#include <tessera/fem/bridge/active_cells.h>

#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/fields/coefficients.h>
#include <tessera/fem/fields/flux_scales.h>
#include <tessera/space/cell_evaluator.h>
#include <tessera/space/face_data.h>

#include <deal.II/fe/fe_values.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace tessera
{
  namespace
  {
    /// Adds `through` and `conducted`.
    template <int dim>
    void
    add_conduction(FluxScales &scales, const FluxProblem<dim> &problem)
    {
      const auto &fe  = problem.known.dof_handler.get_fe();
      const auto rule = cell_quadrature<dim - 1>(
        face_type(problem.space.cell_type), static_cast<int>(fe.degree));
      const KnownDofs<dim> &known = problem.known;
      dealii::Vector<double> of_known(known.dof_handler.n_dofs());
      for (std::size_t i = 0; i < of_known.size(); ++i)
        of_known[i] = problem.u[known.dof(i)];
      const auto cells = boundary_cells(known.dof_handler);
      // Sums over pieces of the cells do not depend on the number of threads.
      constexpr std::size_t in_piece = 64;
      std::vector<std::map<dealii::types::boundary_id, BoundaryScale>> pieces(
        (cells.size() + in_piece - 1) / in_piece);
#pragma omp parallel
      {
        dealii::FEFaceValues<dim> values(
          problem.mapping, fe, rule,
          dealii::update_values | dealii::update_gradients |
            dealii::update_quadrature_points | dealii::update_normal_vectors |
            dealii::update_JxW_values);
        std::vector<double> u(rule.size());
        std::vector<dealii::Tensor<1, dim>> gradients(rule.size());
        const auto add = [&](const auto &cell, auto &scales_of_piece) {
          for (const unsigned int f : cell->face_indices())
            {
              if (!is_of_boundary(cell->face(f)) ||
                  !is_here(problem.division, cell))
                continue;
              BoundaryScale &scale =
                scales_of_piece[cell->face(f)->boundary_id()];
              values.reinit(cell, f);
              values.get_function_values(of_known, u);
              values.get_function_gradients(of_known, gradients);
              double area = 0;
              for (unsigned int q = 0; q < u.size(); ++q)
                area += values.JxW(q);
              const double h = cell->measure() / area / fe.degree;
              for (unsigned int q = 0; q < u.size(); ++q)
                {
                  const auto n = values.normal_vector(q);
                  const auto kappa_n =
                    problem.kappa_at(known.cell(cell->active_cell_index()),
                                     values.quadrature_point(q)) *
                    n;
                  scale.through +=
                    std::abs(kappa_n * gradients[q]) * values.JxW(q);
                  scale.conducted +=
                    kappa_n * n * std::abs(u[q]) / h * values.JxW(q);
                }
            }
        };
#pragma omp for schedule(dynamic)
        for (std::size_t piece = 0; piece < pieces.size(); ++piece)
          for (std::size_t c = piece * in_piece;
               c < std::min(cells.size(), (piece + 1) * in_piece); ++c)
            add(cells[c], pieces[piece]);
      }
      for (const auto &piece : pieces)
        for (const auto &[id, scale] : piece)
          {
            scales.boundaries[id].through += scale.through;
            scales.boundaries[id].conducted += scale.conducted;
          }
    }

    /// Adds `exchanged`, and given fluxes to `given`.
    template <int dim>
    void
    add_exchange(FluxScales &scales, const FluxProblem<dim> &problem)
    {
      const BoundaryFaces &faces = problem.faces;
      if (faces.n_faces() == 0)
        return;
      const auto phi       = face_shape_values(faces.face_type, faces.degree);
      const std::size_t n  = n_nodes(faces.face_type, faces.degree),
                        nq = n_points(faces.face_type, faces.degree);
      for (int face = 0; face < faces.n_faces(); ++face)
        for (std::size_t q = 0; q < nq; ++q)
          {
            double u = 0;
            for (std::size_t i = 0; i < n; ++i)
              u += problem.u[faces.dofs[face * n + i]] * phi[i * nq + q];
            if (faces.mass.empty() || faces.mass[face * nq + q] == 0)
              scales.given += std::abs(faces.load[face * nq + q]);
            scales.boundaries[faces.boundary_ids[face]].exchanged +=
              std::abs(faces.load[face * nq + q]) +
              (faces.mass.empty() ? 0. : faces.mass[face * nq + q]) *
                std::abs(u);
          }
    }

    /// Adds `sources`, `magnitude` and `given`.
    template <int dim>
    void
    add_sources(FluxScales &scales, const FluxProblem<dim> &problem)
    {
      if (problem.source.packed && problem.masses.empty())
        {
          const auto sums  = integrals(*problem.source.packed);
          scales.sources   = sums[0];
          scales.magnitude = sums[1];
          scales.given += sums[1];
          return;
        }
      const Coefficient f = on_host(problem.source);
      if (problem.masses.empty() &&
          std::all_of(f.values.begin(), f.values.end(),
                      [](const double value) { return value == 0; }))
        return;
      const auto n = static_cast<int>(problem.masses.size());
      const CellEvaluator evaluator(problem.space, n);
      const int nq = evaluator.n_points();
      std::vector<double> v(std::size_t(problem.space.n_local()) * n);
      for (int k = 0; k < n; ++k)
        {
          const auto of_mass = local_values(problem.space, problem.masses[k].v);
          for (std::size_t i = 0; i < of_mass.size(); ++i)
            v[i * n + k] = of_mass[i];
        }
      const auto sums = evaluator.sum<3>(
        v.data(), [&](const CellEvaluator::Batch &batch, auto &sum) {
          for (int lane = 0; lane < batch.n_cells; ++lane)
            for (int q = 0; q < nq; ++q)
              {
                const int cell = batch.first + lane;
                double source  = *values_at(f, cell, q, nq);
                sum[2] += std::abs(source) * batch.dx(q, lane);
                for (int k = 0; k < n; ++k)
                  source -= *values_at(problem.masses[k].c, cell, q, nq) *
                            batch.value(k, q, lane);
                sum[0] += source * batch.dx(q, lane);
                sum[1] += std::abs(source) * batch.dx(q, lane);
              }
        });
      scales.sources   = sums[0];
      scales.magnitude = sums[1];
      scales.given += sums[2];
    }
  } // namespace


  template <int dim>
  FluxScales
  flux_scales(const FluxProblem<dim> &problem)
  {
    FluxScales scales;
    for (const auto id :
         boundary_ids(problem.known.dof_handler.get_triangulation()))
      scales.boundaries[id];
    add_conduction(scales, problem);
    add_exchange(scales, problem);
    add_sources(scales, problem);
    std::vector<double> values{scales.sources, scales.magnitude, scales.given};
    for (const auto &[id, scale] : scales.boundaries)
      values.insert(values.end(),
                    {scale.through, scale.conducted, scale.exchanged});
    sum_up(problem.division, values);
    const double *value = values.data();
    scales.sources      = *value++;
    scales.magnitude    = *value++;
    scales.given        = *value++;
    for (auto &[id, scale] : scales.boundaries)
      for (double *const part :
           {&scale.through, &scale.conducted, &scale.exchanged})
        *part = *value++;
    return scales;
  }


  template FluxScales
  flux_scales(const FluxProblem<2> &);
  template FluxScales
  flux_scales(const FluxProblem<3> &);
} // namespace tessera
