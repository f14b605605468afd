#include "abaqus_model.h"
#include "abaqus_text.h"

#include <algorithm>
#include <functional>
#include <set>

namespace tessera::mesh_files
{
  namespace
  {
    /// Returns the corners of the sides S1 to S6 in Abaqus's order of corners.
    std::vector<int>
    side_corners(const CellType type, const int side)
    {
      static const std::map<CellType, std::vector<std::vector<int>>> sides = {
        {CellType::triangle, {{0, 1}, {1, 2}, {2, 0}}},
        {CellType::quadrilateral, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
        {CellType::tetrahedron, {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}},
        {CellType::hexahedron,
         {{0, 1, 2, 3},
          {4, 7, 6, 5},
          {0, 4, 5, 1},
          {1, 5, 6, 2},
          {2, 6, 7, 3},
          {3, 7, 4, 0}}}};
      const auto entry = sides.find(type);
      if (entry == sides.end() ||
          side >= static_cast<int>(entry->second.size()))
        return {};
      return entry->second[side];
    }


    /// The names under which groups appear.
    struct Appearances
    {
      std::vector<std::string> names;         ///< as the file spells them first
      std::vector<std::string> keys;          ///< by which names are compared
      std::vector<std::vector<int>> of_group; ///< places in `names`
    };


    Appearances
    appearances(const AbaqusModel &model, const AbaqusGroups &groups)
    {
      std::set<std::string> of_model;
      std::map<std::string, std::set<int>> parts, instances; ///< by key
      for (const AbaqusGroup &group : groups.all)
        if (group.scope == 0)
          of_model.insert(group.key);
        else
          {
            parts[group.key].insert(model.scopes[group.scope].part);
            instances[group.key].insert(group.scope);
          }
      const auto is_unique = [&](const AbaqusGroup &group) {
        return group.scope == 0 || (of_model.count(group.key) == 0 &&
                                    parts.at(group.key).size() == 1);
      };
      Appearances result;
      for (const AbaqusGroup &group : groups.all)
        {
          const bool alone =
            group.scope == 0 ||
            (is_unique(group) && instances.at(group.key).size() == 1);
          result.of_group.push_back({static_cast<int>(result.names.size())});
          const std::string &instance = model.scopes[group.scope].name;
          result.names.push_back((alone ? "" : instance + '.') + group.name);
          result.keys.push_back((alone ? "" : abaqus_key(instance) + '.') +
                                group.key);
        }
      std::map<std::string, int> common; // of all instances of a part
      for (std::size_t g = 0; g < groups.all.size(); ++g)
        {
          const AbaqusGroup &group = groups.all[g];
          if (group.scope == 0 || !is_unique(group) ||
              instances.at(group.key).size() == 1)
            continue;
          const auto entry =
            common.emplace(group.key, static_cast<int>(result.names.size()));
          if (entry.second)
            {
              result.names.push_back(group.name);
              result.keys.push_back(group.key);
            }
          result.of_group[g].push_back(entry.first->second);
        }
      return result;
    }


    /// Throws that a member of a group does not exist.
    [[noreturn]] void
    fail(const AbaqusModel &model, const Scanner &in, const std::string &thing,
         const AbaqusMember &member, const AbaqusGroup &group)
    {
      const std::string &scope = model.scopes[member.scope].name;
      in.fail(
        "has no " + thing +
        (scope.empty() ? "" : " in the instance '" + printable(scope) + '\'') +
        ", which '" + printable(group.name) + "' names in line " +
        std::to_string(member.line));
    }


    /// Finds the members of sets, of which each may name others.
    class SetMembers
    {
    public:
      /// Appends the places of what a member without a set stands for.
      using Find =
        std::function<void(const AbaqusMember &, std::vector<std::size_t> &)>;

      SetMembers(const AbaqusModel &model, const AbaqusGroups &sets,
                 const std::string &thing, const Scanner &in, Find find)
        : model(model), sets(sets), thing(thing), in(in), find(std::move(find)),
          places(sets.all.size()), states(sets.all.size(), State::unknown)
      {}

      /// Returns the members of a set in ascending order.
      const std::vector<std::size_t> &
      of_set(const int number)
      {
        const AbaqusGroup &group = sets.all[number];
        if (states[number] == State::begun)
          in.fail("has the set '" + printable(group.name) +
                  "', which contains itself");
        if (states[number] == State::unknown)
          {
            states[number] = State::begun;
            std::vector<std::size_t> all;
            for (const AbaqusMember &member : group.members)
              {
                const auto some = of_member(member, group);
                all.insert(all.end(), some.begin(), some.end());
              }
            std::sort(all.begin(), all.end());
            all.erase(std::unique(all.begin(), all.end()), all.end());
            places[number] = std::move(all);
            states[number] = State::known;
          }
        return places[number];
      }

      /// Returns what a member of a group stands for.
      std::vector<std::size_t>
      of_member(const AbaqusMember &member, const AbaqusGroup &group)
      {
        if (member.set >= 0)
          {
            const std::string &key = model.keys[member.set];
            const auto found       = sets.index.find({member.scope, key});
            if (found == sets.index.end())
              fail(model, in, "set '" + printable(key) + '\'', member, group);
            return of_set(found->second);
          }
        std::vector<std::size_t> result;
        find(member, result);
        if (result.empty())
          fail(model, in, thing + ' ' + std::to_string(member.first), member,
               group);
        return result;
      }

    private:
      enum class State
      {
        unknown,
        begun,
        known
      };

      const AbaqusModel &model;
      const AbaqusGroups &sets;
      const std::string thing;
      const Scanner &in;
      const Find find;
      std::vector<std::vector<std::size_t>> places;
      std::vector<State> states;
    };


    void
    find_nodes(const AbaqusModel &model, const AbaqusMember &member,
               std::vector<std::size_t> &nodes)
    {
      const AbaqusScope &scope = model.scopes[member.scope];
      const auto &labels       = model.mesh.labels;
      if ((member.last - member.first) / member.step <= scope.n_nodes)
        {
          for (long long label = member.first; label <= member.last;
               label += member.step)
            if (const int node = scope.nodes.find(label); node >= 0)
              nodes.push_back(node);
          return;
        }
      for (std::size_t node = 0; node < labels.size(); ++node)
        if (model.scope_of_node[node] == member.scope &&
            labels[node] >= member.first && labels[node] <= member.last &&
            (labels[node] - member.first) % member.step == 0)
          nodes.push_back(node);
    }


    void
    find_elements(const AbaqusModel &model, const AbaqusMember &member,
                  std::vector<std::size_t> &places)
    {
      const auto &elements = model.scopes[member.scope].elements;
      for (auto place = elements.lower_bound(member.first);
           place != elements.end() && place->first <= member.last; ++place)
        if ((place->first - member.first) % member.step == 0)
          places.push_back(place->second);
    }


    void
    keep_node_sets(AbaqusModel &model, const Scanner &in)
    {
      const Appearances sets = appearances(model, model.node_sets);
      SetMembers members(model, model.node_sets, "node", in,
                         [&](const AbaqusMember &member, auto &nodes) {
                           find_nodes(model, member, nodes);
                         });
      for (std::size_t g = 0; g < model.node_sets.all.size(); ++g)
        for (const int k : sets.of_group[g])
          {
            const auto &nodes = members.of_set(static_cast<int>(g));
            auto &all         = model.mesh.node_sets[sets.names[k]];
            all.insert(all.end(), nodes.begin(), nodes.end());
            std::sort(all.begin(), all.end());
          }
    }


    void
    assign_sets(AbaqusModel &model, const Appearances &surfaces,
                SetMembers &members, const Scanner &in)
    {
      MeshFile &mesh         = model.mesh;
      const int top          = mesh.dimension();
      const Appearances sets = appearances(model, model.element_sets);
      const auto n_surfaces  = static_cast<int>(surfaces.names.size());
      std::set<std::pair<int, int>> named; // dimension and id
      for (std::size_t g = 0; g < model.element_sets.all.size(); ++g)
        for (const int k : sets.of_group[g])
          {
            // A surface and a set of faces with the same name are one group.
            const auto surface = std::find(surfaces.keys.begin(),
                                           surfaces.keys.end(), sets.keys[k]);
            for (const std::size_t place : members.of_set(static_cast<int>(g)))
              {
                const int d = dimension(mesh.elements[place].type);
                const int id =
                  d == top - 1 && surface != surfaces.keys.end()
                    ? static_cast<int>(surface - surfaces.keys.begin()) + 1
                    : k + 1 + (d < top ? n_surfaces : 0);
                add_group(mesh, place, id);
                if (named.emplace(d, id).second)
                  add_name(mesh, in, d,
                           id <= n_surfaces && d < top ? surfaces.names[id - 1]
                                                       : sets.names[k],
                           id);
              }
          }
    }


    /// Appends the side of an element as a face in groups of surfaces.
    void
    add_side(MeshFile &mesh, const std::size_t place, const int side,
             const std::vector<int> &groups, const Scanner &in)
    {
      constexpr int order[]        = {0, 1, 3, 2, 4, 5, 7, 6};
      const MeshFile::Element cell = mesh.elements[place];
      const auto corners           = side_corners(cell.type, side);
      if (corners.empty())
        in.fail("has the side S" + std::to_string(side + 1) + " of the " +
                to_string(cell.type) + ' ' + std::to_string(cell.label) +
                ", which there is not");
      const bool reordered = !is_simplex(cell.type);
      MeshFile::Element face{
        face_type(cell.type), groups[0] + 1, cell.label, {}};
      for (std::size_t i = 0; i < corners.size(); ++i)
        {
          const int corner = corners[corners.size() == 4 ? order[i] : i];
          face.vertices[i] = cell.vertices[reordered ? order[corner] : corner];
        }
      mesh.elements.push_back(face);
      for (const int group : groups)
        add_group(mesh, mesh.elements.size() - 1, group + 1);
    }
  } // namespace


