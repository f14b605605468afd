#pragma once

#include <tessera/fem/distributed/distributed_mesh.h>

#include <deal.II/base/mpi.h>

#include <deal.II/distributed/tria_base.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe.h>

#include <deal.II/grid/manifold.h>

#include <deal.II/lac/la_parallel_vector.h>

/// What deal.II keeps of a distributed mesh.
namespace tessera
{
  /// The manifold that another mesh, which has to outlive this object, has
  /// attached. One that interpolates between the faces of coarse cells, such as
  /// dealii::TransfiniteInterpolationManifold, looks for those of its own mesh
  /// to which it is attached itself, so that a copy finds none elsewhere.
  template <int dim>
  class ManifoldOfMesh : public dealii::Manifold<dim>
  {
  public:
    using Points  = dealii::ArrayView<const dealii::Point<dim>>;
    using Weights = dealii::ArrayView<const double>;
    using Face    = typename dealii::Triangulation<dim>::face_iterator;

    explicit ManifoldOfMesh(const dealii::Manifold<dim> &attached)
      : attached(attached)
    {}

    std::unique_ptr<dealii::Manifold<dim>>
    clone() const override
    {
      return std::make_unique<ManifoldOfMesh>(attached);
    }

    dealii::Point<dim>
    get_intermediate_point(const dealii::Point<dim> &a,
                           const dealii::Point<dim> &b,
                           const double weight) const override
    {
      return attached.get_intermediate_point(a, b, weight);
    }

    dealii::Point<dim>
    get_new_point(const Points &points, const Weights &weights) const override
    {
      return attached.get_new_point(points, weights);
    }

    void
    get_new_points(
      const Points &points, const dealii::Table<2, double> &weights,
      dealii::ArrayView<dealii::Point<dim>> new_points) const override
    {
      attached.get_new_points(points, weights, new_points);
    }

    dealii::Point<dim>
    project_to_manifold(const Points &points,
                        const dealii::Point<dim> &candidate) const override
    {
      return attached.project_to_manifold(points, candidate);
    }

    dealii::Tensor<1, dim>
    get_tangent_vector(const dealii::Point<dim> &a,
                       const dealii::Point<dim> &b) const override
    {
      return attached.get_tangent_vector(a, b);
    }

    dealii::Tensor<1, dim>
    normal_vector(const Face &face, const dealii::Point<dim> &p) const override
    {
      return attached.normal_vector(face, p);
    }

  private:
    const dealii::Manifold<dim> &attached;
  };


  /// Gives a mesh the manifolds of its coarsest cells, which have to outlive
  /// it.
  template <int dim>
  void
  take_manifolds(dealii::Triangulation<dim> &triangulation,
                 const dealii::Triangulation<dim> &coarsest)
  {
    for (const auto id : coarsest.get_manifold_ids())
      if (id != dealii::numbers::flat_manifold_id)
        triangulation.set_manifold(
          id, ManifoldOfMesh<dim>(coarsest.get_manifold(id)));
  }


  template <int dim>
  struct DistributedMesh<dim>::Cells
  {
    /// The coarsest cells of a curved mesh, whose manifolds the others have.
    Mesh<dim> coarsest;
    std::unique_ptr<dealii::parallel::DistributedTriangulationBase<dim>>
      triangulation;
    bool keeps = false; ///< that some cells are not joined has been said
  };


  /// Fields on what a process knows of the mesh become those of deal.II's
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
