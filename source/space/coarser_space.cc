#include <tessera/base/algorithms.h>
#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/space/coarser_space.h>
#include <tessera/space/mesh_arrays.h>
#include <tessera/space/quadrature.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "coarser_space.cuh"
#include "first_touch.h"
#include "numbering.h"

namespace tessera
{
  using namespace internal;

  namespace
  {
    using Indices = std::vector<int>;

    /// Returns what digit d of `number` to the base `n` is.
    int
    digit(const int number, const int d, const int n)
    {
      return number / (d == 0 ? 1 : d == 1 ? n : n * n) % n;
    }

    /// Replaces indices by numbers that count those in use from 0 on, in their
    /// order, and returns the index of each number.
    Indices
    count_used(Indices &indices, const int n)
    {
      const auto n_indices = static_cast<std::int64_t>(indices.size());
      auto used            = parallel_vector<int>(n, 0);
      auto number          = parallel_vector<std::int64_t>(n + std::size_t(1));
#pragma omp parallel for schedule(static)
      for (std::int64_t k = 0; k < n_indices; ++k)
        leave_larger(used[indices[k]], 1);
      algorithms::exclusive_scan(Backend::host, used.data(), number.data(), n);
      auto result = parallel_vector<int>(number.back());
#pragma omp parallel for schedule(static)
      for (int i = 0; i < n; ++i)
        if (used[i] != 0)
          result[number[i]] = i;
#pragma omp parallel for schedule(static)
      for (std::int64_t k = 0; k < n_indices; ++k)
        indices[k] = static_cast<int>(number[indices[k]]);
      return result;
    }

    /// Gives a coarser mesh its nodes. `keys` has the finer node that stands
    /// for each node of its cells; they become numbers. Returns the key of each
    /// node.
    Indices
    set_nodes(Connectivity &mesh, Indices keys, const Space &finer)
    {
      const int nc        = finer.n_components;
      const int n_free    = finer.n_owned + finer.n_ghosts;
      const Indices nodes = count_used(keys, finer.n_local());
      mesh.cell_dofs      = std::move(keys);
      mesh.n_dofs         = static_cast<int>(nodes.size());
      mesh.n_components   = nc;
      mesh.constrained = parallel_vector<char>(std::size_t(nc) * mesh.n_dofs);
#pragma omp parallel for schedule(static)
      for (int node = 0; node < mesh.n_dofs; ++node)
        for (int c = 0; c < nc; ++c)
          mesh.constrained[std::size_t(nc) * node + c] =
            nodes[node] >= n_free ||
            std::binary_search(finer.fixed.begin(), finer.fixed.end(),
                               nodes[node] * nc + c);
      return nodes;
    }

