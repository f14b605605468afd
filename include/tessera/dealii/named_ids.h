#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/mesh.h>

#include <set>
#include <string>

namespace tessera
{
  /// The ids of one kind that occur in a mesh, and their physical names.
  class NamedIds
  {
  public:
    template <int dim>
    static NamedIds
    boundaries(const Mesh<dim> &mesh);

    template <int dim>
    static NamedIds
    materials(const Mesh<dim> &mesh);

    /// The ids that `name`, an id or else a physical name in the list `path`,
    /// stands for. Throws MeshError naming both and what the mesh has.
    std::set<unsigned int>
    find(const std::string &name, const std::string &path) const;

    /// "The boundary 'inlet'", with the id where the name stands for several.
    std::string
    describe(const std::string &name, unsigned int id) const;

    const std::set<unsigned int> &
    ids() const
    {
      return existing;
    }

  private:
    std::string kind;   ///< "boundary" or "material"
    std::string source; ///< of the mesh
    std::set<unsigned int> existing;
    GroupNames names;
  };
} // namespace tessera