  AbaqusGroup &
  AbaqusGroups::get(const int scope, const std::string &name)
  {
    const std::string key = abaqus_key(name);
    const auto entry =
      index.emplace(std::make_pair(scope, key), static_cast<int>(all.size()));
    if (entry.second)
      all.push_back({abaqus_name(name), key, scope});
    return all[entry.first->second];
  }


  void
  assign_groups(AbaqusModel &model, const Scanner &in)
  {
    keep_node_sets(model, in);
    MeshFile &mesh             = model.mesh;
    const Appearances surfaces = appearances(model, model.surfaces);
    const int top              = mesh.dimension();
    for (std::size_t k = 0; k < surfaces.names.size() && top > 1; ++k)
      add_name(mesh, in, top - 1, surfaces.names[k], static_cast<int>(k) + 1);
    SetMembers members(model, model.element_sets, "element", in,
                       [&](const AbaqusMember &member, auto &places) {
                         find_elements(model, member, places);
                       });
    assign_sets(model, surfaces, members, in);
    for (std::size_t g = 0; g < model.surfaces.all.size(); ++g)
      for (const AbaqusMember &member : model.surfaces.all[g].members)
        for (const std::size_t place :
             members.of_member(member, model.surfaces.all[g]))
          add_side(mesh, place, member.side, surfaces.of_group[g], in);
  }
} // namespace tessera::mesh_files
