#include "distributed_cells.h"

#include <stdexcept>

// Where deal.II has no p4est, METIS divides all meshes.
namespace tessera
{
  template <int dim>
  bool
  DistributedMesh<dim>::is_forest(const Parameters &, int)
  {
    return false;
  }


  template <int dim>
  bool
  DistributedMesh<dim>::grow(Mesh<dim> &, const Parameters &, int)
  {
    return false;
  }


  template <int dim>
  void
  DistributedMesh<dim>::adapt(Mesh<dim> &, dealii::DoFHandler<dim> &,
                              const dealii::Vector<float> &, double, double,
                              const MeshLevels &,
                              std::vector<dealii::Vector<double>> &)
  {
    throw std::logic_error("there is no forest without p4est");
  }


#include "forest.inc"
} // namespace tessera
