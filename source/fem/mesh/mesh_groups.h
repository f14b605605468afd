#pragma once

#include <tessera/fem/mesh/mesh_file.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tessera::mesh_tools
{
  /// Assigns ids to things that may be in several groups of a file. A mesh
  /// knows one id per thing: things in one group have the id of the group;
  /// things in the same combination of groups share an id, the one of its
  /// last group that has no other members, or a new one.
  class GroupIds
  {
  public:
    using Groups = std::set<int>;

    /// `alone` are the groups of things that are in one group, `combinations`
    /// the groups of things in several. New ids differ from `others`.
    GroupIds(const Groups &alone, const std::set<Groups> &combinations,
             const Groups &others);

    unsigned int
    id(const Groups &groups) const
    {
      return ids.at(groups);
    }

    /// Returns all ids of things in the group, or `group` if there are none.
    std::set<unsigned int>
    ids_in(int group) const;

  private:
    std::map<Groups, unsigned int> ids;
  };


  /// Returns "1 quadrilateral and 5 triangles", for example.
  std::string
  list_counts(const std::map<std::string, int> &n_of_type);


  /// Returns the command by which gmsh divides all cells of a file into
  /// quadrilaterals or hexahedra.
  std::string
  command_that_divides(const MeshFile &file);


  /// Returns the things that elements of dimension `dim` stand for, as
  /// `thing_of` tells, with their ids: each thing once, in ascending order.
  /// Adds to `names` the ids of every named group. Group 0 means none.
  template <class Thing, class ThingOf>
  std::vector<std::pair<Thing, unsigned int>>
  assign_ids(const MeshFile &file, const int dim, GroupNames &names,
             const ThingOf &thing_of)
  {
    std::vector<std::pair<Thing, int>> members;
    for (std::size_t e = 0; e < file.elements.size(); ++e)
      if (dimension(file.elements[e].type) == dim)
        {
          const Thing thing = thing_of(file.elements[e]);
          members.emplace_back(thing, file.elements[e].id);
          const auto further = file.further_groups.find(e);
          if (further != file.further_groups.end())
            for (const int group : further->second)
              members.emplace_back(thing, group);
        }
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    GroupIds::Groups alone, named;
    std::set<GroupIds::Groups> combinations;
    std::vector<std::pair<std::size_t, GroupIds::Groups>> in_several;
    std::vector<std::pair<Thing, unsigned int>> result;
    for (std::size_t i = 0, end; i < members.size(); i = end)
      {
        const auto &[thing, group] = members[i];
        for (end = i + 1; end < members.size() && members[end].first == thing;)
          ++end;
        const std::size_t first = end > i + 1 && group == 0 ? i + 1 : i;
        if (end == first + 1)
          alone.insert(members[first].second);
        else
          {
            GroupIds::Groups groups;
            for (std::size_t k = first; k < end; ++k)
              groups.insert(members[k].second);
            combinations.insert(groups);
            in_several.emplace_back(result.size(), groups);
          }
        result.emplace_back(thing, members[first].second);
      }
    for (const auto &[name, group] : file.names[dim])
      named.insert(group);
    const GroupIds ids(alone, combinations, named);
    for (const auto &[place, groups] : in_several)
      result[place].second = ids.id(groups);
    for (const auto &[name, group] : file.names[dim])
      names[name] = ids.ids_in(group);
    return result;
  }
} // namespace tessera::mesh_tools
