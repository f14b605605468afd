#pragma once

#include <tessera/base/error.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/factory.h>
#include <tessera/space/coarser_space.h>

#include <numeric>

#include "../../source/preconditioners/lattice_transfer.h"
#include "cell_meshes.h"
#include "exchange.h"
#include "hanging_mesh.h"
#include "problems.h"
#include "test.h"

// Parts of a level and of the next coarser one, and what they have to equal.
namespace tessera
{
  using namespace test;

  namespace
  {
    /// The last part has one cell, which shares all of its vertices.
    std::vector<int>
    parts_of(const Connectivity &mesh, const int n_parts, const int alone)
    {
      std::vector<int> part(mesh.n_cells());
      for (int c = 0; c < mesh.n_cells(); ++c)
        part[c] = n_parts == 1 ? 0 : c % (n_parts - 1);
      part[alone] = n_parts - 1;
      return part;
    }

    /// The space of one part, which is the finest one or a coarser one.
    struct PartOfLevel
    {
      std::shared_ptr<const Space> space;
      std::shared_ptr<const CellData<double>> cells; ///< of a device
      std::shared_ptr<const Array<int>> places;      ///< of the finest cells
      std::shared_ptr<const LatticeMap> map;
      GhostsOfPart ghosts;
      std::vector<int> cell_in_mesh, cell_nodes;
      std::vector<int> in_whole; ///< the node there of each one here

      /// Finds the nodes of the whole space, in which cells have their numbers
      /// in the mesh.
      void
      find_nodes(const Space &whole)
      {
        const int n = whole.dofs_per_cell();
        std::vector<int> place(whole.n_cells());
        for (int c = 0; c < whole.n_cells(); ++c)
          place[whole.mesh_cell[c]] = c;
        in_whole.assign(space->padding_index(), -1);
        for (int c = 0; c < space->n_cells(); ++c)
          for (int k = 0; k < n; ++k)
            {
              const int at   = place[cell_in_mesh[c]];
              const int node = whole.cell_dofs[std::size_t(n) * at + k];
              int &found     = in_whole.at(cell_nodes[std::size_t(n) * c + k]);
              ASSERT_TRUE(found == -1 || found == node);
              found = node;
              if (!space->cell_dofs.empty())
                ASSERT_EQ(node_position(*space, c, k),
                          node_position(whole, at, k));
              if (c < space->n_interior_cells)
                ASSERT_LT(cell_nodes[std::size_t(n) * c + k], space->n_owned);
            }
      }
    };

    using Level = std::vector<PartOfLevel>;

    /// Calls f(i, j, p, q) for entry i of a ghost of part p and entry j of its
    /// owner q.
    template <class F>
    void
    for_ghosts(const Level &level, const int n_components, const F &f)
    {
      for (std::size_t p = 0; p < level.size(); ++p)
        {
          const SharedNodes &of_p = level[p].ghosts.shared;
          for (std::size_t k = 0; k < of_p.from.part.size(); ++k)
            {
              const int q             = of_p.from.part[k];
              const SharedNodes &of_q = level[q].ghosts.shared;
              const auto found =
                std::find(of_q.to.part.begin(), of_q.to.part.end(), int(p));
              ASSERT_NE(found, of_q.to.part.end());
              const auto of_owner = found - of_q.to.part.begin();
              const int n         = of_p.from.start[k + 1] - of_p.from.start[k];
              ASSERT_EQ(n,
                        of_q.to.start[of_owner + 1] - of_q.to.start[of_owner]);
              for (int i = 0; i < n * n_components; ++i)
                f((level[p].space->n_owned +
                   of_p.ghost[of_p.from.start[k] + i / n_components]) *
                      n_components +
                    i % n_components,
                  of_q.owned[of_q.to.start[of_owner] + i / n_components] *
                      n_components +
                    i % n_components,
                  p, q);
            }
        }
    }

    /// Every free node of the mesh has one owner, and ghosts know theirs.
    void
    expect_division(Level &level, const Space &whole)
    {
      std::vector<int> times(whole.padding_index(), 0);
      for (PartOfLevel &part : level)
        {
          const Space &space = *part.space;
          for (int i = 0; i < space.padding_index(); ++i)
            {
              ASSERT_GE(part.in_whole[i], 0);
              ASSERT_EQ(part.in_whole[i] < whole.n_owned, i < space.n_stored());
              times[part.in_whole[i]] += i < space.n_owned;
            }
          part.ghosts.at_owner.assign(space.n_ghosts, -1);
          for (const int entry : space.fixed)
            ASSERT_TRUE(std::binary_search(
              whole.fixed.begin(), whole.fixed.end(),
              part.in_whole[entry / space.n_components] * space.n_components +
                entry % space.n_components));
        }
      for (int i = 0; i < whole.n_owned; ++i)
        ASSERT_EQ(times[i], 1);
      for_ghosts(level, 1,
                 [&](const int i, const int j, const int p, const int q) {
                   level[p].ghosts.at_owner[i - level[p].space->n_owned] = j;
                   ASSERT_EQ(level[p].in_whole[i], level[q].in_whole[j]);
                 });
      for (const PartOfLevel &part : level)
        for (const int at_owner : part.ghosts.at_owner)
          ASSERT_GE(at_owner, 0);
    }

