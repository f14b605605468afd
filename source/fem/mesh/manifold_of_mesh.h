#pragma once

#include <deal.II/grid/manifold.h>
#include <deal.II/grid/tria.h>

#include <memory>

namespace tessera
{
  /// The manifold that another mesh, which has to outlive this object, has
  /// attached. One that interpolates between the faces of coarse cells, such as
  /// dealii::TransfiniteInterpolationManifold, looks for the cells of its own
  /// mesh to which it is attached itself, so that a copy finds none elsewhere.
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
} // namespace tessera