    void
    check_whole(const Space &finer)
    {
      if (finer.n_ghosts > 0)
        throw ParameterError(
          "A coarser space of a part needs to know how its "
          "ghosts are exchanged, and larger cells a whole "
          "mesh.");
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

    /// Makes the space and the lattices, where `place` has the finer cells of
    /// each coarser cell of the mesh, and `keys` those of its nodes. Makes none
    /// if no node of a whole mesh is free.
    CoarserSpace
    make(const Connectivity &mesh, const Indices &keys, const Space &finer,
         const int *const place, const int n_children,
         const std::vector<double> &lattice_points,
         const GhostsOfPart *const part)
    {
      CoarserSpace result;
      const auto &given = mesh.constrained;
      if (part == nullptr &&
          std::find(given.begin(), given.end(), 0) == given.end())
        return result;
      mesh.check();
      std::vector<Place> owners = places(mesh);
#pragma omp parallel for schedule(static)
      for (int node = 0; node < mesh.n_dofs; ++node)
        if (owners[node] == Place::owned && keys[node] >= finer.n_owned)
          owners[node] = Place::ghost;
      result.space       = std::make_shared<const Space>(number(
              mesh, owners, finer.numbering, finer.cell_order, finer.block_side));
      const Space &space = *result.space;
      const int n_cells  = space.n_cells();
      if (part != nullptr)
        {
          Indices coarser(finer.n_owned + finer.n_ghosts, -1), exchanged;
          for (int node = 0; node < space.n_owned + space.n_ghosts; ++node)
            coarser[keys[space.mesh_dof[node]]] = node;
          for (const int node : exchanged_nodes(part->shared, finer.n_owned))
            exchanged.push_back(coarser[node]);
          result.shared =
            coarser_exchange(part->shared, exchanged, space.n_owned);
        }
      result.embedding =
        internal::embedding(space.cell_type, space.degree, lattice_points);
      result.n_children = n_children;
      result.children = parallel_vector<int>(std::size_t(n_children) * n_cells);
#pragma omp parallel for schedule(static)
      for (int c = 0; c < n_cells; ++c)
        std::copy_n(&place[std::size_t(n_children) * space.mesh_cell[c]],
                    n_children, &result.children[std::size_t(n_children) * c]);

      const FinerNodes nodes =
        finer_nodes(finer, space.degree, n_children, finer.cell_dofs.data(),
                    result.children.data(), 0);
      const auto n     = std::int64_t(nodes.n_lattice) * n_cells;
      auto rank        = parallel_vector<int>(finer.n_local(), 0);
      result.n_lattice = nodes.side;
      result.lattice   = parallel_vector<int>(n);
      for_each(Backend::host, n, OwnNodes{nodes, rank.data()});
      for_each(
        Backend::host, n,
        WriteLattice{nodes, rank.data(), finer.n_owned, result.lattice.data()});
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
    const int p = finer.degree, dim = finer.dim();
    if (degree < 1 || degree > 2 || degree >= p)
      throw ParameterError("A space of degree " + std::to_string(degree) +
                           " below one of degree " + std::to_string(p) +
                           " is asked for; legal are 1 and 2 below it.");
    Connectivity mesh;
    mesh.cell_type    = finer.cell_type;
    mesh.degree       = degree;
    mesh.n_vertices   = static_cast<int>(finer.vertices.size() / dim);
    mesh.vertices     = finer.vertices;
    mesh.geometry     = finer.geometry == Geometry::affine ? Geometry::affine
                                                           : Geometry::vertices;
    const int n_cells = finer.n_cells(), n = finer.dofs_per_cell();
    const int nv = finer.vertices_per_cell(),
              nq = n_nodes(finer.cell_type, degree);
    Indices own_places(n_cells);
    std::iota(own_places.begin(), own_places.end(), 0);
    const auto places =
      part == nullptr
        ? places_of_cells(finer, Backend::host)
        : std::make_shared<const Array<int>>(Backend::host, own_places);
    const int *const place = places->data();
    const AgreedOrder before{finer.n_owned, finer.n_owned + finer.n_ghosts,
                             part != nullptr ? part->at_owner.data() : nullptr};

    // The finer nodes within the vertex, edge, face or cell of each node.
    std::vector<Indices> within(nq);
    for (int k = 0; k < nq; ++k)
      for (int i = 0; i < n; ++i)
        {
          bool inside = true;
          for (int d = 0; d < dim; ++d)
            {
              const int at = digit(k, d, degree + 1), of = digit(i, d, p + 1);
              inside = inside && (at == 0        ? of == 0
                                  : at == degree ? of == p
                                                 : of > 0 && of < p);
            }
          if (inside)
            within[k].push_back(i);
        }
    auto keys          = parallel_vector<int>(std::size_t(nq) * n_cells);
    mesh.cell_vertices = parallel_vector<int>(std::size_t(nv) * n_cells);
#pragma omp parallel for schedule(static)
    for (int m = 0; m < n_cells; ++m)
      {
        const int *const nodes = &finer.cell_dofs[std::size_t(n) * place[m]];
        const int *const corners =
          &finer.cell_vertices[std::size_t(nv) * place[m]];
        std::copy_n(corners, nv, &mesh.cell_vertices[std::size_t(nv) * m]);
        for (int k = 0; k < nq; ++k)
          {
            int key = nodes[within[k].front()];
            for (const int i : within[k])
              key = before(nodes[i], key) ? nodes[i] : key;
            keys[std::size_t(nq) * m + k] = key;
          }
      }
    keys = set_nodes(mesh, std::move(keys), finer);

    return make(mesh, keys, finer, place, 1, gauss_lobatto_points(p + 1), part);
  }


  CoarserSpace
  parent_space(const Space &finer)
  {
    check_coarsening(finer);
    check_whole(finer);
    if (finer.degree != 1)
      throw ParameterError("Parents have a space below one of degree 1 alone.");
    const int dim = finer.dim(), n = finer.vertices_per_cell();
    const auto places      = places_of_cells(finer, Backend::host);
    const int *const place = places->data();
    if (!are_children(finer, place))
      return {};
    Connectivity mesh;
    mesh.cell_type    = finer.cell_type;
    const int n_cells = finer.n_cells() / n;
    auto keys         = parallel_vector<int>(std::size_t(n) * n_cells);
    auto corners      = parallel_vector<int>(std::size_t(n) * n_cells);
#pragma omp parallel for schedule(static)
    for (int m = 0; m < n_cells; ++m)
      for (int v = 0; v < n; ++v)
        {
          const std::size_t k        = std::size_t(n) * m + v;
          const std::size_t of_child = std::size_t(n) * place[k] + v;
          keys[k]                    = finer.cell_dofs[of_child];
          corners[k]                 = finer.cell_vertices[of_child];
        }
    const Indices vertices =
      count_used(corners, static_cast<int>(finer.vertices.size() / dim));
    mesh.n_vertices = static_cast<int>(vertices.size());
    mesh.vertices = parallel_vector<double>(std::size_t(dim) * vertices.size());
#pragma omp parallel for schedule(static)
    for (int vertex = 0; vertex < mesh.n_vertices; ++vertex)
      std::copy_n(&finer.vertices[std::size_t(dim) * vertices[vertex]], dim,
                  &mesh.vertices[std::size_t(dim) * vertex]);
    mesh.cell_vertices = std::move(corners);
    keys               = set_nodes(mesh, std::move(keys), finer);

    return make(mesh, keys, finer, place, n, {0., 0.5, 1.}, nullptr);
  }
} // namespace tessera