    Level
    finest_level(const Connectivity &mesh, const std::vector<Part> &parts,
                 const Space &whole, const Backend backend)
    {
      Level level;
      for (std::size_t p = 0; p < parts.size(); ++p)
        {
          PartOfLevel part;
          part.space = std::make_shared<const Space>(parts[p].space);
          if (backend == Backend::cuda && mesh.n_components == 1)
            {
              part.cells =
                std::make_shared<const CellData<double>>(part.space, backend);
              part.places = places_of_cells(*part.space, backend);
            }
          part.ghosts.shared = agreed(parts, int(p));
          part.cell_in_mesh  = part.space->mesh_cell;
          part.cell_nodes    = part.space->cell_dofs;
          part.find_nodes(whole);
          level.push_back(std::move(part));
        }
      expect_division(level, whole);
      return level;
    }

    /// Returns the parts of a lower degree, or of larger cells for degree 0.
    Level
    coarser_level(const Level &finer, const int degree, const Space &whole,
                  const Backend backend)
    {
      Level level;
      for (const PartOfLevel &above : finer)
        {
          PartOfLevel part;
          if (above.cells)
            {
              CoarserCells coarser =
                degree > 0
                  ? lower_degree(*above.cells, degree, nullptr, &above.ghosts)
                  : parent_cells(*above.cells, above.places, &above.ghosts);
              part.cells = coarser.cells;
              part.space =
                std::shared_ptr<const Space>(part.cells, &part.cells->space());
              const auto packed = coarser.map.nodes->to_vector();
              const int n       = coarser.map.n_nodes;
              for (int c = 0; c < part.space->n_cells(); ++c)
                for (int k = 0; k < n; ++k)
                  part.cell_nodes.push_back(
                    packed[(c / LatticeMap::lanes * n + k) * LatticeMap::lanes +
                           c % LatticeMap::lanes]);
              const int n_children = coarser.n_children;
              const auto places =
                above.places ? above.places->to_vector() : std::vector<int>();
              for (int c = 0; c < part.space->n_cells(); ++c)
                {
                  const int child = degree > 0 || places.empty()
                                      ? c * n_children
                                      : places[c * n_children];
                  part.cell_in_mesh.push_back(above.cell_in_mesh[child] /
                                              n_children);
                }
              if (degree > 0)
                part.places = above.places;
              part.ghosts.shared = std::move(coarser.shared);
              part.map =
                std::make_shared<const LatticeMap>(std::move(coarser.map));
            }
          else
            {
              const CoarserSpace coarser =
                degree > 0 ? lower_degree(*above.space, degree, &above.ghosts)
                           : parent_space(*above.space, &above.ghosts);
              part.space      = coarser.space;
              part.cell_nodes = part.space->cell_dofs;
              for (int c = 0; c < part.space->n_cells(); ++c)
                part.cell_in_mesh.push_back(
                  above.cell_in_mesh[coarser.children[c * coarser.n_children]] /
                  coarser.n_children);
              part.ghosts.shared = coarser.shared;
              part.map           = std::make_shared<const LatticeMap>(
                make_lattice_map(coarser, backend));
            }
          part.find_nodes(whole);
          level.push_back(std::move(part));
        }
      expect_division(level, whole);
      return level;
    }

    /// Returns the entries of a part of a vector of the whole space, with zeros
    /// in its tail.
    std::vector<double>
    entries_of(const PartOfLevel &part, const std::vector<double> &whole)
    {
      const int nc = part.space->n_components;
      std::vector<double> values(std::size_t(part.space->n_local()) * nc, 0.);
      for (int i = 0; i < part.space->n_owned * nc; ++i)
        values[i] = whole[part.in_whole[i / nc] * nc + i % nc];
      return values;
    }

    void
    expect_entries(const PartOfLevel &part, const std::vector<double> &found,
                   const std::vector<double> &whole)
    {
      const auto expected = entries_of(part, whole);
      for (int i = 0; i < part.space->n_owned * part.space->n_components; ++i)
        ASSERT_NEAR(found[i], expected[i],
                    1000 * std::numeric_limits<double>::epsilon());
    }

