#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/distributed/face_trace.h>
#include <tessera/fem/fields/integrals.h>
#include <tessera/space/cell_evaluator.h>

#include <vector>

namespace tessera
{
  namespace
  {
    /// Returns the integrals over the cells, [n_cells].
    template <int dim>
    std::vector<Integral>
    cell_integrals(const IntegralProblem<dim> &problem)
    {
      const CellEvaluator evaluator(problem.space, 1);
      std::vector<Integral> result(problem.cells.n_cells());
      evaluator.sum<1>(
        local_values(problem.space, problem.u).data(),
        [&](const CellEvaluator::Batch &batch, auto &) {
          for (int lane = 0; lane < batch.n_cells; ++lane)
            for (int q = 0; q < evaluator.n_points(); ++q)
              {
                dealii::Point<dim> p;
                for (int d = 0; d < dim; ++d)
                  p[d] = batch.x(d, q, lane);
                const double w =
                  batch.dx(q, lane) * (problem.weight ? problem.weight(p) : 1.);
                Integral &sum =
                  result[problem.space.mesh_cell[batch.first + lane]];
                sum.measure += w;
                sum.of_u += w * batch.value(0, q, lane);
              }
        });
      return result;
    }

    /// Adds the integrals over faces, at boundaries and between materials, from
    /// the side of the lower id.
    template <int dim>
    void
    add_faces(SolutionIntegrals &sums, const IntegralProblem<dim> &problem)
    {
      const CellNodes<dim> &cells = problem.cells;
      const auto rule =
        cell_quadrature<dim - 1>(face_type(cells.cell_type()), cells.degree());
      FaceTrace<dim> trace(cells, rule.get_points());
      const auto add = [&](Integral &sum, const MeshFace &face) {
        if (!cells.is_own(face.cell))
          return; // that process adds to this sum
        trace.reinit(face);
        const CellValues<dim> &values = trace.in_cell();
        for (unsigned int q = 0; q < rule.size(); ++q)
          {
            double u = 0;
            for (const auto &shape : values.shapes(q))
              u += shape.value * problem.u[values.nodes()[shape.node]];
            const double w =
              trace.measure(q) * rule.weight(q) *
              (problem.weight ? problem.weight(trace.point(q)) : 1.);
            sum.measure += w;
            sum.of_u += w * u;
          }
      };
      const auto ids = cells.boundary_ids(); // of all processes
      for (const auto id : ids)
        sums.boundaries[id];
      for (const MeshFace &face : cells.boundary_faces(ids))
        add(sums.boundaries[face.id], face);
      for (const MeshFace &face : cells.faces_between_materials())
        if (const auto id = cells.mesh().materials.data()[face.cell];
            id < face.id)
          add(sums.interfaces[{id, face.id}], face);
    }

    /// Adds up the integrals of all processes, which have the same places.
    void
    add_up(SolutionIntegrals &sums, const Division &division)
    {
      std::vector<double *> places;
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
    const auto cells = cell_integrals(problem);
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
      {
        Integral &sum =
          sums.materials[problem.cells.mesh().materials.data()[cell]];
        sum.measure += cells[cell].measure;
        sum.of_u += cells[cell].of_u;
      }
    add_faces(sums, problem);
    add_up(sums, problem.cells.division());
    return sums;
  }


  template SolutionIntegrals
  integrate_solution(const IntegralProblem<2> &);
  template SolutionIntegrals
  integrate_solution(const IntegralProblem<3> &);
} // namespace tessera
