#pragma once

#include "../mesh/manifold_of_mesh.h"

#include <tessera/fem/distributed/distributed_mesh.h>

#include <deal.II/base/mpi.h>

#include <deal.II/distributed/tria_base.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe.h>

#include <deal.II/lac/la_parallel_vector.h>

/// What deal.II keeps of a distributed mesh.
namespace tessera
{
  template <int dim>
  struct DistributedMesh<dim>::Cells
  {
    /// The coarsest cells of a curved mesh, whose manifolds the others have.
    Mesh<dim> coarsest;
    std::unique_ptr<dealii::parallel::DistributedTriangulationBase<dim>>
      triangulation;
    bool keeps = false; ///< that some cells are not joined has been said
  };


  /// Fields on what a process knows of the mesh become fields on deal.II's
  /// distributed mesh, which interpolates them.
  template <int dim>
  struct DistributedMesh<dim>::Transfer
  {
    using Values = dealii::LinearAlgebra::distributed::Vector<double>;

    explicit Transfer(const Cells &cells) : of_all(*cells.triangulation)
    {}

    /// Distributes the degrees of freedom of all processes.
    void
    distribute(const dealii::DoFHandler<dim> &dof_handler,
               const std::size_t n_fields)
    {
      of_all.distribute_dofs(dof_handler.get_fe());
      dealii::IndexSet known;
      dealii::DoFTools::extract_locally_relevant_dofs(of_all, known);
      values.clear();
      values.resize(n_fields);
      for (Values &field : values)
        field.reinit(of_all.locally_owned_dofs(), known, MPI_COMM_WORLD);
    }

    /// Calls visit(index here, index of all) for the degrees of freedom of the
    /// cells that are not artificial.
    template <class Visit>
    void
    for_dofs(const dealii::DoFHandler<dim> &dof_handler,
             const Visit &visit) const
    {
      const unsigned int n = dof_handler.get_fe().n_dofs_per_cell();
      std::vector<dealii::types::global_dof_index> local(n), ids(n);
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          if (cell->subdomain_id() == dealii::numbers::artificial_subdomain_id)
            continue;
          const typename dealii::DoFHandler<dim>::active_cell_iterator same(
            &of_all.get_triangulation(), cell->level(), cell->index(), &of_all);
          cell->get_dof_indices(local);
          same->get_dof_indices(ids);
          for (unsigned int i = 0; i < n; ++i)
            visit(local[i], ids[i]);
        }
    }

    dealii::DoFHandler<dim> of_all;
    std::vector<Values> values; ///< of the fields
  };
} // namespace tessera