    /// The test moves ghosts itself.
    class GivenGhosts : public Tail<double>
    {
    public:
      void
      import(const Vector<double> &, Stream) const override
      {}

      void
      export_add(Vector<double> &, Stream) const override
      {}
    };

    /// Compares products of all parts with products of the whole space.
    void
    expect_products(const Level &level,
                    const std::shared_ptr<const Space> &whole,
                    const Backend backend)
    {
      const Form form = laplace(anisotropic(whole->dim()));
      const auto A    = tessera::make_operator<double>(
        "matrix_free",
        std::make_shared<const CellData<double>>(whole, Backend::host), form);
      const auto u     = random_values<double>(whole->n_owned, 3);
      Vector<double> b = A->make_vector();
      A->vmult(b, make_vector(*A, u));
      for (const std::string name : {"matrix_free", "csr"})
        {
          std::vector<std::vector<double>> x, y;
          for (const PartOfLevel &part : level)
            x.push_back(entries_of(part, u));
          for_ghosts(level, 1,
                     [&](const int i, const int j, const int p, const int q) {
                       x[p][i] = x[q][j];
                     });
          for (std::size_t p = 0; p < level.size(); ++p)
            {
              const auto B = tessera::make_operator<double>(
                name,
                level[p].cells ? level[p].cells
                               : std::make_shared<const CellData<double>>(
                                   level[p].space, backend),
                form, {},
                {std::make_shared<const Communicator>(),
                 std::make_shared<const GivenGhosts>()});
              Vector<double> given = B->make_vector(), sum = B->make_vector();
              x[p].resize(given.size());
              given.copy_from(x[p]);
              B->vmult(sum, given);
              y.push_back(sum.to_vector());
            }
          auto owned = y;
          for_ghosts(level, 1,
                     [&](const int i, const int j, const int p, const int q) {
                       owned[q][j] += y[p][i];
                     });
          for (std::size_t p = 0; p < level.size(); ++p)
            expect_entries(level[p], owned[p], owned_values(b));
        }
    }

    /// Compares P u and P^T r of the parts and of the whole spaces.
    void
    expect_transfers(const Level &finer, const Space &whole_finer,
                     const Level &level, const CoarserSpace &whole,
                     const Backend backend)
    {
      const int nc = whole_finer.n_components;
      const int n = whole_finer.n_owned * nc, m = whole.space->n_owned * nc;
      auto u = random_values<double>(m, 1), r = random_values<double>(n, 2);
      for (const int entry : whole.space->fixed)
        u[entry] = 0;
      const LatticeTransfer<double> of_whole(
        whole_finer, *whole.space,
        std::make_shared<const LatticeMap>(
          make_lattice_map(whole, Backend::host)));
      Vector<double> x(Backend::host, n, 1), b(Backend::host, m, 0),
        given(Backend::host, m, whole.space->n_tail() * nc),
        residual(Backend::host, n, 0);
      std::copy(u.begin(), u.end(), given.data());
      std::copy(r.begin(), r.end(), residual.data());
      of_whole.prolongate(x, given, {});
      of_whole.restrict_to(b, residual, {});

      std::vector<std::vector<double>> coarse, sums;
      for (const PartOfLevel &part : level)
        coarse.push_back(entries_of(part, u));
      for_ghosts(level, nc,
                 [&](const int i, const int j, const int p, const int q) {
                   coarse[p][i] = coarse[q][j];
                 });
      for (std::size_t p = 0; p < level.size(); ++p)
        {
          const Space &above = *finer[p].space, &space = *level[p].space;
          const LatticeTransfer<double> transfer(above, space, level[p].map);
          Vector<double> y(backend, above.n_owned * nc, 1),
            v(backend, space.n_owned * nc, space.n_tail() * nc),
            s(backend, above.n_owned * nc, above.n_tail() * nc),
            sum(backend, space.n_owned * nc, space.n_ghosts * nc);
          v.copy_from(coarse[p]);
          s.copy_from(entries_of(finer[p], r));
          transfer.prolongate(y, v, {});
          expect_entries(finer[p], y.to_vector(), owned_values(x));
          transfer.restrict_to(sum, s, {});
          sums.push_back(sum.to_vector());
        }
      auto owned = sums;
      for_ghosts(level, nc,
                 [&](const int i, const int j, const int p, const int q) {
                   owned[q][j] += sums[p][i];
                 });
      for (std::size_t p = 0; p < level.size(); ++p)
        expect_entries(level[p], owned[p], owned_values(b));
    }
  } // namespace
} // namespace tessera
