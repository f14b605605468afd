#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/distributed/face_trace.h>
#include <tessera/fem/fields/cells_in_order.h>
#include <tessera/fem/fields/flux_scales.h>
#include <tessera/space/face_data.h>
#include <tessera/space/point_evaluator.h>

#include <algorithm>
#include <cmath>
#include <deque>
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
      const CellNodes<dim> &cells = problem.cells;
      const auto rule = cell_quadrature<dim>(cells.cell_type(), cells.degree());
      const auto face_rule =
        cell_quadrature<dim - 1>(face_type(cells.cell_type()), cells.degree());
      const auto faces = cells.boundary_faces(cells.boundary_ids());
      add_in_order(
        static_cast<std::ptrdiff_t>(faces.size()), 2,
        [&]() {
          return [&, in_cell = CellValues<dim>(cells, rule.get_points()),
                  trace = FaceTrace<dim>(cells, face_rule.get_points())](
                   const std::ptrdiff_t f, double *const sums) mutable {
            const MeshFace &face = faces[f];
            sums[0] = sums[1] = 0;
            trace.reinit(face);
            in_cell.reinit(face.cell);
            double area = 0, volume = 0;
            for (unsigned int q = 0; q < face_rule.size(); ++q)
              area += trace.measure(q) * face_rule.weight(q);
            for (unsigned int q = 0; q < rule.size(); ++q)
              volume += determinant(in_cell.jacobian(q)) * rule.weight(q);
            const double h     = volume / area / cells.degree();
            const auto &values = trace.in_cell();
            for (unsigned int q = 0; q < face_rule.size(); ++q)
              {
                double u = 0;
                dealii::Tensor<1, dim> gradient;
                for (const auto &shape : values.shapes(q))
                  {
                    const double at_node =
                      problem.u[values.nodes()[shape.node]];
                    u += at_node * shape.value;
                    gradient += at_node * shape.gradient;
                  }
                const auto n = trace.normal(q);
                const auto kappa_n =
                  problem.kappa_at(face.cell, trace.point(q)) * n;
                const double dS = trace.measure(q) * face_rule.weight(q);
                sums[0] +=
                  std::abs(kappa_n * (gradient * invert(values.jacobian(q)))) *
                  dS;
                sums[1] += kappa_n * n * std::abs(u) / h * dS;
              }
          };
        },
        [&](const std::ptrdiff_t f, const double *const sums,
            const NodesOfThread &is_mine) {
          if (!cells.is_own(faces[f].cell) || !is_mine(0))
            return;
          scales.boundaries[faces[f].id].through += sums[0];
          scales.boundaries[faces[f].id].conducted += sums[1];
        });
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

    /// Adds `sources`, `magnitude` and `given`, on a device if a coefficient is
    /// there.
    template <int dim>
    void
    add_sources(FluxScales &scales, const FluxProblem<dim> &problem)
    {
      const Coefficient &f = problem.source;
      if (problem.masses.empty() && !f.packed &&
          std::all_of(f.values.begin(), f.values.end(),
                      [](const double value) { return value == 0; }))
        return;
      std::shared_ptr<const CellData<double>> cells;
      if (f.packed)
        cells = f.packed->cells();
      for (const auto &mass : problem.masses)
        if (mass.c.packed)
          cells = mass.c.packed->cells();
      if (!cells)
        cells = std::make_shared<const CellData<double>>(
          std::shared_ptr<const Space>(std::shared_ptr<void>(), &problem.space),
          Backend::host);
      std::deque<Coefficient> fields;
      std::vector<CoefficientTerm> terms{{0, 1., &f}};
      const auto integrate = [&]() {
        return integrals(*sum_of_terms(1, terms, problem.space, cells).packed);
      };
      scales.given += integrate()[1];
      for (const auto &mass : problem.masses)
        {
          fields.push_back(
            values_at_points(cells, local_values(problem.space, mass.v)));
          terms.push_back({0, -1., &mass.c, 0, &fields.back()});
        }
      const auto sums  = integrate();
      scales.sources   = sums[0];
      scales.magnitude = sums[1];
    }
  } // namespace


  template <int dim>
  FluxScales
  flux_scales(const FluxProblem<dim> &problem)
  {
    FluxScales scales;
    for (const auto id : problem.cells.boundary_ids())
      scales.boundaries[id];
    add_conduction(scales, problem);
    add_exchange(scales, problem);
    add_sources(scales, problem);
    std::vector<double> values{scales.sources, scales.magnitude, scales.given};
    for (const auto &[id, scale] : scales.boundaries)
      values.insert(values.end(),
                    {scale.through, scale.conducted, scale.exchanged});
    sum_up(problem.cells.division(), values);
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
