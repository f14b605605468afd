#include "flux_regions.h"

#include <tessera/base/parallel_vector.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/distributed/face_trace.h>
#include <tessera/fem/fields/cells_in_order.h>
#include <tessera/fem/fields/coefficients.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

// What cells add to the nodes of surfaces.
namespace tessera::internal::flux
{
  namespace
  {
    template <int dim>
    dealii::SymmetricTensor<2, dim>
    tensor(const double *values, const int n_components)
    {
      dealii::SymmetricTensor<2, dim> k;
      for (int i = 0, c = 0; i < dim; ++i)
        for (int j = i; j < dim; ++j, ++c)
          k[i][j] = n_components == 1 ? (i == j ? values[0] : 0.) : values[c];
      return k;
    }

    /// A coefficient at the points of cells in a list: what is on a device is
    /// fetched for these cells alone.
    class OfCells
    {
    public:
      OfCells(const Coefficient &c, const std::vector<int> &cells, const int nq)
        : c(c), nq(nq), fetched{c.kind, c.n_components,
                                c.packed ? values_of_cells(c, cells, nq)
                                         : std::vector<double>()}
      {}

      /// Returns the values at a point of a cell with a number in the list.
      const double *
      at(const std::size_t number, const int cell, const int q) const
      {
        return c.packed ? values_at(fetched, number, q, nq)
                        : values_at(c, cell, q, nq);
      }

    private:
      const Coefficient &c;
      const int nq;
      const Coefficient fetched;
    };

    /// What a cell adds.
    struct Shares
    {
      std::vector<Node *> local; ///< its nodes
      std::vector<std::pair<Node *, double>> residuals;
      struct OfPart
      {
        SurfacePart *part;
        double area, flux;
      };
      std::vector<OfPart> parts;

      void
      clear()
      {
        local.clear();
        residuals.clear();
        parts.clear();
      }

      void
      add() const
      {
        for (Node *const node : local)
          node->is_local = true;
        for (const auto &[node, residual] : residuals)
          node->residual += residual;
        for (const OfPart &share : parts)
          {
            share.part->area += share.area;
            share.part->flux += share.flux;
          }
      }
    };

    /// Computes the shares of cells. Every thread needs its own.
    template <int dim>
    class CellShares
    {
    public:
      CellShares(Nodes &nodes, const Regions<dim> &regions,
                 const OfCells &kappa, const OfCells &source,
                 const std::vector<OfCells> &masses)
        : nodes(nodes), regions(regions), problem(regions.problem),
          mesh(problem.cells), kappa(kappa), source(source), masses(masses),
          rule(cell_quadrature<dim>(mesh.cell_type(), mesh.degree())),
          face_rule(cell_quadrature<dim - 1>(face_type(mesh.cell_type()),
                                             mesh.degree())),
          in_cell(mesh, rule.get_points()),
          on_face(mesh, face_rule.get_points()),
          cell_nodes(mesh.nodes_per_cell())
      {}

      /// Computes what a cell adds, which is cell c of the space, or of another
      /// process if c < 0, and has a number in the list of the coefficients.
      void
      compute(const int cell, const std::size_t number, const int c,
              Shares &shares)
      {
        shares.clear();
        if (c < 0)
          return;
        const bool are_shared = find_nodes(cell, shares);
        if (std::all_of(cell_nodes.begin(), cell_nodes.end(),
                        [](const Node *const node) { return !node; }))
          return;
        add_residuals(cell, number, c, shares);
        if (!are_shared)
          return;
        const auto &faces = regions.faces;
        for (auto face = std::lower_bound(
               faces.begin(), faces.end(), cell,
               [](const auto &face, const int c) { return face.cell < c; });
             face != faces.end() && face->cell == cell; ++face)
          add_parts(*face, shares);
      }

    private:
      /// Finds the nodes of a cell in its region. Returns true if one belongs
      /// to several surfaces, or may have one that hangs on it.
      bool
      find_nodes(const int cell, Shares &shares)
      {
        bool are_shared = problem.hangs;
        for (std::size_t i = 0; i < cell_nodes.size(); ++i)
          {
            cell_nodes[i] = nullptr;
            nodes.for_regions_of(mesh.nodes(cell)[i], [&](Node &node) {
              shares.local.push_back(&node);
              if (node.region == regions.of(cell))
                cell_nodes[i] = &node;
            });
            are_shared =
              are_shared || (cell_nodes[i] && cell_nodes[i]->parts.size() > 1);
          }
        return are_shared;
      }

      dealii::Tensor<1, dim>
      gradient(const CellValues<dim> &values, const unsigned int q,
               const dealii::Tensor<2, dim> &inverse) const
      {
        dealii::Tensor<1, dim> sum;
        for (const auto &shape : values.shapes(q))
          sum += problem.u[values.nodes()[shape.node]] * shape.gradient;
        return sum * inverse;
      }

