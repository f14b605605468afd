#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/parameters.h>

#include <deal.II/grid/tria.h>

#include <map>
#include <string>
#include <vector>

namespace tessera
{
  /// A triangulation of quadrilaterals and the names of its boundaries.
  struct Mesh
  {
    dealii::Triangulation<2> triangulation;
    /// Where it comes from, for messages: `mesh file 'plate.msh'`.
    std::string source;
    /// Physical names of one dimension in the file; none for a generated mesh.
    std::map<std::string, dealii::types::boundary_id> boundary_names;

    /// The ids that occur, with their names: `0, 1 ('outer')`.
    std::string
    list_boundaries() const;
  };

  /// A grid of deal.II's generator that consists of quadrilaterals, and
  /// arguments that work.
  struct GridExample
  {
    std::string name;
    std::string arguments;
  };

  const std::vector<GridExample> &
  grid_examples();

  /// Declares section `Mesh`. `Initial refinement` is that of the first cycle.
  void
  declare_mesh(Parameters &parameters);

  /// Fills `mesh` as section `Mesh` says, refined `cycle` times more, interior
  /// vertices moved last. Throws ParameterError for an unknown grid or
  /// arguments that do not fit, MeshError where a file is missing, truncated,
  /// not made of quadrilaterals or has an inverted cell.
  void
  make_mesh(Mesh &mesh, const Parameters &parameters, int cycle = 0);
} // namespace tessera
