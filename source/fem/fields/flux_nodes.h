#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace tessera
{
  namespace internal::flux
  {
    /// A surface of a region: a Dirichlet boundary with its id, {false, id}, or
    /// the surface to another material, {true, id}.
    using Surface = std::pair<bool, unsigned int>;

    /// Stands for the surface of nodes that a condition holds elsewhere than on
    /// boundaries. Its ids are smaller than the id that deal.II gives inner
    /// faces.
    inline Surface
    surface_of_holder(const int holder)
    {
      return {false, std::numeric_limits<unsigned int>::max() - 2u - holder};
    }

    /// What a node contributes to the flux through a surface of a region.
    struct SurfacePart
    {
      Surface surface;
      double area = 0; ///< of its faces there
      double flux = 0; ///< integral of (kappa grad u_h) . n phi
    };

    /// The parts of a node, which `Nodes` keeps, by ascending surface.
    class SurfaceParts
    {
    public:
      SurfaceParts() = default;
      SurfaceParts(SurfacePart *const first, const std::size_t n)
        : first(first), n(n)
      {}

      SurfacePart *
      begin() const
      {
        return first;
      }

      SurfacePart *
      end() const
      {
        return first + n;
      }

      std::size_t
      size() const
      {
        return n;
      }

      /// Returns the part at a surface, or null.
      SurfacePart *
      find(const Surface &surface) const
      {
        SurfacePart *const part =
          std::find_if(begin(), end(), [&](const SurfacePart &candidate) {
            return candidate.surface == surface;
          });
        return part == end() ? nullptr : part;
      }

    private:
      SurfacePart *first = nullptr;
      std::size_t n      = 0;
    };

    /// The contribution of a node to the flux through surfaces of a region.
    struct Node
    {
      std::size_t dof;
      unsigned int region;
      SurfaceParts parts = {};
      double residual    = 0;     ///< of the cells of the region
      bool is_local      = false; ///< of a cell of this process

      bool
      operator<(const Node &other) const
      {
        return std::pair(dof, region) < std::pair(other.dof, other.region);
      }
    };

    /// Nodes by degree of freedom and region. A table has the first one of each
    /// degree of freedom.
    class Nodes
    {
    public:
      /// Takes nodes in ascending order and the parts that these refer to.
      Nodes(std::vector<Node> nodes, std::vector<SurfacePart> parts,
            std::size_t n_dofs);

      Node *
      begin()
      {
        return all.data();
      }

      Node *
      end()
      {
        return all.data() + all.size();
      }

      /// Returns a node, or null.
      Node *
      find(const std::size_t dof, const unsigned int region)
      {
        Node *result = nullptr;
        for_regions_of(dof, [&](Node &node) {
          if (node.region == region)
            result = &node;
        });
        return result;
      }

      /// Calls visit(node) for a degree of freedom in all regions.
      template <class Visit>
      void
      for_regions_of(const std::size_t dof, const Visit &visit)
      {
        if (first[dof] >= 0)
          for (auto node = all.begin() + first[dof];
               node != all.end() && node->dof == dof; ++node)
            visit(*node);
      }

      /// Keeps the nodes for which keep(node), which is called in their order,
      /// is true.
      template <class Keep>
      void
      keep_if(const Keep &keep)
      {
        std::size_t n = 0;
        for (Node &node : all)
          if (keep(node))
            all[n++] = node;
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(n), all.end());
        find_first();
      }

    private:
      void
      find_first();

      std::vector<Node> all;
      std::vector<SurfacePart> parts;
      std::vector<int> first; ///< [n_dofs]; -1: none
    };
  } // namespace internal::flux
} // namespace tessera
