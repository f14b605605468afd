#include "flux_regions.h"

#include <tessera/base/parallel_vector.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/fields/coefficients.h>

#include <deal.II/fe/fe_values.h>

#include <algorithm>
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

    /// What a piece of the cells adds.
    struct Shares
    {
      std::vector<Node *> local; ///< nodes of these cells
      std::vector<std::pair<Node *, double>> residuals;
      struct Part
      {
        Node *node;
        Surface surface;
        double area, flux;
      };
      std::vector<Part> parts;

      void
      add() const
      {
        for (Node *const node : local)
          node->is_local = true;
        for (const auto &[node, residual] : residuals)
          node->residual += residual;
        for (const Part &share : parts)
          {
            Node::Part &part = share.node->parts[share.surface];
            part.area += share.area;
            part.flux += share.flux;
          }
      }
    };

    /// Computes the shares of cells. Every thread needs its own.
    template <int dim>
    class CellShares
    {
    public:
      using Cell = typename Regions<dim>::Cell;

      CellShares(Nodes &nodes, const Regions<dim> &regions,
                 const OfCells &kappa, const OfCells &source)
        : nodes(nodes), regions(regions), problem(regions.problem),
          fe(problem.known.dof_handler.get_fe()), kappa(kappa), source(source),
          cells(problem.mapping, fe,
                cell_quadrature<dim>(problem.space.cell_type,
                                     static_cast<int>(fe.degree)),
                dealii::update_values | dealii::update_gradients |
                  dealii::update_JxW_values),
          faces(problem.mapping, fe,
                cell_quadrature<dim - 1>(face_type(problem.space.cell_type),
                                         static_cast<int>(fe.degree)),
                dealii::update_values | dealii::update_gradients |
                  dealii::update_quadrature_points |
                  dealii::update_normal_vectors | dealii::update_JxW_values),
          dofs(fe.n_dofs_per_cell()), cell_nodes(dofs.size())
      {}

      /// Adds what cell c of the space adds, which has a number in the list of
      /// the coefficients.
      void
      compute(const Cell &cell, const std::size_t number, const int c,
              Shares &shares)
      {
        const bool are_shared = find_nodes(cell, shares);
        if (std::all_of(cell_nodes.begin(), cell_nodes.end(),
                        [](const Node *const node) { return !node; }))
          return;
        add_residuals(cell, number, c, shares);
        for (const unsigned int f : cell->face_indices())
          if (const auto surface = regions.surface(cell, f);
              surface && are_shared)
            add_parts(cell, f, *surface, shares);
      }

    private:
      /// Finds the nodes of a cell in its region. Returns true if one belongs
      /// to several surfaces, or may have one that hangs on it.
      bool
      find_nodes(const Cell &cell, Shares &shares)
      {
        cell->get_dof_indices(dofs);
        bool are_shared = problem.hangs;
        for (std::size_t i = 0; i < dofs.size(); ++i)
          {
            dofs[i]       = problem.known.dof(dofs[i]);
            cell_nodes[i] = nullptr;
            for_regions_of(nodes, dofs[i], [&](const auto &node) {
              shares.local.push_back(&node->second);
              if (node->first.second == regions.of(cell))
                cell_nodes[i] = &node->second;
            });
            are_shared =
              are_shared || (cell_nodes[i] && cell_nodes[i]->parts.size() > 1);
          }
        return are_shared;
      }

      dealii::Tensor<1, dim>
      gradient(const dealii::FEValuesBase<dim> &values,
               const unsigned int q) const
      {
        dealii::Tensor<1, dim> sum;
        for (unsigned int i = 0; i < dofs.size(); ++i)
          sum += problem.u[dofs[i]] * values.shape_grad(i, q);
        return sum;
      }

      void
      add_residuals(const Cell &cell, const std::size_t number, const int c,
                    Shares &shares)
      {
        cells.reinit(cell);
        const int nq = cells.n_quadrature_points;
        std::vector<double> residual(dofs.size(), 0.);
        for (int q = 0; q < nq; ++q)
          {
            const auto k =
              tensor<dim>(kappa.at(number, c, q), problem.kappa.n_components);
            double f = *source.at(number, c, q);
            for (const auto &mass : problem.masses)
              for (unsigned int i = 0; i < dofs.size(); ++i)
                f -= *values_at(mass.c, c, q, nq) * mass.v[dofs[i]] *
                     cells.shape_value(i, q);
            const auto flux = k * gradient(cells, q);
            for (unsigned int i = 0; i < dofs.size(); ++i)
              residual[i] +=
                (flux * cells.shape_grad(i, q) - f * cells.shape_value(i, q)) *
                cells.JxW(q);
          }
        for (std::size_t i = 0; i < dofs.size(); ++i)
          if (cell_nodes[i])
            shares.residuals.emplace_back(cell_nodes[i], residual[i]);
      }

      void
      add_parts(const Cell &cell, const unsigned int f, const Surface &surface,
                Shares &shares)
      {
        const std::size_t whole = problem.known.cell(cell->active_cell_index());
        faces.reinit(cell, f);
        face_dofs.resize(fe.n_dofs_per_face(f));
        cell->face(f)->get_dof_indices(face_dofs);
        for (auto &dof : face_dofs)
          dof = problem.known.dof(dof);
        for (unsigned int q = 0; q < faces.n_quadrature_points; ++q)
          {
            const double flux =
              (problem.kappa_at(whole, faces.quadrature_point(q)) *
               gradient(faces, q)) *
              faces.normal_vector(q) * faces.JxW(q);
            for (unsigned int i = 0; i < dofs.size(); ++i)
              if (cell_nodes[i] &&
                  std::count(face_dofs.begin(), face_dofs.end(), dofs[i]) > 0)
                shares.parts.push_back({cell_nodes[i], surface, faces.JxW(q),
                                        flux * faces.shape_value(i, q)});
          }
      }

      Nodes &nodes;
      const Regions<dim> &regions;
      const FluxProblem<dim> &problem;
      const dealii::FiniteElement<dim> &fe;
      const OfCells &kappa, &source;
      dealii::FEValues<dim> cells;
      dealii::FEFaceValues<dim> faces;
      std::vector<dealii::types::global_dof_index> dofs, face_dofs;
      std::vector<Node *> cell_nodes;
    };
  } // namespace


  template <int dim>
  void
  add_cells(Nodes &nodes, const Regions<dim> &regions)
  {
    constexpr std::size_t in_piece  = 64;
    const FluxProblem<dim> &problem = regions.problem;
    const KnownDofs<dim> &known     = problem.known;
    auto place                      = parallel_vector<int>(known.n_cells, -1);
#pragma omp parallel for schedule(static)
    for (int c = 0; c < problem.space.n_cells(); ++c)
      place[problem.space.mesh_cell[c]] = c;
    // Nodes that hang on those of surfaces may be of other cells.
    auto around =
      problem.hangs || problem.n_holders > 0
        ? active_cells(known.dof_handler, [](const auto &) { return true; })
        : cells_around_surfaces(regions);
    std::vector<int> places;
    for (const auto &cell : around)
      places.push_back(place[known.cell(cell->active_cell_index())]);
    // Other processes have the others.
    std::vector<int> here = places;
    std::replace(here.begin(), here.end(), -1, 0);
    const int nq = problem.space.points_per_cell();
    const OfCells kappa(problem.kappa, here, nq),
      source(problem.source, here, nq);

    std::vector<Shares> shares((around.size() + in_piece - 1) / in_piece);
#pragma omp parallel
    {
      CellShares<dim> cells(nodes, regions, kappa, source);
#pragma omp for schedule(dynamic)
      for (std::size_t piece = 0; piece < shares.size(); ++piece)
        for (std::size_t number = piece * in_piece;
             number < std::min(around.size(), (piece + 1) * in_piece); ++number)
          if (places[number] >= 0)
            cells.compute(around[number], number, places[number],
                          shares[piece]);
    }
    for (const Shares &of_piece : shares) // in the order of cells
      of_piece.add();
  }


  template void
  add_cells(Nodes &, const Regions<2> &);
  template void
  add_cells(Nodes &, const Regions<3> &);
} // namespace tessera::internal::flux
