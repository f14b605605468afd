#include "mesh_groups.h"
#include "mesh_tools.h"

namespace tessera::mesh_tools
{
  std::string
  names_of(const GroupNames &names, const unsigned int id)
  {
    std::string list;
    for (const auto &[name, ids] : names)
      if (ids.count(id) > 0)
        list += (list.empty() ? "'" : ", '") + name + "'";
    return list;
  }


  GroupIds::GroupIds(const Groups &alone, const std::set<Groups> &combinations,
                     const Groups &others)
  {
    Groups taken = alone, all = others;
    for (const int group : alone)
      {
        ids[{group}] = group;
        all.insert(group);
      }
    for (const Groups &groups : combinations)
      all.insert(groups.begin(), groups.end());
    unsigned int next = all.empty() ? 0 : *all.rbegin() + 1u;
    for (const Groups &groups : combinations)
      {
        const auto free =
          std::find_if(groups.rbegin(), groups.rend(),
                       [&](const int group) { return !taken.count(group); });
        if (free == groups.rend())
          ids[groups] = next++;
        else
          {
            ids[groups] = *free;
            taken.insert(*free);
          }
      }
  }


  std::set<unsigned int>
  GroupIds::ids_in(const int group) const
  {
    std::set<unsigned int> result;
    for (const auto &[groups, id] : ids)
      if (groups.count(group) > 0)
        result.insert(id);
    if (result.empty())
      result.insert(group);
    return result;
  }
} // namespace tessera::mesh_tools