      void
      add_residuals(const int cell, const std::size_t number, const int c,
                    Shares &shares)
      {
        in_cell.reinit(cell);
        const int nq = static_cast<int>(rule.size());
        std::vector<double> residual(cell_nodes.size(), 0.);
        for (int q = 0; q < nq; ++q)
          {
            const auto k =
              tensor<dim>(kappa.at(number, c, q), problem.kappa.n_components);
            double f            = *source.at(number, c, q);
            const auto jacobian = in_cell.jacobian(q),
                       inverse  = invert(jacobian);
            const double dx     = determinant(jacobian) * rule.weight(q);
            for (std::size_t k = 0; k < masses.size(); ++k)
              for (const auto &shape : in_cell.shapes(q))
                f -= *masses[k].at(number, c, q) *
                     problem.masses[k].v[in_cell.nodes()[shape.node]] *
                     shape.value;
            const auto flux = k * gradient(in_cell, q, inverse);
            for (const auto &shape : in_cell.shapes(q))
              residual[shape.node] +=
                (flux * (shape.gradient * inverse) - f * shape.value) * dx;
          }
        for (std::size_t i = 0; i < cell_nodes.size(); ++i)
          if (cell_nodes[i])
            shares.residuals.emplace_back(cell_nodes[i], residual[i]);
      }

      void
      add_parts(const typename Regions<dim>::Face &face, Shares &shares)
      {
        on_face.reinit(face.cell, face.face);
        const auto &places = on_face.places(face.face);
        const auto &values = on_face.in_cell();
        double area        = 0;
        std::vector<double> flux_of(cell_nodes.size(), 0.);
        for (unsigned int q = 0; q < face_rule.size(); ++q)
          {
            const double dS = on_face.measure(q) * face_rule.weight(q);
            area += dS;
            const double flux =
              (problem.kappa_at(face.cell, on_face.point(q)) *
               gradient(values, q, invert(values.jacobian(q)))) *
              on_face.normal(q) * dS;
            for (const auto &shape : values.shapes(q))
              flux_of[shape.node] += flux * shape.value;
          }
        for (const int i : places)
          if (cell_nodes[i])
            shares.parts.push_back(
              {cell_nodes[i]->parts.find(face.surface), area, flux_of[i]});
      }

      Nodes &nodes;
      const Regions<dim> &regions;
      const FluxProblem<dim> &problem;
      const CellNodes<dim> &mesh;
      const OfCells &kappa, &source;
      const std::vector<OfCells> &masses;
      const dealii::Quadrature<dim> rule;
      const dealii::Quadrature<dim - 1> face_rule;
      CellValues<dim> in_cell;
      FaceTrace<dim> on_face;
      std::vector<Node *> cell_nodes;
    };
  } // namespace


  template <int dim>
  void
  add_cells(Nodes &nodes, const Regions<dim> &regions)
  {
    const FluxProblem<dim> &problem = regions.problem;
    const CellNodes<dim> &mesh      = problem.cells;
    auto place                      = parallel_vector<int>(mesh.n_cells(), -1);
#pragma omp parallel for schedule(static)
    for (int c = 0; c < problem.space.n_cells(); ++c)
      place[problem.space.mesh_cell[c]] = c;
    // Nodes that hang on nodes of surfaces may be of other cells.
    std::vector<int> around(mesh.n_cells());
    if (problem.hangs || problem.n_holders > 0)
      std::iota(around.begin(), around.end(), 0);
    else
      around = cells_around_surfaces(regions);
    std::vector<int> places;
    for (const int cell : around)
      places.push_back(place[cell]);
    // Other processes have the others.
    std::vector<int> known_places = places;
    std::replace(known_places.begin(), known_places.end(), -1, 0);
    const int nq = problem.space.points_per_cell();
    const OfCells kappa(problem.kappa, known_places, nq),
      source(problem.source, known_places, nq);
    std::vector<OfCells> masses;
    for (const auto &mass : problem.masses)
      masses.emplace_back(mass.c, known_places, nq);

    add_items_in_order(
      static_cast<std::ptrdiff_t>(around.size()), Shares(),
      [&]() {
        return
          [&, cells = CellShares<dim>(nodes, regions, kappa, source, masses)](
            const std::ptrdiff_t number, Shares &shares) mutable {
            cells.compute(around[number], number, places[number], shares);
          };
      },
      [](std::ptrdiff_t, const Shares &shares, const NodesOfThread &is_mine) {
        if (is_mine(0))
          shares.add();
      });
  }


  template void
  add_cells(Nodes &, const Regions<2> &);
  template void
  add_cells(Nodes &, const Regions<3> &);
} // namespace tessera::internal::flux
