#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/mesh.h>

#include <map>
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

    /// The id that `name`, an id or a physical name in the list `path`, stands
    /// for. Throws MeshError naming both and what the mesh has.
    unsigned int
    find(const std::string &name, const std::string &path) const;

    const std::set<unsigned int> &
    ids() const
    {
      return existing;
    }

  private:
    std::string kind; ///< "boundary" or "material"
    std::set<unsigned int> existing;
    std::map<std::string, unsigned int> names;
    std::string description; ///< "the grid G has 0, 1 ('outer')"
  };
} // namespace tessera
