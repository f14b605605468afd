#include <tessera/base/algorithms.h>
#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/space/coarser_space.h>
#include <tessera/space/mesh_arrays.h>
#include <tessera/space/quadrature.h>

#include <algorithm>
#include <utility>

#include "coarser_space.cuh"
#include "first_touch.h"

namespace tessera
{
  namespace
  {
    using Indices = std::vector<int>;

    /// Returns the place of each cell of the mesh.
    Indices
    places_of_cells(const Space &space)
    {
      auto place = parallel_vector<int>(space.n_cells());
#pragma omp parallel for schedule(static)
      for (int c = 0; c < space.n_cells(); ++c)
        place[space.mesh_cell[c]] = c;
      return place;
    }

    /// Returns what digit d of `number` to the base `n` is.
    int
    digit(const int number, const int d, const int n)
    {
      return number / (d == 0 ? 1 : d == 1 ? n : n * n) % n;
    }

    /// Indices that are in use, counted from 0 in their order.
    class Numbers
    {
    public:
      explicit Numbers(const int n) : used(parallel_vector<int>(n, 0))
      {}

      /// Several threads may call this.
      void
      use(const int index)
      {
        leave_larger(used[index], 1);
      }

      void
      count()
      {
        number = parallel_vector<std::int64_t>(used.size() + 1);
        algorithms::exclusive_scan(Backend::host, used.data(), number.data(),
                                   static_cast<std::int64_t>(used.size()));
      }

      int
      size() const
      {
        return static_cast<int>(number.back());
      }

      int
      operator[](const int index) const
      {
        return static_cast<int>(number[index]);
      }

      /// Calls f(index, number) for the indices in use, by all threads.
      template <class F>
      void
      for_all(const F &f) const
      {
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < used.size(); ++i)
          if (used[i] != 0)
            f(static_cast<int>(i), (*this)[static_cast<int>(i)]);
      }

    private:
      Indices used;
      std::vector<std::int64_t> number;
    };

    /// Gives a coarser mesh its nodes. `keys` has the finer node that stands
    /// for each node of its cells; they become numbers.
    void
    set_nodes(Connectivity &mesh, Indices keys, const Space &finer)
    {
      const std::int64_t n = keys.size();
      const int nc         = finer.n_components;
      Numbers nodes(finer.n_local());
#pragma omp parallel for schedule(static)
      for (std::int64_t k = 0; k < n; ++k)
        nodes.use(keys[k]);
      nodes.count();
#pragma omp parallel for schedule(static)
      for (std::int64_t k = 0; k < n; ++k)
        keys[k] = nodes[keys[k]];
      mesh.cell_dofs    = std::move(keys);
      mesh.n_dofs       = nodes.size();
      mesh.n_components = nc;
      mesh.constrained  = parallel_vector<char>(std::size_t(nc) * mesh.n_dofs);
      nodes.for_all([&](const int of_finer, const int node) {
        const char given = of_finer < finer.n_owned ? 0 : 1;
        for (int c = 0; c < nc; ++c)
          mesh.constrained[std::size_t(nc) * node + c] = given;
      });
      for (const int entry : finer.fixed)
        if (const int node = nodes[entry / nc]; nodes[entry / nc + 1] > node)
          mesh.constrained[std::size_t(nc) * node + entry % nc] = 1;
    }

    /// Returns the child and its corner that each node of the lattice of 2^dim
    /// cells of degree 1 is.
    std::vector<std::pair<int, int>>
    lattice_of_children(const CellType type)
    {
      const int n = n_nodes(type, 2);
      std::vector<std::pair<int, int>> result(n, {0, 0});
      for (int t = 0; t < n; ++t)
        for (int d = 0; d < dimension(type); ++d)
          {
            result[t].first |= digit(t, d, 3) / 2 << d;
            result[t].second |= (digit(t, d, 3) + 1) / 2 << d;
          }
      return result;
    }

    /// Returns true if the cells of degree 1 follow each other as the children
    /// of larger ones do that are not inverted.
    bool
    are_children(const Space &finer, const Indices &place)
    {
      const int n = finer.vertices_per_cell(), dim = finer.dim();
      if (finer.n_cells() % n != 0)
        return false;
      bool fits = true;
#pragma omp parallel for schedule(static) reduction(&& : fits)
      for (int m = 0; m < finer.n_cells() / n; ++m)
        {
          const auto vertex = [&](const int child, const int corner) {
            return finer
              .cell_vertices[std::size_t(n) * place[m * n + child] + corner];
          };
          double corners[8 * 3];
          for (int child = 0; child < n; ++child)
            {
              // The lowest child with a node has it at its upper corner.
              for (int corner = 0; corner < n; ++corner)
                fits = fits && vertex(child, corner) ==
                                 vertex(child & corner, corner | child);
              std::copy_n(
                &finer.vertices[std::size_t(dim) * vertex(child, child)], dim,
                corners + dim * child);
            }
          fits = fits && cell_quality(finer.cell_type, corners) > 0;
        }
      return fits;
    }

