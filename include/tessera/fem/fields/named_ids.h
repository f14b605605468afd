#pragma once

#include <tessera/fem/mesh/mesh.h>

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

    /// Returns true if the name is an id or stands for ids that occur.
    bool
    has(const std::string &name) const
    {
      return !look_up(name).empty();
    }

    /// Returns the ids for `name`, which is an id, a physical name or a formula
    /// in the list `path`. Throws MeshError if there are none; the message
    /// contains both and the ids and names of the mesh.
    std::set<unsigned int>
    find(const std::string &name, const std::string &path) const;

    /// Returns "The boundary 'inlet'" for messages, with the id if the name
    /// stands for several ids.
    std::string
    describe(const std::string &name, unsigned int id) const;

    const std::set<unsigned int> &
    ids() const
    {
      return existing;
    }

  private:
    std::set<unsigned int>
    look_up(const std::string &name) const;

    std::string kind;   ///< "boundary" or "material"
    std::string source; ///< origin of the mesh, for messages
    std::set<unsigned int> existing;
    GroupNames names;
    std::map<unsigned int, unsigned int> part_of; ///< as in `Mesh`
  };
} // namespace tessera
