#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/fem/distributed/cell_nodes.h>
#include <tessera/fem/mesh/mesh.h>
#include <tessera/program/parameters.h>

#include <deal.II/lac/vector.h>

#include <string>
#include <vector>

namespace tessera
{
  /// Forces on the foremost part of the surface in a direction, as if a body is
  /// pressed against it: the subsections `Loads/Contact 1`, `Contact 2`, ...
  /// (LinLau2025, section I.C). A direction d of length 1 chooses the faces of
  /// the boundary whose vertices x all have
  ///   x . d >= max x . d - tolerance (max x . d - min x . d),
  /// with the maximum and minimum of all vertices. The total force F becomes
  /// the traction F (n . d)+ / A on them, A = int (n . d)+ ds, so that every
  /// face has its share by oriented area.
  template <int dim>
  class ContactLoads
  {
  public:
    /// Declares the entries, which are the same for both dimensions.
    static void
    declare(Parameters &parameters);

    /// Reads the entries. Throws ParameterError if a direction or a force has
    /// the wrong number of components or is not finite, or if a direction is 0.
    explicit ContactLoads(const Parameters &parameters);

    /// Adds the loads, [n_dofs]. `cells` has dim components. If the mesh is
    /// divided, each process adds the loads on faces of its own cells, where A
    /// is the area of all processes; all have to call this together. Throws
    /// ParameterError naming a subsection that meets no face.
    void
    add_to(dealii::Vector<double> &loads, const Mesh<dim> &mesh,
           const CellNodes<dim> &cells) const;

  private:
    struct Contact
    {
      std::string section;
      dealii::Tensor<1, dim> direction; ///< of length 1
      dealii::Tensor<1, dim> force;
      double tolerance;
    };

    std::vector<Contact> contacts;
  };
} // namespace tessera