    /// Makes the space and the lattice from the finer nodes of each cell of the
    /// coarser mesh: node(cell, t) is that of lattice node t. Makes none if no
    /// node is free.
    template <class Node>
    CoarserSpace
    make(const Connectivity &mesh, const Space &finer, const int n_lattice,
         const std::vector<double> &lattice_points, const Node &node)
    {
      CoarserSpace result;
      const auto &given = mesh.constrained;
      if (std::find(given.begin(), given.end(), 0) == given.end())
        return result;
      result.n_lattice = n_lattice;
      result.space     = std::make_shared<const Space>(
        build_space(mesh, finer.numbering, finer.cell_order, finer.block_side));
      const Space &space = *result.space;
      result.embedding =
        internal::embedding(space.cell_type, space.degree, lattice_points);

      // The cell that stands first has the largest key.
      const int n       = n_nodes(space.cell_type, n_lattice - 1),
                n_cells = space.n_cells();
      auto first        = parallel_vector<int>(finer.n_owned, 0);
#pragma omp parallel for schedule(static)
      for (int c = 0; c < n_cells; ++c)
        for (int t = 0; t < n; ++t)
          if (const int i = node(space.mesh_cell[c], t); i < finer.n_owned)
            leave_larger(first[i], n_cells - c);
      result.lattice = parallel_vector<int>(std::size_t(n) * n_cells);
#pragma omp parallel for schedule(static)
      for (int c = 0; c < n_cells; ++c)
        for (int t = 0; t < n; ++t)
          {
            const int i = node(space.mesh_cell[c], t);
            result.lattice[std::size_t(n) * c + t] =
              i < finer.n_owned && first[i] == n_cells - c ? i : -1;
          }
      return result;
    }
  } // namespace


  void
  check_coarsening(const Space &finer)
  {
    if (is_simplex(finer.cell_type) || finer.dim() < 2)
      throw ParameterError(
        "Levels of degree and refinement need quadrilaterals or hexahedra.");
    if (finer.n_ghosts > 0 || finer.n_hanging > 0)
      throw ParameterError(
        "Levels of degree and refinement need a whole "
        "mesh without hanging nodes.");
  }


  CoarserSpace
  lower_degree(const Space &finer, const int degree)
  {
    check_coarsening(finer);
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
    const int nv        = finer.vertices_per_cell(),
              nq        = n_nodes(finer.cell_type, degree);
    const Indices place = places_of_cells(finer);

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
              key = std::min(key, nodes[i]);
            keys[std::size_t(nq) * m + k] = key;
          }
      }
    set_nodes(mesh, std::move(keys), finer);

    CoarserSpace result =
      make(mesh, finer, p + 1, gauss_lobatto_points(p + 1),
           [&](const int m, const int t) {
             return finer.cell_dofs[std::size_t(n) * place[m] + t];
           });
    if (!result.space)
      return result;
    result.children = parallel_vector<int>(n_cells);
#pragma omp parallel for schedule(static)
    for (int c = 0; c < n_cells; ++c)
      result.children[c] = place[result.space->mesh_cell[c]];
    return result;
  }


  CoarserSpace
  parent_space(const Space &finer)
  {
    check_coarsening(finer);
    if (finer.degree != 1)
      throw ParameterError("Parents have a space below one of degree 1 alone.");
    const int dim = finer.dim(), n = finer.vertices_per_cell();
    const Indices place = places_of_cells(finer);
    if (!are_children(finer, place))
      return {};
    Connectivity mesh;
    mesh.cell_type    = finer.cell_type;
    const int n_cells = finer.n_cells() / n;
    auto keys         = parallel_vector<int>(std::size_t(n) * n_cells);
    auto corners      = parallel_vector<int>(std::size_t(n) * n_cells);
    Numbers vertices(static_cast<int>(finer.vertices.size() / dim));
#pragma omp parallel for schedule(static)
    for (int m = 0; m < n_cells; ++m)
      for (int v = 0; v < n; ++v)
        {
          const std::size_t k        = std::size_t(n) * m + v;
          const std::size_t of_child = std::size_t(n) * place[k] + v;
          keys[k]                    = finer.cell_dofs[of_child];
          corners[k]                 = finer.cell_vertices[of_child];
          vertices.use(corners[k]);
        }
    vertices.count();
    mesh.n_vertices = vertices.size();
    mesh.vertices = parallel_vector<double>(std::size_t(dim) * vertices.size());
    vertices.for_all([&](const int of_finer, const int vertex) {
      std::copy_n(&finer.vertices[std::size_t(dim) * of_finer], dim,
                  &mesh.vertices[std::size_t(dim) * vertex]);
    });
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < corners.size(); ++k)
      corners[k] = vertices[corners[k]];
    mesh.cell_vertices = std::move(corners);
    set_nodes(mesh, std::move(keys), finer);

    const auto lattice = lattice_of_children(finer.cell_type);
    CoarserSpace result =
      make(mesh, finer, 3, {0., 0.5, 1.}, [&](const int m, const int t) {
        const auto [child, corner] = lattice[t];
        return finer
          .cell_dofs[std::size_t(n) * place[std::size_t(n) * m + child] +
                     corner];
      });
    if (!result.space)
      return result;
    result.n_children = n;
    result.children   = parallel_vector<int>(std::size_t(n) * n_cells);
#pragma omp parallel for schedule(static)
    for (int c = 0; c < n_cells; ++c)
      std::copy_n(&place[std::size_t(n) * result.space->mesh_cell[c]], n,
                  &result.children[std::size_t(n) * c]);
    return result;
  }
} // namespace tessera
