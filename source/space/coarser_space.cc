#include <tessera/base/algorithms.h>
#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/space/coarser_space.h>
#include <tessera/space/quadrature.h>

#include <algorithm>
#include <utility>

#include "coarser_space.cuh"

namespace tessera
{
  using namespace internal;

  namespace
  {
    using Indices = std::vector<int>;

    Indices
    copied(const int *const from, const std::int64_t n)
    {
      auto to = parallel_vector<int>(n);
#pragma omp parallel for schedule(static)
      for (std::int64_t i = 0; i < n; ++i)
        to[i] = from[i];
      return to;
    }

    Indices
    counted(const int n)
    {
      auto numbers = parallel_vector<int>(n);
#pragma omp parallel for schedule(static)
      for (int i = 0; i < n; ++i)
        numbers[i] = i;
      return numbers;
    }

    void
    check_whole(const Space &finer)
    {
      if (finer.n_ghosts > 0)
        throw ParameterError(
          "A coarser space of a part needs to know how its "
          "ghosts are exchanged.");
    }

    /// Returns true if the cells of degree 1 follow each other as the children
    /// of larger ones do that are not inverted.
    bool
    are_children(const Space &finer, const int *const place)
    {
      const int n = finer.vertices_per_cell();
      if (finer.n_cells() % n != 0)
        return false;
      const FinerNodes nodes =
        finer_nodes(finer, 1, n, finer.cell_vertices.data(), place, 0);
      auto misfits    = parallel_vector<int>(nodes.n_cells);
      const auto find = [&](const auto &functor) {
        for_each(Backend::host, nodes.n_cells, functor);
      };
      if (finer.dim() == 2)
        find(FindMisfits<CellType::quadrilateral>{nodes, finer.vertices.data(),
                                                  misfits.data()});
      else
        find(FindMisfits<CellType::hexahedron>{nodes, finer.vertices.data(),
                                               misfits.data()});
      return algorithms::maximum(Backend::host, misfits.data(),
                                 nodes.n_cells) == 0;
    }

    /// Makes the cells, of which `nodes` says where they are. Makes none if no
    /// node of a whole mesh is free.
    CoarserSpace
    make(const Space &finer, const FinerNodes &nodes,
         const std::vector<double> &lattice_points,
         const GhostsOfPart *const part)
    {
      constexpr Backend host = Backend::host;
      const int n_cells = nodes.n_cells, n_finer = finer.padding_index();
      const auto in_cells = [&](const int n) {
        return parallel_vector<int>(std::size_t(n_cells) * n);
      };
      auto rank   = parallel_vector<int>(n_finer),
           is_key = parallel_vector<int>(n_finer);
      auto keys   = in_cells(nodes.n_nodes);
      for_each(host, n_cells, OwnNodes{nodes, rank.data()});
      for_each(host, n_cells,
               MarkKeys{nodes, rank.data(), keys.data(), is_key.data()});
      auto number = parallel_vector<std::int64_t>(n_finer + std::size_t(1));
      algorithms::exclusive_scan(host, is_key.data(), number.data(), n_finer);
      const auto n_free = number[nodes.before.n_free];
      if (number[finer.n_owned] == 0 && part == nullptr)
        return {};

      const auto space     = std::make_shared<Space>();
      space->cell_type     = finer.cell_type;
      space->degree        = nodes.degree;
      space->numbering     = finer.numbering;
      space->cell_order    = finer.cell_order;
      space->block_side    = finer.block_side;
      space->n_components  = finer.n_components;
      space->n_owned       = static_cast<int>(number[finer.n_owned]);
      space->n_ghosts      = static_cast<int>(n_free) - space->n_owned;
      space->n_constrained = static_cast<int>(number.back() - n_free);
      for (const int entry : finer.fixed)
        if (const int node = entry / finer.n_components; is_key[node] != 0)
          space->fixed.push_back(static_cast<int>(number[node]) *
                                   finer.n_components +
                                 entry % finer.n_components);
      if (nodes.degree == 1)
        space->vertices =
          parallel_vector<double>(number.back() * std::size_t(finer.dim()));
      for_each(
        host, n_cells,
        NumberKeys{nodes, rank.data(), number.data(), 0, keys.data(),
                   finer.cell_vertices.data(), finer.vertices.data(),
                   nodes.degree == 1 ? space->vertices.data() : nullptr});
      if (nodes.degree > 1)
        space->vertices = finer.vertices;
      const Indices &vertices = nodes.degree == 1 ? keys : finer.cell_vertices;
      space->cell_vertices    = copied(vertices.data(), vertices.size());
      space->cell_dofs        = std::move(keys);

      CoarserSpace result;
      result.n_children = nodes.n_children;
      if (nodes.n_children > 1)
        {
          space->mesh_cell = counted(n_cells);
          result.children  = copied(nodes.places, finer.n_cells());
        }
      else
        {
          space->mesh_cell        = copied(finer.mesh_cell.data(), n_cells);
          space->n_interior_cells = finer.n_interior_cells;
          result.children         = counted(n_cells);
          if (finer.geometry == Geometry::affine)
            space->geometry = Geometry::affine;
        }
      if (part != nullptr)
        {
          const Indices exchanged =
            exchanged_nodes(part->shared, finer.n_owned);
          Indices coarser(exchanged.size());
          for_each(
            host, std::int64_t(coarser.size()),
            FindCoarser{exchanged.data(), number.data(), coarser.data()});
          result.shared =
            coarser_exchange(part->shared, coarser, space->n_owned);
        }
      result.embedding =
        internal::embedding(space->cell_type, space->degree, lattice_points);
      result.n_lattice = nodes.side;
      result.lattice   = in_cells(nodes.n_lattice);
      for_each(
        host, n_cells,
        WriteLattice{nodes, rank.data(), finer.n_owned, result.lattice.data()});
      result.space = space;
      return result;
    }
  } // namespace


  void
  check_coarsening(const Space &finer)
  {
    if (is_simplex(finer.cell_type) || finer.dim() < 2)
      throw ParameterError(
        "Levels of degree and refinement need quadrilaterals or hexahedra.");
    if (finer.n_hanging > 0)
      throw ParameterError(
        "Levels of degree and refinement need a mesh "
        "without hanging nodes.");
  }


  CoarserSpace
  lower_degree(const Space &finer, const int degree,
               const GhostsOfPart *const part)
  {
    check_coarsening(finer);
    if (part == nullptr)
      check_whole(finer);
    const int p = finer.degree;
    if (degree < 1 || degree > 2 || degree >= p)
      throw ParameterError("A space of degree " + std::to_string(degree) +
                           " below one of degree " + std::to_string(p) +
                           " is asked for; legal are 1 and 2 below it.");
    return make(finer,
                finer_nodes(finer, degree, 1, finer.cell_dofs.data(), nullptr,
                            0,
                            part != nullptr ? part->at_owner.data() : nullptr),
                gauss_lobatto_points(finer.degree + 1), part);
  }


  CoarserSpace
  parent_space(const Space &finer, const GhostsOfPart *const part)
  {
    check_coarsening(finer);
    if (part == nullptr)
      check_whole(finer);
    if (finer.degree != 1)
      throw ParameterError("Parents have a space below one of degree 1 alone.");
    const int n       = finer.vertices_per_cell();
    const auto places = places_of_cells(finer, Backend::host);
    if (!are_children(finer, places->data()))
      return {};
    return make(finer,
                finer_nodes(finer, 1, n, finer.cell_dofs.data(), places->data(),
                            0,
                            part != nullptr ? part->at_owner.data() : nullptr),
                {0., 0.5, 1.}, part);
  }
} // namespace tessera
