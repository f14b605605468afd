#pragma once

#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/space/space.h>

#include "array_meshes.h"
#include "problems.h"

// Spaces on cells that were divided, as geometric multigrid needs them.
namespace tessera::test
{
  using SpacePointer = std::shared_ptr<const Space>;

  /// Returns random boxes that are divided `levels` times, with given values on
  /// two boundaries. Later components of nodes with several are given where the
  /// first one is free, too.
  inline Connectivity
  mesh_of_boxes(const CellType type, const int degree, const int levels,
                const int n_components = 1, const int n_boxes = 3,
                const bool distorted = true)
  {
    MeshArrays mesh = random_arrays(type, n_boxes, n_boxes - 1, 1);
    if (!distorted)
      {
        const Connectivity boxes =
          generated_mesh(type, 1, n_boxes, n_boxes - 1, 1, true, 0.);
        mesh = make_arrays(type, boxes.cell_vertices, boxes.vertices);
      }
    auto boundary = mesh.boundary.to_vector();
    for (std::size_t i = 0; i < boundary.size(); ++i)
      boundary[i].id = i % 6;
    mesh.boundary.copy_from(boundary);
    for (int l = 0; l < levels; ++l)
      mesh = refine(mesh);
    const ElementNodes nodes = number(mesh, degree);
    const auto on_0 = nodes_on_boundaries(mesh, nodes, {0}).to_vector();
    const auto on_1 = nodes_on_boundaries(mesh, nodes, {1}).to_vector();
    std::vector<char> given;
    for (int i = 0; i < nodes.n_nodes; ++i)
      for (int c = 0; c < n_components; ++c)
        given.push_back(on_0[i] || (on_1[i] && (n_components == 1 || c == 1)));
    return connectivity(mesh, nodes, given, n_components);
  }

  /// Returns their space.
  template <class... Arguments>
  SpacePointer
  divided_boxes(const Arguments &...arguments)
  {
    return std::make_shared<const Space>(
      build_space(mesh_of_boxes(arguments...)));
  }

  inline Form
  form_of(const Space &space)
  {
    return space.n_components > 1
             ? elasticity(isotropic_stiffness(space.dim(), 2., 0.3))
             : laplace(anisotropic(space.dim()));
  }

  /// Returns a number for each cell of a space, from 1 to `contrast`.
  inline Coefficient
  random_cells(const Space &space, const double contrast)
  {
    Coefficient result{Coefficient::Kind::per_cell, 1, {}};
    RandomSequence random(5);
    for (int c = 0; c < space.n_cells(); ++c)
      result.values.push_back(1 + (contrast - 1) * random.below(1000) / 1e3);
    return result;
  }
} // namespace tessera::test
