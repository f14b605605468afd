#include "gmsh_entities.h"

#include <cstdlib>

namespace tessera::mesh_files
{
  void
  GmshEntities::read(GmshNumbers &from, const bool parts)
  {
    if (!from.is_4)
      from.in.fail("has the section '$" +
                   std::string(parts ? "Partitioned" : "") +
                   "Entities', which version 2.2 has not");
    if (parts)
      {
        n_parts = from.size("the number of parts");
        for (long long n = from.count("entities of ghosts", 8); n > 0; --n)
          for (const char *const what : {"an entity of ghosts", "its part"})
            from.integer(what);
      }
    long long n[4];
    for (auto &entry : n)
      entry = from.count("entities", 16);
    for (int dimension = 0; dimension < 4; ++dimension)
      for (long long i = 0; i < n[dimension]; ++i)
        {
          const Key entity(dimension, from.integer("the tag of an entity"));
          bool inner = false; // between parts, where no boundary is
          if (parts)
            {
              inner = from.integer("the dimension of an entity") != dimension;
              from.integer("the tag of an entity");
              for (long long k = from.count("parts", 4); k > 0; --k)
                {
                  const long long part = from.integer("a part");
                  if (!inner)
                    known_parts.insert(part);
                }
            }
          const bool is_place = dimension == 0 && !from.is_40;
          for (int d = 0; d < (is_place ? 3 : 6); ++d)
            from.real("a bound of an entity");
          for (long long k = from.count("physical groups of an entity", 4);
               k > 0; --k)
            {
              const long long id = from.integer("a physical group");
              const int group =
                check_id(from.in, std::llabs(id),
                         "entity " + std::to_string(entity.second));
              if (!inner)
                ids[entity].push_back(group);
            }
          if (dimension > 0)
            for (long long k = from.count("bounds of an entity", 4); k > 0; --k)
              from.integer("an entity");
        }
  }


  const std::vector<int> &
  GmshEntities::groups(const Key &entity) const
  {
    static const std::vector<int> none;
    const auto found = ids.find(entity);
    return found == ids.end() ? none : found->second;
  }


  void
  GmshEntities::check_complete(const Scanner &in) const
  {
    const auto n_known = static_cast<long long>(known_parts.size());
    if (n_known < n_parts)
      in.fail("has " + std::to_string(n_known) + " of the " +
              std::to_string(n_parts) +
              " parts of a mesh, whose files the command 'gmsh PART_1.msh "
              "PART_2.msh ... -save -o whole.msh' joins");
  }
} // namespace tessera::mesh_files
